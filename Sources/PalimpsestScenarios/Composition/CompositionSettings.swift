import PalimpsestCore

/// When the tasks of a scenario are in force, other than each for the rows of its own. The habits and the scenarios over data sets
/// share these parameters; ``GeneratorSettings`` has the same ones for rows that a generator makes.
public struct CompositionSettings: ParameterGroup {
  @Parameter("How a task's law gives way to the next one's at the task's end: at once, or by chance over width rows.")
  public var transition: Transition = .abrupt
  @Parameter(
    "Rows that a sigmoid or linear transition takes, half of them on either side of the task's end; at most those of a task.",
    .count)
  public var width: Int? = nil
  /// When tasks' laws are in force, other than each for its task's rows.
  public var schedule = ScheduleSettings()

  public init() {}

  /// Every row of a task is its own.
  var isPlain: Bool { schedule.name == nil && transition == .abrupt }

  /// Judges what needs no rows.
  /// - Parameters:
  ///   - identity: whether the task of a judged row is told.
  ///   - obstacle: why nothing stands between two tasks, as a sentence ends.
  /// - Throws: ``ScenarioError`` that names the parameter to change.
  func checkAlone(_ identity: TaskIdentity, obstacle: String) throws(ScenarioError) {
    try schedule.check(transition, width: width, most: "those of a task")
    try schedule.checkAlone(stream([], identity, obstacle))
  }

  /// The same for tasks over a data set.
  /// - Throws: ``ScenarioError`` that names the parameter to change.
  func checkAlone(_ identity: TaskIdentity) throws(ScenarioError) {
    try checkAlone(identity, obstacle: CompositionSettings.dataObstacle)
  }

  /// Why a schedule cannot move parameters of rows that were found.
  static let dataObstacle = "rows of a data set have none"

  /// Judges everything.
  /// - Parameter taskRows: rows to train on, one number a task.
  /// - Throws: ``ScenarioError`` that names the parameter to change.
  func check(_ taskRows: [Int], _ identity: TaskIdentity, obstacle: String) throws(ScenarioError) {
    try checkAlone(identity, obstacle: obstacle)
    let stream = stream(taskRows, identity, obstacle)
    let shortest = taskRows.min() ?? 0
    if let width, schedule.name == nil, width > shortest {
      throw ScenarioError(
        parameter: "width",
        "\(width) rows are more than the \(shortest) of the shortest task. Take at most \(shortest).")
    }
    try schedule.check(stream)
  }

  /// Which of the tasks' laws is in force in which row. The settings have been checked.
  /// - Parameter seed: of the run.
  func course(_ taskRows: [Int], seed: Seed) -> any ConceptSchedule {
    schedule.course(stream(taskRows), seed: seed)
  }

  private func stream(
    _ taskRows: [Int], _ identity: TaskIdentity = .hidden, _ obstacle: String? = nil
  ) -> ScheduleSettings.Stream {
    ScheduleSettings.Stream(
      taskRows: taskRows, transition: transition, width: width, identity: identity, obstacle: obstacle)
  }
}
