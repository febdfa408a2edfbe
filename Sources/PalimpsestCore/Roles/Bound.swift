/// Role: a reference that is no method but a limit: it may see rows again that a method may not, or start afresh.
///
/// Law: its rows are rows shown so far; after a restart the weights are fresh ones, and all of them are trained.
public protocol Bound: StrategyPart {
  func plan(for experience: Int) -> TrainingPlan
}

/// What a learner trains on in a task.
public struct TrainingPlan: Sendable, Equatable {
  public enum Rows: Sendable, Equatable {
    /// The task's own.
    case current
    /// Those of all tasks so far.
    case all
    /// None: the task is not learned.
    case none
  }

  public var rows: Rows
  /// Weights and optimiser start afresh.
  public var restarts: Bool
  /// Batches hold the configured number of rows times this.
  public var batchFactor: Int
  /// Earlier rows in a step of a stream where ``rows`` are all; nil: as many as there are new.
  public var draw: Int?

  public init(rows: Rows = .current, restarts: Bool = false, batchFactor: Int = 1, draw: Int? = nil) {
    self.rows = rows
    self.restarts = restarts
    self.batchFactor = batchFactor
    self.draw = draw
  }
}
