import PalimpsestCore

/// What is wrong with the labels that a habit's learner is given, in some of its tasks. What people do stays as it is: so do features, which follow
/// from it, and the labels of test rows.
///
/// p\* beside a row is that of the label as it is given, exactly: η + (1 − 2η) p\* of labels that are turned over, (1 − ρ) p\* of days kept that
/// nobody logs.
public struct LabelNoise: NestedParameters {
  public enum Kind: String, ParameterChoice {
    /// Turned over.
    case symmetric
    /// Days kept that nobody logs: 1 becomes 0, 0 stays.
    case missed
  }

  @Parameter(
    "What is wrong with training labels: some are turned over (symmetric), or days kept are not logged (missed); null: nothing."
  )
  public var kind: Kind? = nil
  @Parameter(
    "Share of the labels that are turned over (symmetric), or of the labels 1 that become 0 (missed); null: 0.1.",
    .within(0...1))
  public var rate: Double? = nil
  @Parameter("Tasks in which they are, from 0; empty: in all.", .within(0...1999)) public var tasks: [Int] = []

  public init() {}

  /// Nil where the task's labels are right.
  private func share(in task: Int) -> Double? {
    kind != nil && (tasks.isEmpty || tasks.contains(task)) ? rate ?? 0.1 : nil
  }

  /// - Throws: ``ScenarioError`` that names the parameter to change.
  func check(taskCount: Int) throws(ScenarioError) {
    if kind == nil, let given = rate == nil ? (tasks.isEmpty ? nil : "tasks") : "rate" {
      throw ScenarioError(
        parameter: "labelNoise.\(given)",
        "it counts where \"kind\" is \"symmetric\" or \"missed\" alone. Take it away, or say which.")
    }
    try checkTasks(tasks, of: taskCount, "labelNoise.tasks")
  }

  /// Training rows of a task with the labels that are given.
  /// - Parameter seed: of the run. A row's noise follows from it, the task and the row's number alone, and a higher rate leaves what a lower one
  ///   turned over.
  func given(_ rows: Rows, task: Int, seed: Seed) -> Rows {
    guard let share = share(in: task), share > 0 else { return rows }
    let draws = seed.derived("habit-label-noise", task)
    let labels = rows.labels.enumerated().map { row, label -> Int32 in
      guard kind == .symmetric || label == 1, draws.uniform(row, 0, 0) < share else { return label }
      return 1 - label
    }
    let truth = rows.truth?.map { p in
      Float(kind == .symmetric ? share + (1 - 2 * share) * Double(p) : (1 - share) * Double(p))
    }
    return Rows(
      table: rows.table, experience: rows.experience, places: rows.places, labels: labels,
      columnOrder: rows.columnOrder, truth: truth, owners: rows.owners, times: rows.times)
  }
}

/// - Throws: ``ScenarioError`` for a task that there is not.
func checkTasks(_ tasks: [Int], of count: Int, _ parameter: String) throws(ScenarioError) {
  guard let wrong = tasks.first(where: { $0 >= count }) else { return }
  throw ScenarioError(parameter: parameter, "\(wrong) is no task of \(count). There are 0 to \(count - 1).")
}
