import PalimpsestCore

/// Columns of a habit's rows that the learner is not shown in some of its tasks: a permission was revoked, a sensor is gone. They are 0, in test rows
/// too.
///
/// People live as they do, and p\* beside a row stays that of who sees everything. It is exact for the row as shown where the columns are none of the
/// law's (``HabitFeatures/namesInLaw``); else nobody who sees the row alone reaches it, and J\* is not known.
public struct UnavailableColumns: NestedParameters {
  /// Whether a row says what it does not show.
  public enum Mask: String, ParameterChoice {
    /// It does not: 0 may be a 0.
    case none
    /// A further column for each of the columns is 1 where that is not shown, in all tasks.
    case column
  }

  @Parameter("Columns that are 0, by their names; empty: none is.") public var columns: [String] = []
  @Parameter("Whether a further column for each of them says where it is not shown.") public var mask: Mask = .none
  @Parameter("Tasks in which they are, from 0; empty: in all.", .within(0...1999)) public var tasks: [Int] = []

  public init() {}

  /// Columns that a row has more.
  var masks: [String] { mask == .column ? columns.map { "\($0) unavailable" } : [] }

  /// What the law goes by is missing somewhere.
  var takesFromLaw: Bool { columns.contains { HabitFeatures.namesInLaw.contains($0) } }

  /// - Parameter names: of a row's columns.
  /// - Throws: ``ScenarioError`` that names the parameter to change.
  func check(_ names: [String], taskCount: Int) throws(ScenarioError) {
    if columns.isEmpty, let given = mask == .none ? (tasks.isEmpty ? nil : "tasks") : "mask" {
      throw ScenarioError(
        parameter: "unavailable.\(given)", "it counts where \"columns\" names some alone. Take it away, or name some.")
    }
    if let wrong = columns.first(where: { !names.contains($0) }) {
      throw ScenarioError(
        parameter: "unavailable.columns",
        "no column is called \"\(wrong)\"; they are called \(names.joined(separator: ", "))")
    }
    if let twice = columns.indices.first(where: { columns[..<$0].contains(columns[$0]) }) {
      throw ScenarioError(parameter: "unavailable.columns", "\"\(columns[twice])\" is there twice")
    }
    try checkTasks(tasks, of: taskCount, "unavailable.tasks")
  }

  /// Rows of a task as they are shown.
  func shown(_ rows: Rows, task: Int) -> Rows {
    let isInForce = !columns.isEmpty && (tasks.isEmpty || tasks.contains(task))
    guard isInForce || !masks.isEmpty else { return rows }
    let (own, hidden) = (rows.batch.inputs, columns.compactMap { HabitFeatures.names.firstIndex(of: $0) })
    var inputs = Matrix(rows: rows.count, columns: own.columns + masks.count)
    for row in 0..<rows.count {
      for column in 0..<own.columns where !isInForce || !hidden.contains(column) {
        inputs[row, column] = own[row, column]
      }
      if isInForce { for mask in masks.indices { inputs[row, own.columns + mask] = 1 } }
    }
    return Rows(
      inputs, .labels(rows.labels), experience: rows.experience, truth: rows.truth, owners: rows.owners,
      times: rows.times)
  }
}
