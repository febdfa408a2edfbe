import PalimpsestCore

/// The scenario ready to be drawn from: settings, and the calibrated law.
struct PermissionCourse: PreparedScenario {
  let settings: HabitPermissions
  let law: PermissionLaw

  init(_ settings: HabitPermissions, _ law: PermissionLaw) {
    self.settings = settings
    self.law = law
  }

  /// - Cost: some tenths of a second, most of it for the means over hidden hours.
  func makeStream(seed: Seed) -> any DriftStream { PermissionStream(self, seed) }

  /// The same for all seeds.
  var outlook: StreamOutlook {
    let names = visited(phases.map(\.name))
    return StreamOutlook(
      shape: TaskShape(inputs: 10, outputs: 1),
      experiences: names.indices.map { task in
        ExperienceInfo(
          index: task, name: names[task], outputs: 0..<1, seenOutputs: 0..<1, rows: settings.users * settings.days)
      })
  }

  var people: HabitPeople {
    HabitPeople(
      tasks: settings.phases.count, users: settings.users, testUsers: settings.testUsers, days: settings.days)
  }

  /// One a task.
  var phases: [PermissionPhase] { settings.phases.map { PermissionPhase.all[$0] } }

  /// The users of a task. They depend on the phase and on how often it came before, not on the task's place.
  func users(_ set: HabitSet, _ task: Int, _ seed: Seed) -> [PermissionUser] {
    let phase = settings.phases[task]
    let before = settings.phases[..<task].count { $0 == phase }
    let key = seed.derived("permissions-" + set.rawValue, phase + PermissionPhase.all.count * before)
    let count = set == .training ? settings.users : settings.testUsers
    return (0..<count).map { PermissionUser(HabitDraws(key, user: $0)) }
  }
}

/// The tasks of one seed.
struct PermissionStream: DriftStream {
  let shape: TaskShape
  let experiences: [ExperienceInfo]
  let truth: ScenarioTruth?
  private let training: [Rows]
  private let tests: [EvaluationSet]
  private let people: HabitPeople

  init(_ course: PermissionCourse, _ seed: Seed) {
    let outlook = course.outlook
    (shape, experiences) = (outlook.shape, outlook.experiences)
    let tasks = experiences.indices
    let people = course.people
    self.people = people
    training = tasks.map { PermissionRows(course, .training, $0, seed).rows }
    let tests = tasks.map { PermissionRows(course, .test, $0, seed) }
    self.tests = tests.map {
      let origins = people.testOrigins(ofTask: $0.task)
      return EvaluationSet(
        rows: $0.rows.with(owners: origins.owners, times: origins.times),
        knownExperience: course.settings.identity == .given ? $0.task : nil, candidates: 0..<1)
    }
    truth = PermissionOracles(course, tests).truth.with(distancesOf: self.tests)
  }

  func trainingRows(for experience: Int) -> Rows { training[experience] }
  func evaluationSet(for experience: Int) -> EvaluationSet { tests[experience] }
  func origins(for experience: Int) -> StreamedOrigins? {
    let rows = training[experience].count
    return people.origins(of: (0..<rows).map { RowPick(part: experience, row: $0) }, from: experience * rows)
  }

  var inputs: InputDescription? {
    InputDescription(columns: HabitFeatures.names.dropLast(2) + ["permissions", "calendarBusy"])
  }
}

/// The rows of one set of users in one task, user by user, day by day.
struct PermissionRows {
  let task: Int
  /// As they are shown.
  private(set) var features: [HabitFeatures] = []
  private(set) var labels: [Int32] = []
  /// Of the labels; labels that go missing are 0.
  private(set) var truth: [Double] = []

  init(_ course: PermissionCourse, _ set: HabitSet, _ task: Int, _ seed: Seed) {
    self.task = task
    let settings = course.settings
    let phase = course.phases[task]
    let lost = set == .training && phase.losesLabels ? settings.missedLogging : 0
    for user in course.users(set, task, seed) {
      var life = PermissionLife(user, course.law)
      for _ in 0..<settings.burnIn { _ = life.next() }
      for day in settings.burnIn..<settings.burnIn + settings.days {
        let step = life.next()
        let x = phase.shown(step.features, marksMask: settings.mask == .column)
        features.append(x)
        labels.append(step.isCompletedNextDay && !user.isLost(day + 1, share: lost) ? 1 : 0)
        truth.append((1 - lost) * course.law.probability(x, shownBy: phase))
      }
    }
  }

  /// The same as a learner gets them.
  var rows: Rows {
    var inputs = FloatBuffer(count: 10 * features.count)
    inputs.withMutableSpan { span in
      for (row, x) in features.enumerated() { x.write(to: &span, at: 10 * row, columns: 10) }
    }
    return Rows(
      table: Table(inputs, columns: 10), experience: task, places: (0..<Int32(labels.count)).map { $0 }, labels: labels,
      truth: truth.map { Float($0) })
  }
}
