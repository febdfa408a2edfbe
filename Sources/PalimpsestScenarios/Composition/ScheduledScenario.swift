import PalimpsestCore

/// A scenario whose tasks can be composed through time: each has rows of its own to give, as many as a schedule asks for.
protocol ComposableScenario: PreparedScenario {
  /// The first rows of a task's law: those that the task has to train on, in their order, then further ones.
  /// - Parameter stream: the scenario's own of this seed.
  /// - Returns: exactly `count` rows.
  func rows(ofTask task: Int, _ count: Int, of stream: any DriftStream, seed: Seed) -> Rows
  /// What a row beyond those that the task has to train on is; nil: a new one. A sentence about the task begins with what it is told.
  func remark(onRows count: Int, ofTask task: ExperienceInfo) -> String?
  /// Whose rows are and when they arise in the stream, where they do not say it themselves.
  /// - Parameters:
  ///   - picks: laws by their tasks, and rows of theirs.
  ///   - first: the number of the first of them in the stream.
  func origins(of picks: [RowPick], from first: Int) -> StreamedOrigins?
}

/// A scenario that knows what was logged behind the rows of each task's law.
protocol RowLoggingScenario: ComposableScenario {
  /// The log behind some of the rows of a task's law: parts of it that follow each other are whole lives together.
  func loggedEvents(ofTask task: Int, rows: Range<Int>, seed: Seed) -> [LoggedEvent]
}

extension ScheduledScenario: LoggingScenario where Base: RowLoggingScenario {
  /// Law by law, what was logged since the task before, as far as its rows go.
  func loggedEvents(task: Int, seed: Seed) -> [LoggedEvent] {
    let course = TaskCourse(base.outlook.experiences.map(\.rows), composition, seed)
    return course.counts.indices.flatMap { law -> [LoggedEvent] in
      let rows = course.picks[task].filter { $0.part == law }.map(\.row)
      guard let first = rows.first, let last = rows.last else { return [] }
      return base.loggedEvents(ofTask: law, rows: first..<last + 1, seed: seed)
    }
  }
}

extension ComposableScenario {
  /// The rows that the task has, and when they are used up the same ones anew, each time in another random order.
  func rows(ofTask task: Int, _ count: Int, of stream: any DriftStream, seed: Seed) -> Rows {
    let own = stream.trainingRows(for: task)
    var positions: [Int32] = []
    var round = 0
    while positions.count < count {
      var next = (0..<Int32(own.count)).map { $0 }
      var rng = seed.derived("shown-again", task).stream("order", round)
      if round > 0 { rng.shuffle(&next) }
      positions += next.prefix(count - positions.count)
      round += 1
    }
    return own.selecting(positions)
  }

  func origins(of picks: [RowPick], from first: Int) -> StreamedOrigins? { nil }

  func remark(onRows count: Int, ofTask task: ExperienceInfo) -> String? {
    guard count > task.rows else { return nil }
    return "the schedule shows \(count) rows of task \"\(task.name)\", which has \(task.rows): "
      + "they come again, in another order each time"
  }

  /// The same tasks composed through time.
  /// - Throws: ``ScenarioError`` where the settings do not fit the tasks' rows.
  func composed(
    _ composition: CompositionSettings, _ identity: TaskIdentity, obstacle: String
  ) throws(ScenarioError) -> any PreparedScenario {
    if composition.isPlain { return self }
    try composition.check(outlook.experiences.map(\.rows), identity, obstacle: obstacle)
    return ScheduledScenario(base: self, composition: composition)
  }
}

extension ComposableScenario {
  /// Tasks over a data set.
  /// - Throws: ``ScenarioError`` where the settings do not fit the tasks' rows, or the rows would not fit into memory.
  func composed(_ composition: CompositionSettings, _ identity: TaskIdentity) throws(ScenarioError)
    -> any PreparedScenario
  {
    try composed(composition, identity, obstacle: CompositionSettings.dataObstacle)
  }

  /// Tasks over a data set that show the same rows in different ways: composed ones are copied.
  /// - Parameters:
  ///   - columns: of a row, as the tasks show it.
  ///   - bytes: of a value.
  /// - Throws: ``ScenarioError`` where the settings do not fit the tasks' rows, or the rows would not fit into memory.
  func copied(
    _ composition: CompositionSettings, _ identity: TaskIdentity, columns: Int, bytes: Int
  ) throws(ScenarioError) -> any PreparedScenario {
    let composed = try composed(composition, identity)
    if composition.isPlain { return composed }
    let rows = outlook.experiences.reduce(0) { $0 + $1.rows }
    let most = mostCopiedBytes / (columns * bytes)
    guard rows > most else { return composed }
    throw ScenarioError(
      parameter: "rowsPerTask",
      "a schedule copies the rows that it shows, and \(rows) rows of \(columns * bytes) bytes are more than "
        + "\(mostCopiedBytes / 1_000_000) MB. Take at most \(most / outlook.experiences.count).")
  }
}

/// Of the rows of a composed stream: 1.6 GB.
private let mostCopiedBytes = 1_600_000_000

/// A scenario whose tasks are composed through time by a schedule: as many tasks and rows, and the same test rows, but a row of a task
/// is of the law that the schedule puts in force there.
struct ScheduledScenario<Base: ComposableScenario>: PreparedScenario {
  let base: Base
  let composition: CompositionSettings

  func makeStream(seed: Seed) -> any DriftStream { scheduled(seed) }

  func scheduled(_ seed: Seed) -> ScheduledStream {
    let own = base.makeStream(seed: seed)
    let course = TaskCourse(own.experiences.map(\.rows), composition, seed)
    return ScheduledStream(
      own, course, origins: { base.origins(of: $0, from: $1) },
      rows: { base.rows(ofTask: $0, $1, of: own, seed: seed) })
  }

  /// Shape and rows are the scenario's own; outputs are those of the laws whose rows a task shows, of seed 0.
  var outlook: StreamOutlook {
    let own = base.outlook
    let course = TaskCourse(own.experiences.map(\.rows), composition, Seed(0))
    return StreamOutlook(shape: own.shape, experiences: course.shown(own.experiences))
  }

  /// What the scenario says, and which rows of seed 0 come again.
  var remarks: [String] {
    let tasks = base.outlook.experiences
    let counts = TaskCourse(tasks.map(\.rows), composition, Seed(0)).counts
    return base.remarks + zip(counts, tasks).compactMap { base.remark(onRows: $0, ofTask: $1) }
  }
}

/// Which task's law makes which row of a composed stream, and which of that law's rows it is.
struct TaskCourse: Sendable {
  /// One list a task of the stream, one pick a row; parts are laws, by their tasks.
  let picks: [[RowPick]]
  /// How many rows of each law are shown.
  let counts: [Int]
  let events: [DriftEvent]
  /// No row is left to chance: what the schedule tells of a row is its law.
  let isTold: Bool

  /// - Parameters:
  ///   - taskRows: rows of each task.
  ///   - seed: of the run.
  /// - Cost: a row's shares, one by one.
  init(_ taskRows: [Int], _ composition: CompositionSettings, _ seed: Seed) {
    let schedule = composition.course(taskRows, seed: seed)
    let draws = seed.derived("composition")
    var counts = [Int](repeating: 0, count: taskRows.count)
    var isTold = true
    var row = 0
    picks = taskRows.map { rows in
      (0..<rows).map { _ in
        let task = schedule.concept(at: row, drawing: RowDraws(draws, row: row).uniform(.concept))
        if isTold { isTold = schedule.parts(at: row).count == 1 }
        defer { (counts[task], row) = (counts[task] + 1, row + 1) }
        return RowPick(part: task, row: counts[task])
      }
    }
    (self.counts, self.isTold) = (counts, isTold)
    events = schedule.events(in: row)
  }

  /// The tasks with the outputs of the laws whose rows they show.
  func shown(_ tasks: [ExperienceInfo]) -> [ExperienceInfo] {
    var seen = 0
    return tasks.map { task in
      let outputs = Set(picks[task.index].map(\.part)).map { tasks[$0].outputs }
      let (least, end) = (outputs.map(\.lowerBound).min() ?? 0, outputs.map(\.upperBound).max() ?? 0)
      seen = max(seen, end)
      return ExperienceInfo(
        index: task.index, name: task.name, outputs: least..<end, seenOutputs: 0..<seen, rows: task.rows)
    }
  }
}
