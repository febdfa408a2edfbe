/// Role: rows brought back. L(θ) sums over the new rows and the rows that `draw` appends.
///
/// Law: never more rows than the capacity (in rows or bytes) allows; what is drawn was inserted; the same seed gives the same
/// content. A memory stores rows, never places in a data set.
public protocol Memory: StrategyPart {
  /// Rows held.
  var count: Int { get }
  /// How its rows enter the loss.
  var replay: ReplayOptions { get }
  /// True where it looks at the network when it inserts or draws.
  static var looks: Bool { get }
  /// Offers the rows of a step, after the step; in epoch 0 of a task they are new. Rows carry the logits of the step's forward pass
  /// where a loss asks for stored answers. Allocates nothing once the memory is full.
  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random)
  /// Appends min(n, count) rows, drawn without replacement, to `batch`. Allocates nothing once `batch` has the room.
  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random)
  /// The same with a look at the network, for memories that have ``looks``; the others are asked without.
  mutating func insert(_ batch: Batch, _ context: StepContext, _ lender: inout Lender, using rng: inout Random)
  /// Appends rows for a step on `new` rows, with a look at the network as it is before the step: losses, features and gradients of
  /// candidates, also at moved parameters.
  mutating func draw(
    _ n: Int, for new: Batch, into batch: inout Batch, _ lender: inout Lender, using rng: inout Random)
}

extension Memory {
  public static var looks: Bool { false }

  public mutating func insert(
    _ batch: Batch, _ context: StepContext, _ lender: inout Lender, using rng: inout Random
  ) { insert(batch, context, using: &rng) }

  public mutating func draw(
    _ n: Int, for new: Batch, into batch: inout Batch, _ lender: inout Lender, using rng: inout Random
  ) { draw(n, into: &batch, using: &rng) }
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

  /// How new rows and one draw count, in task k.
  func shares(new: Int, stored: Int, task: Int) -> (new: Double, stored: Double) {
    switch weighing {
    case .joined:
      let all = Double(new + stored)
      return (Double(new) / all, Double(stored) / all)
    case .balanced: return (1 / Double(task), 1 - 1 / Double(task))
    case .added: return (1, beta)
    }
  }
}
