import PalimpsestCore

/// What stands between the days of a habit and its learner, in some of the tasks. Each may be in force wherever the other is, and under any schedule: they
/// belong to the tasks' laws.
public struct HabitOperators: ParameterGroup {
  /// What is wrong with training labels.
  public var labelNoise = LabelNoise()
  /// What is not shown of rows.
  public var unavailable = UnavailableColumns()

  public init() {}

  /// - Parameter names: of a row's columns.
  /// - Throws: ``ScenarioError`` that names the parameter to change.
  func check(_ names: [String], taskCount: Int) throws(ScenarioError) {
    try labelNoise.check(taskCount: taskCount)
    try unavailable.check(names, taskCount: taskCount)
  }

  /// Rows to train on, as the learner gets them.
  func training(_ rows: Rows, task: Int, seed: Seed) -> Rows {
    labelNoise.given(unavailable.shown(rows, task: task), task: task, seed: seed)
  }

  /// Rows to be judged on: their labels are right.
  func test(_ rows: Rows, task: Int) -> Rows { unavailable.shown(rows, task: task) }

  /// Of those who see everything; not known of those who do not.
  func jointCeiling(_ ceiling: Double) -> Double { unavailable.takesFromLaw ? .nan : ceiling }
}
