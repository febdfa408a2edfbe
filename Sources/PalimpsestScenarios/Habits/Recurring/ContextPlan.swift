/// Which context is in force when.
struct ContextPlan: Sendable {
  /// A stretch of days under one context.
  struct Visit: Sendable, Equatable {
    /// A place among ``ContextPlan/contexts``.
    let context: Int
    /// From 0 on.
    let days: Range<Int>
  }

  /// The different contexts, in the order of their first visits.
  let contexts: [Int]
  /// In order of time, without a gap.
  let visits: [Visit]
  /// The days of a week, from Monday on, on which a context may be in force; nil: on all.
  private let weekdays: [Range<Int>]?

  init(_ settings: HabitRecurring) {
    let standard = [HabitRecurring.Schedule.blocks: [0, 1, 4], .week: [0, 1], .phases: [0, 1, 2, 3, 4]]
    let cycle = settings.contexts ?? standard[settings.schedule] ?? []
    contexts = cycle.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    weekdays = settings.schedule == .week ? [0..<5, 5..<7] : nil
    let count = settings.visits ?? [.blocks: 12, .week: 104, .phases: cycle.count][settings.schedule] ?? 0
    let length = settings.visitDays ?? (settings.schedule == .blocks ? 28 : 60)
    let contexts = contexts
    visits = (0..<count).map { visit in
      let place = contexts.firstIndex(of: cycle[visit % cycle.count]) ?? 0
      guard settings.schedule == .week else {
        return Visit(context: place, days: visit * length..<(visit + 1) * length)
      }
      let monday = 7 * (visit / 2)
      return Visit(context: place, days: visit % 2 == 0 ? monday..<monday + 5 : monday + 5..<monday + 7)
    }
  }

  /// Days of the stream.
  var days: Int { visits.last?.days.upperBound ?? 0 }

  /// Whether a context, by its place, may be in force on a day counted from a Monday.
  func admits(_ context: Int, on day: Int) -> Bool { weekdays?[context].contains(day % 7) ?? true }

  /// How many visits before this one have the same context.
  func visitsBefore(_ visit: Int) -> Int { visits[..<visit].count { $0.context == visits[visit].context } }
}

extension HabitRecurring {
  /// - Throws: ``ScenarioError`` that names the parameter to change.
  public func check() throws(ScenarioError) {
    try checkSchedule()
    try HabitSize.check("users", users, days: burnIn + ContextPlan(self).days)
    try HabitSize.check("testUsers", testUsers, days: burnIn + testDays)
    try HabitSize.check("calibrationUsers", calibrationUsers, days: burnIn + HabitPhases().days)
    try HabitTargets(baseRate: baseRate, bayesAccuracy: bayesAccuracy).check(noise: noise)
    try operators.check(HabitFeatures.names, taskCount: ContextPlan(self).visits.count)
  }

  private func checkSchedule() throws(ScenarioError) {
    guard schedule == .week else { return }
    if let visitDays {
      throw ScenarioError(
        parameter: "visitDays",
        "\(visitDays) is given, and in a week visits last 5 and 2 days. Leave it out, or take \"blocks\".")
    }
    if let contexts, Set(contexts).count != 2 || contexts.count != 2 {
      throw ScenarioError(
        parameter: "contexts", "\(contexts) are no two contexts: one for weekdays, another for weekends.")
    }
  }
}
