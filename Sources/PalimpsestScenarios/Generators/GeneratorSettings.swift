import PalimpsestCore

/// Rows and schedule of a scenario whose rows a generator makes. All of them share these parameters.
public struct GeneratorSettings: ParameterGroup {
  @Parameter("Rows to train on in a task.", .within(1...10_000_000)) public var rowsPerTask: Int = 2000
  @Parameter("Rows to judge a task on, drawn under its concept alone and never trained on.", .within(1...10_000_000))
  public var testRows: Int = 3000
  @Parameter("How a concept gives way to the next at a task's end: at once, or by chance over width rows.")
  public var transition: Transition = .abrupt
  @Parameter(
    "Rows that a sigmoid or linear transition takes, half of them on either side of the task's end; at most rowsPerTask.",
    .count)
  public var width: Int? = nil
  /// When concepts make rows, other than each in its task.
  public var schedule = ScheduleSettings()
  /// The one thing that differs between tasks.
  public var shift = ShiftSettings()
  @Parameter("Whether the task is told at test time.") public var identity: TaskIdentity = .hidden

  public init() {}

  /// With another number of rows by default.
  init(rowsPerTask: Int, testRows: Int = 3000) { (self.rowsPerTask, self.testRows) = (rowsPerTask, testRows) }

  /// What is known of tasks is known of pairs of them.
  private static let mostTasks = 1000
  /// Numbers in the rows of a stream at most: 1.6 GB.
  private static let mostNumbers = 400_000_000

  /// - Parameters:
  ///   - tasks: how many.
  ///   - columns: of a row.
  ///   - obstacle: why nothing stands between two concepts; nil: something does.
  /// - Throws: ``ScenarioError`` that names the parameter to change.
  func check(tasks: Int, columns: Int, obstacle: String?) throws(ScenarioError) {
    try checkTransition()
    if tasks > GeneratorSettings.mostTasks {
      throw ScenarioError("\(tasks) tasks are more than \(GeneratorSettings.mostTasks). List fewer concepts.")
    }
    let most = GeneratorSettings.mostNumbers / columns / tasks
    guard rowsPerTask + testRows > most else { return try schedule.check(scheduled(tasks, obstacle)) }
    throw ScenarioError(
      parameter: rowsPerTask > testRows ? "rowsPerTask" : "testRows",
      "\(tasks) tasks of \(rowsPerTask) + \(testRows) rows of \(columns) columns are more than "
        + "\(GeneratorSettings.mostNumbers) numbers. Take fewer rows.")
  }

  private func scheduled(_ tasks: Int, _ obstacle: String? = nil) -> ScheduleSettings.Stream {
    ScheduleSettings.Stream(
      taskRows: [Int](repeating: rowsPerTask, count: tasks), transition: transition, width: width,
      identity: identity, obstacle: obstacle)
  }

  private func checkTransition() throws(ScenarioError) {
    try schedule.check(transition, width: width, most: "rowsPerTask, \(rowsPerTask)")
    guard let width, schedule.name == nil, width > rowsPerTask else { return }
    throw ScenarioError(
      parameter: "width",
      "\(width) rows are more than the \(rowsPerTask) of a task. It must be at most rowsPerTask.")
  }

  /// Which of so many concepts makes which row. The settings have been checked.
  /// - Parameter seed: of the run.
  func course(tasks: Int, seed: Seed) -> any ConceptSchedule { schedule.course(scheduled(tasks), seed: seed) }

  /// Every row of a task is made by its own concept.
  var isPlain: Bool { schedule.name == nil && transition == .abrupt }
}

/// A scenario whose rows a generator makes: one concept a task.
///
/// Training rows are one sequence, numbered from the first task on: a row's draws depend on seed and number alone, its concept on
/// the schedule; a task's are its part of the sequence, whatever concepts made them. Test rows are drawn anew under the task's own concept, as it is when the task's rows have all been seen.
public protocol GeneratorScenario: Scenario {
  /// True where every seed draws concepts of its own.
  static var drawsConcepts: Bool { get }
  /// Why nothing stands between two of its concepts, as a sentence ends; nil: something does, and the generator heeds
  /// ``ConceptMoment/blend``.
  static var obstacleToBlending: String? { get }
  /// Rows and schedule.
  var rows: GeneratorSettings { get set }
  /// How many concepts, and how many columns a row has.
  var extent: (tasks: Int, columns: Int) { get }
  /// Judges what ``rows`` does not cover.
  /// - Throws: ``ScenarioError`` that names the parameter to change.
  func checkConcepts() throws(ScenarioError)
  /// The concepts in order, one a task unless an operator makes tasks of one of them. The settings have been checked.
  /// - Parameter seed: of the run; what it decides is which concepts are drawn, where any are.
  func generator(seed: Seed) -> any ConceptGenerator
}

extension GeneratorScenario {
  public static var drawsConcepts: Bool { false }
  public static var obstacleToBlending: String? { "nothing stands between two concepts of \(name)" }
  public func checkConcepts() throws(ScenarioError) {}
  public var outline: StreamOutline { StreamOutline(tasks: taskCount, trainingRows: rows.rowsPerTask) }

  /// One a concept, or what an operator makes of one of them.
  var taskCount: Int { rows.shift.tasks ?? extent.tasks }

  public func check() throws(ScenarioError) {
    try checkConcepts()
    try rows.shift.check(concepts: extent.tasks)
    // Strengths and priors lie between others whatever the concepts are.
    let obstacle = rows.shift.tasks == nil ? Self.obstacleToBlending : nil
    try rows.check(tasks: taskCount, columns: extent.columns, obstacle: obstacle)
    if rows.shift.operator != nil { try rows.shift.check(generator(seed: Seed(0)), named: Self.name) }
  }

  /// The laws of the tasks, in order.
  func laws(seed: Seed) -> any ConceptGenerator {
    let base = generator(seed: seed)
    if rows.shift.operator == nil { return base }
    return ShiftedLaw(base, rows.shift, drawsConcepts: Self.drawsConcepts)
  }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    return GeneratorCourse(self)
  }

  /// Of the law where it has numbers of its own, else on the test rows of seed 0.
  public var severity: ScenarioTruth? {
    (try? check()).flatMap { GeneratorCourse(self).truthOfSeedZero }
  }

  /// Judges numbers of concepts as files name them, from 1.
  /// - Throws: ``ScenarioError`` for a concept that does not exist.
  func checkNumbers(_ concepts: [Int], upTo count: Int, _ what: String) throws(ScenarioError) {
    guard let wrong = concepts.first(where: { !(1...count).contains($0) }) else { return }
    throw ScenarioError(parameter: "concepts", "\(wrong) is no \(what). There are 1 to \(count).")
  }
}

/// Names with the count of their visits from the second on: `θ 8`, `θ 9`, `θ 8 (2)`.
func visited(_ names: [String]) -> [String] {
  names.indices.map { place in
    let visits = names[...place].count { $0 == names[place] }
    return visits == 1 ? names[place] : "\(names[place]) (\(visits))"
  }
}
