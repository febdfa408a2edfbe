import PalimpsestCore

/// Which users of a task.
public enum HabitSet: String, Sendable {
  case training, test
}

/// The scenario ready to be drawn from: settings, and one calibrated law a task.
public struct HabitCourse: PreparedScenario {
  let settings: HabitPhases
  /// One a task: b0, γ and the coefficients.
  public let laws: [HabitLaw]
  /// J*; NaN where it was not asked for.
  public private(set) var jointCeiling = Double.nan

  init(_ settings: HabitPhases, _ laws: [HabitLaw]) {
    self.settings = settings
    self.laws = laws
  }

  public func makeStream(seed: Seed) -> any DriftStream { makeHabitStream(seed: seed) }

  /// The same for all seeds.
  public var outlook: StreamOutlook {
    StreamOutlook(
      shape: TaskShape(inputs: settings.columns + settings.operators.unavailable.masks.count, outputs: 1),
      experiences: laws.indices.map { task in
        ExperienceInfo(
          index: task, name: settings.taskName(task), outputs: 0..<1, seenOutputs: 0..<1,
          rows: settings.users * settings.days)
      })
  }

  /// The stream under its own type.
  /// - Cost: all rows of all tasks and the oracles on the test rows: some ten milliseconds by default.
  public func makeHabitStream(seed: Seed) -> HabitStream {
    let tasks = laws.indices
    return HabitStream(
      self, training: tasks.map { rows(.training, $0, seed) }, test: tasks.map { rows(.test, $0, seed) }, seed)
  }

  /// What a phone would have logged of a task's users: every feature and label of their rows follows from it, once a user has
  /// opened the app. The entries come user by user in order of time, from the first day of the burn-in on.
  /// - Parameter users: which of them; nil: all.
  public func events(_ set: HabitSet, task: Int, seed: Seed, users: Range<Int>? = nil) -> [HabitEvent] {
    let conduct = settings.conduct(settings.phases[task])
    let key = self.seed(set, task, seed)
    return (users ?? 0..<self.users(set)).flatMap { index in
      HabitLog(HabitUser(HabitDraws(key, user: index), conduct), index: index)
        .events(laws[task], days: settings.burnIn + settings.days)
    }
  }

  func estimatingJointCeiling() -> HabitCourse { with(jointCeiling: JointCeiling(self).estimate()) }

  func with(jointCeiling: Double) -> HabitCourse {
    var copy = self
    copy.jointCeiling = jointCeiling
    return copy
  }

  // MARK: - Users

  /// The seed of a task's users. It depends on the phase and on how often it came before, not on the task's place.
  func seed(_ set: HabitSet, _ task: Int, _ seed: Seed) -> Seed {
    let phase = settings.phases[task]
    return seed.derived("habit-" + set.rawValue, phase + HabitPhase.all.count * settings.visitsBefore(task))
  }

  func users(_ set: HabitSet) -> Int { set == .training ? settings.users : settings.testUsers }

  private func rows(_ set: HabitSet, _ task: Int, _ seed: Seed, users: Int? = nil) -> HabitRows {
    HabitRows(
      laws[task], settings.conduct(settings.phases[task]), seed: self.seed(set, task, seed),
      users: 0..<(users ?? self.users(set)), burnIn: settings.burnIn, days: settings.days, columns: settings.columns)
  }

  /// Rows that no run ever sees, one set a task, by users with evenly spread traits.
  func calibrationRows(users: Int, _ name: String) -> [HabitRows] {
    laws.indices.map { task in
      let phase = settings.phases[task]
      return HabitRows(
        laws[task], settings.conduct(phase), seed: Seed(0x68616269).derived(name, phase), users: 0..<users,
        burnIn: settings.burnIn, days: settings.days, columns: settings.columns, spreadsTraits: true)
    }
  }
}

/// A schedule that asks for more days of a phase than its people live goes on with further people.
extension HabitCourse: ComposableScenario {
  func rows(ofTask task: Int, _ count: Int, of stream: any DriftStream, seed: Seed) -> Rows {
    let people = (count + settings.days - 1) / settings.days
    let rows = settings.operators.training(
      rows(.training, task, seed, users: people).rows(experience: task), task: task, seed: seed)
    return rows.count == count ? rows : rows.selecting((0..<Int32(count)).map { $0 })
  }

  func remark(onRows count: Int, ofTask task: ExperienceInfo) -> String? { nil }

  func origins(of picks: [RowPick], from first: Int) -> StreamedOrigins? {
    HabitPeople(settings).origins(of: picks, from: first)
  }
}

extension HabitPhases {
  /// How many tasks before this one have the same phase.
  func visitsBefore(_ task: Int) -> Int { phases[..<task].count { $0 == phases[task] } }

  /// What a task is called: the phase, and the count of its visits from the second on.
  func taskName(_ task: Int) -> String {
    let name = HabitPhase.all[phases[task]].name
    let visits = visitsBefore(task)
    return visits == 0 ? name : "\(name) \(visits + 1)"
  }
}
