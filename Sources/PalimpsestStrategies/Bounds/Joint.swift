import PalimpsestCore

/// Trains on the rows of all tasks so far: what a method could reach that forgets nothing.
///
/// In a stream a step's rows are the new ones and earlier ones, drawn from all whose labels have arrived.
///
/// - Cost: a task's epochs grow with the number of tasks; all rows are kept, and no method could claim that memory.
/// - Source: the usual upper reference ("joint", "offline", "multi-task" training).
public struct Joint: Bound {
  public static let name = "joint"
  /// 2: fresh weights are trained as a whole beside an isolation too.
  public static let revision = 2
  public static let summary = "Upper bound: trains on the rows of all tasks so far."
  public static let source = "The usual reference of the field; refitted from fresh weights, or trained on."

  @Parameter("Refit from fresh weights in each task instead of training on.") public var restart: Bool = true
  @Parameter("Batches hold the configured number of rows times the tasks so far.") public var growBatch: Bool = false

  /// At most 100,000: they are drawn with replacement, so the rows that a run has do not bound what a step holds.
  @Parameter(
    "In a stream: earlier rows drawn in a step; null draws as many as there are new rows.", .within(1...100_000))
  public var draw: Int? = nil

  public init() {}

  public func plan(for experience: Int) -> TrainingPlan {
    TrainingPlan(rows: .all, restarts: restart, batchFactor: growBatch ? experience + 1 : 1, draw: draw)
  }
}
