import PalimpsestCore

/// The scenario ready to be drawn from: settings, and one calibrated law a context.
struct RecurringCourse: PreparedScenario {
  let settings: HabitRecurring
  let plan: ContextPlan
  /// One a context.
  let laws: [HabitLaw]
  /// J*; NaN where it was not asked for.
  private(set) var jointCeiling = Double.nan

  init(_ settings: HabitRecurring, _ laws: [HabitLaw]) {
    self.settings = settings
    self.laws = laws
    plan = ContextPlan(settings)
  }

  func with(jointCeiling: Double) -> RecurringCourse {
    var copy = self
    copy.jointCeiling = jointCeiling
    return copy
  }

  /// - Cost: the lives of all users, some ten milliseconds by default.
  func makeStream(seed: Seed) -> any DriftStream { RecurringStream(self, seed) }

  /// The same for all seeds.
  var outlook: StreamOutlook {
    let names = visited(plan.visits.map { HabitPhase.all[plan.contexts[$0.context]].name })
    return StreamOutlook(
      shape: TaskShape(inputs: 10 + settings.operators.unavailable.masks.count, outputs: 1),
      experiences: names.indices.map { task in
        ExperienceInfo(
          index: task, name: names[task], outputs: 0..<1, seenOutputs: 0..<1,
          rows: settings.users * plan.visits[task].days.count)
      })
  }

  /// How people of a context use their phones.
  func conduct(_ context: Int) -> HabitConduct { settings.phases.conduct(plan.contexts[context]) }

  /// The seed of the people in a context.
  func seed(_ set: HabitSet, _ context: Int, _ seed: Seed) -> Seed {
    seed.derived("recurring-" + set.rawValue, plan.contexts[context])
  }

  /// Calendar day of everybody's day 0: the stream begins on a Monday, 1 January.
  var firstDay: Int { (HabitCalendar.period - settings.burnIn % HabitCalendar.period) % HabitCalendar.period }

  /// The lives of a context's people through the whole stream.
  func lives(_ context: Int, _ seed: Seed) -> HabitRows {
    let firstDay = firstDay
    return HabitRows(
      laws[context], conduct(context), seed: self.seed(.training, context, seed), users: 0..<settings.users,
      burnIn: settings.burnIn, days: plan.days, columns: 10, firstDay: { _ in firstDay })
  }

  /// Days of other people in a context on which it may be in force, each person's from the Monday of a week of its own.
  func testRows(_ context: Int, _ seed: Seed, users: Int, spreadsTraits: Bool = false) -> HabitRows {
    let (plan, burnIn) = (plan, settings.burnIn)
    return HabitRows(
      laws[context], conduct(context), seed: seed, users: 0..<users, burnIn: burnIn, days: settings.testDays,
      columns: 10, spreadsTraits: spreadsTraits, firstDay: { HabitCalendar.monday($0, after: burnIn) }
    ) { plan.admits(context, on: $0) }
  }

  /// Whose the rows of ``testRows(_:_:users:spreadsTraits:)`` are, and on which of the person's days they arose.
  func testOrigins(_ context: Int) -> StreamedOrigins {
    let shown = (0..<settings.testDays).filter { plan.admits(context, on: $0) }
    let first = plan.contexts.count * settings.users + context * settings.testUsers
    let people = 0..<settings.testUsers
    return StreamedOrigins(
      owners: people.flatMap { index in shown.map { _ in Int32(first + index) } },
      times: people.flatMap { _ in shown.map { 86_400 * Int64($0) } })
  }

  /// J*, each context counted alike.
  var estimatedCeiling: Double {
    func sets(_ name: String) -> [HabitRows] {
      laws.indices.map { context in
        let seed = Seed(0x68616269).derived(name, plan.contexts[context])
        let users = max(1, JointCeiling.examples / (laws.count * settings.testDays))
        return testRows(context, seed, users: users, spreadsTraits: true)
      }
    }
    return JointCeiling(
      laws, training: sets("habit-ceiling-training"), test: sets("habit-ceiling-test"),
      bayesAccuracy: settings.bayesAccuracy
    ).estimate()
  }
}

/// Days since a Monday, 1 January, in years of 365 days.
enum HabitCalendar {
  /// Then weekday and day of the year come together again.
  static let period = 7 * 365

  /// The first of a person's days, so that the one behind the burn-in is the Monday of a week that the person's own number picks.
  static func monday(_ draws: HabitDraws, after burnIn: Int) -> Int {
    let monday = 7 * Int(draws.trait(.calendar) * 365)
    return (monday + period - burnIn % period) % period
  }
}
