import PalimpsestCore

/// How a run goes through a stream: every row is predicted, what the prediction was worth is recorded, then the row is learned.
///
/// The rows are those of the scenario's tasks, one task behind the other, each once.
public struct StreamSettings: Configurable {
  static let summary =
    "Runs go through a stream: each row is predicted, then learned. Without this key they go through tasks."

  /// What a learner is told of boundaries.
  public enum Boundaries: String, ParameterChoice {
    /// Nothing: the stream is one experience without an end.
    case none
    /// Where one of the scenario's tasks ends and the next begins.
    case given
    /// An alarm of the strategy's drift detector ends an experience; a strategy without one is told nothing.
    case detected
    /// Every so many rows, whatever happens there.
    case every
  }

  /// What a block counts.
  public enum BlockUnit: String, ParameterChoice { case rows, times }

  /// In which order a task's rows come.
  public enum Order: String, ParameterChoice {
    /// As the scenario has them: those of a table as they stand in the file, in the order of time where its column is named.
    case given
    /// Drawn anew by each seed.
    case shuffled
  }

  @Parameter("Rows, or moments, that are predicted together before the first of them is learned.", .count) public
    var block: Int = 1
  @Parameter("Whether a block is so many rows, or so many moments: all rows of one time stand together.")
  public var blockOf: BlockUnit = .rows
  @Parameter("Optimiser steps on the rows of a block.", .count) public var stepsPerBlock: Int = 1
  @Parameter("Which boundaries a learner is told: none, the tasks', its detector's alarms, or one every so many rows.")
  public var boundaries: Boundaries = .none
  @Parameter("Rows from boundary to boundary where boundaries is \"every\".", .count) public var every: Int = 1000
  @Parameter("Whether a task's rows come in the scenario's order or in one drawn from the seed.")
  public var order: Order = .given
  public var labels = LabelSettings()
  @Parameter("Rows of a window over which accuracy and loss are averaged.", .count) public var window: Int = 1000
  @Parameter("Rows behind a change of task in which a drift detector's alarm still counts as its detection.", .count)
  public var maxDelay: Int = 1000
  public var recovery = RecoverySettings()

  public init() {}
}

/// When a learner has recovered from a change: what the best rule has more, over a window, is small again. And how far around a blip
/// its reaction is looked for.
public struct RecoverySettings: NestedParameters {
  public enum Unit: String, ParameterChoice { case rows, days }

  @Parameter(
    "Mean regret over the window, at most; without p*: what the accuracy lies below that before the change.",
    .within(0...1))
  public var level: Double = 0.07
  @Parameter("Rows, or days, of the window.", .within(1...1_000_000)) public var window: Int = 100
  @Parameter("Rows behind a change over which its regret is summed, at most; null: up to the next change.", .count)
  public var horizon: Int? = nil
  @Parameter(
    "Rows, or days, before and behind a blip whose regret is compared; null: 500 rows, or 14 days.",
    .within(1...1_000_000))
  public var aroundBlips: Int? = nil
  @Parameter("Whether windows count rows, or days by the rows' times.") public var unit: Unit = .rows

  public var windowAroundBlips: Int { aroundBlips ?? (unit == .rows ? 500 : 14) }

  public init() {}
}

/// When the labels of a stream's rows arrive, and which do. Results count against the labels that are right, whatever arrives.
public struct LabelSettings: NestedParameters {
  public enum Unit: String, ParameterChoice { case rows, days }
  /// What all labels that never arrive have in common.
  public enum MissingBy: String, ParameterChoice { case row, user, `class` }

  @Parameter("How long after its row a label arrives; 0: before the next row is predicted.", .within(0...1_000_000_000))
  public var delay: Int = 0
  @Parameter("Whether the delay counts rows, or days by the rows' times.") public var unit: Unit = .rows
  @Parameter("Share of labels that never arrive.", .within(0...1)) public var missing: Double = 0
  @Parameter("Whether that is drawn for each row, each user or each class.") public var missingBy: MissingBy = .row
  @Parameter("Share of labels 1 that arrive as 0: what was done and not logged.", .within(0...1))
  public var loss: Double = 0

  public init() {}
}
