import PalimpsestCore

/// Two years of a daily habit: strength grows with repetition, motivation drifts, seasons turn, people travel, fall ill and get tired of
/// reminders, and one day everybody's life changes.
///
/// The probability of a label follows from the person's state, of which a row shows a part: p* is exact, and no function of the row
/// reaches it. A day of the stream is a row of each person, and nothing says where anything begins.
///
/// - Rows: users a day. Test rows are other people's rows of the same days.
/// - Memory: 52 bytes a row.
public struct HabitSeasons: Scenario {
  public static let name = "habit-seasons"
  public static let summary =
    "Two years of a daily habit with seasons, trips, blips and one life event: does a learner follow the one and ignore the other?"
  public static let source = """
    Own generator: latent habit strength after Lally 2010, fatigue of prompts after Klasnja 2019, jet lag of 57 and 92 minutes a \
    day. Learners end within a point of each other: only the days around events tell them apart.
    """

  /// What a task is.
  public enum Tasks: String, ParameterChoice {
    /// Three months.
    case quarters
    /// What lies before the life event, and behind it.
    case event
    /// All days.
    case whole
  }
  /// Whether the best function of a row is looked for.
  public enum Hindsight: String, ParameterChoice { case estimate, none }

  @Parameter("People: rows of a day.", .within(1...100_000)) public var users: Int = 60
  @Parameter("Days of the stream, from 1 January on.", .within(14...10_000)) public var days: Int = 730
  @Parameter("Days lived before.", .within(0...364)) public var burnIn: Int = 60
  @Parameter("Other people to evaluate on.", .within(1...100_000)) public var testUsers: Int = 40
  @Parameter("What a task is: a quarter of a year, the time before or behind the life event, or all of it.")
  public var tasks: Tasks = .quarters
  @Parameter("Day of the life event for all; null: there is none.", .within(0...10_000)) public var lifeEvent: Int? =
    500
  @Parameter("First days of what keeps everybody from the habit for a while.", Bounds.within(0...10_000))
  public var blips: [Int] = [100, 225, 465, 590]
  @Parameter("Days that lasts.", .within(1...60)) public var blipDays: Int = 5
  @Parameter("A person's own blips of three to seven days, a year.", .within(0...12)) public var ownBlips: Double = 3
  @Parameter("A person's trips of ten days, eight hours east or west, a year.", .within(0...12)) public var trips:
    Double = 2
  @Parameter("A: what high summer adds and deep winter takes, before the factor 1.6.", .within(0...5))
  public var amplitude: Double = 0.6
  @Parameter("Share of the openness to reminders that fatigue leaves; 1: there is none.", .within(0...1))
  public var fatigueFloor: Double = 0.3
  @Parameter("Whether the task of an evaluated row is told; only methods that isolate tasks use it.")
  public var identity: TaskIdentity = .hidden
  @Parameter(
    "Whether a network learns from 300 other people over all days, as the best function of a row from below (some seconds, once)."
  )
  public var hindsight: Hindsight = .estimate

  public init() {}

  public var outline: StreamOutline {
    let parts = taskDays
    return StreamOutline(tasks: parts.count, trainingRows: users * (parts.map(\.days.count).max() ?? 0))
  }

  public func check() throws(ScenarioError) {
    try HabitSize.check("users", users, days: burnIn + days)
    try HabitSize.check("testUsers", testUsers, days: burnIn + days)
    try checkEvent()
    try checkBlips()
  }

  private func checkEvent() throws(ScenarioError) {
    if let lifeEvent, !(1..<days).contains(lifeEvent) {
      throw ScenarioError(
        parameter: "lifeEvent", "\(lifeEvent) is no day behind the first of \(days). Take 1 to \(days - 1), or null.")
    }
    if lifeEvent == nil && tasks == .event {
      throw ScenarioError(
        parameter: "tasks", "\"event\" cuts at the life event, and there is none. Set lifeEvent, or take \"quarters\".")
    }
  }

  private func checkBlips() throws(ScenarioError) {
    for (first, second) in zip(blips, blips.dropFirst()) where second < first + blipDays {
      throw ScenarioError(
        parameter: "blips", "\(second) begins before the blip of day \(first) has ended. List them in order, apart.")
    }
    if let last = blips.last, last + blipDays > days {
      throw ScenarioError(
        parameter: "blips", "\(last) + \(blipDays) days end behind the stream's \(days). Leave it out.")
    }
  }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    return SeasonCourse(self, hindsight == .estimate ? SeasonHindsight(self) : nil)
  }
}

/// What may be kept of a preparation: the parameters of the network that learned in hindsight.
extension HabitSeasons: CalibratedScenario {
  public var calibrationSettings: HabitSeasons {
    let standard = HabitSeasons()
    var copy = self
    (copy.users, copy.testUsers, copy.identity, copy.tasks) =
      (standard.users, standard.testUsers, standard.identity, standard.tasks)
    return copy
  }

  public func calibrate() throws -> [Double] {
    try check()
    return hindsight == .estimate ? SeasonHindsight(self)?.numbers ?? [] : []
  }

  public func prepared(by numbers: [Double]) throws -> (any PreparedScenario)? {
    try check()
    if hindsight == .none { return numbers.isEmpty ? SeasonCourse(self, nil) : nil }
    return SeasonHindsight(numbers: numbers).map { SeasonCourse(self, $0) }
  }
}

extension HabitSeasons {
  /// Names and days of the tasks.
  var taskDays: [(name: String, days: Range<Int>)] {
    switch tasks {
    case .whole: return [("all", 0..<days)]
    case .event:
      guard let lifeEvent, (1..<days).contains(lifeEvent) else { return [("all", 0..<days)] }
      return [("before", 0..<lifeEvent), ("behind", lifeEvent..<days)]
    case .quarters:
      let starts = (0...days / 365).flatMap { year in [0, 91, 182, 273].map { 365 * year + $0 } }.filter { $0 < days }
      let names = visited(starts.map { ["winter", "spring", "summer", "autumn"][$0 % 365 / 91] })
      return starts.indices.map { (names[$0], starts[$0]..<($0 + 1 < starts.count ? starts[$0 + 1] : days)) }
    }
  }
}
