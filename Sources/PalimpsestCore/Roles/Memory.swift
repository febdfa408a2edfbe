/// Role: rows brought back. L(θ) sums over the new rows and the rows that `draw` appends.
///
/// Law: never more rows than the capacity (in rows or bytes) allows; what is drawn was inserted; the same seed gives the same
/// content. A memory stores rows, never places in a data set.
public protocol Memory: StrategyPart {
  /// Rows held.
  var count: Int { get }
  /// How its rows enter the loss.
  var replay: ReplayOptions { get }
  /// Offers the rows of a step, after the step; in epoch 0 of a task they are new. Allocates nothing once the memory is full.
  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random)
  /// Appends min(n, count) rows, drawn without replacement, to `batch`. Allocates nothing once `batch` has the room.
  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random)
}

/// How stored rows join the loss: the same choice for every memory.
public struct ReplayOptions: ParameterGroup {
  /// How new and replayed rows are weighed against each other.
  public enum Weighing: String, ParameterChoice {
    /// One mean over the joined batch.
    case joined
    /// Mean over the new rows times 1/k plus mean over the stored rows times 1 − 1/k, in task k.
    case balanced
    /// Mean over the new rows plus β times the mean over the stored rows.
    case added
  }

  /// When replay begins.
  public enum Start: String, ParameterChoice {
    case firstStep = "first-step"
    case secondTask = "second-task"
  }

  @Parameter("Stored rows drawn in a step; null draws as many as there are new rows.", .count)
  public var draw: Int? = nil
  @Parameter(
    "How new and stored rows are weighed: one mean over both, 1/k and 1 - 1/k in task k, or new plus beta times stored."
  )
  public var weighing: Weighing = .joined
  @Parameter("Weight of the stored rows' mean where weighing is \"added\".", .atLeast(0))
  public var beta: Double = 1
  @Parameter("Whether stored rows are replayed from the first step or from the second task on.")
  public var start: Start = .firstStep

  public init() {}

  /// Sets the weights of a batch whose first rows are new and the others stored.
  func weigh(_ batch: inout Batch, new: Int, task: Int) {
    let stored = batch.count - new
    let (newShare, storedShare): (Double, Double) =
      switch weighing {
      case .joined: (Double(new) / Double(batch.count), Double(stored) / Double(batch.count))
      case .balanced: (1 / Double(task), 1 - 1 / Double(task))
      case .added: (1, beta)
      }
    batch.scaleWeights(0..<new, by: Float(newShare / Double(new)))
    batch.scaleWeights(new..<batch.count, by: Float(storedShare / Double(stored)))
  }
}
