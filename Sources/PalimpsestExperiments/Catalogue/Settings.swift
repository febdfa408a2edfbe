import PalimpsestCore

/// The network of every strategy.
public struct ModelSettings: Configurable {
  @Parameter("Width of each hidden layer; an empty list gives a linear model.", .width)
  public var hidden: [Int] = [16, 8]
  @Parameter("Nonlinearity after each hidden layer.") public var activation: Activation = .relu
  @Parameter("How weights start: He's normal, Glorot's uniform, or uniform ±1/√fan-in (biases too).")
  public var initializer: Initializer = .he

  public init() {}
}

/// How every strategy is trained. The optimiser is a component of its own beside these.
public struct TrainingSettings: Configurable {
  public var feed = FeedSettings()
  @Parameter("The first so many tasks of the scenario alone; null: all.", .count) public var tasks: Int? = nil
  @Parameter("Whether the optimiser forgets its state when a task begins.") public var resetOptimizer: Bool = true
  @Parameter(
    "Outputs that take part in a row's loss: all, those of the tasks seen so far, or those of the row's own task.")
  public var outputs: OutputRule = .all

  public init() {}
}

/// When and what is evaluated.
///
/// ``every`` and ``metrics`` have one value each. They stay: files name them, and their columns, `evaluation_every` and
/// `evaluation_metrics`, are names of `results/1`, which no later version takes away.
public struct EvaluationSettings: Configurable {
  public enum Every: String, ParameterChoice { case experience }
  public enum CurveTasks: String, ParameterChoice { case seen, all }
  public enum Metrics: String, ParameterChoice { case all }
  /// What is looked for beside accuracies.
  public enum ProbeKind: String, ParameterChoice {
    /// How far probabilities hold (`brier`, `calibration_error`).
    case calibration
    /// Which answers have turned with a task (`negative_flips`).
    case flips
    /// Whom a learner fails (`class_accuracy`, `user_test_accuracy`).
    case slices
    /// What has become of the hidden units (`dormant_units`, `effective_rank`).
    case units
    /// How far hidden layers are as they were a task before (`similarity`).
    case similarity
    /// How well a task that is never in the stream is learned from the weights at hand (`fresh_loss`).
    case fresh
  }

  /// Whose numbers are kept of runs that go on with people.
  public enum Users: String, ParameterChoice { case all, summary }

  @Parameter("All tasks are evaluated before the first and after every task.") public var every: Every = .experience
  @Parameter("Evaluate within tasks too, every that many steps (curve_accuracy); null: not.", .count)
  public var everySteps: Int? = nil
  @Parameter(
    "Judge a stream's learner on every task's test rows too, every that many rows (curve_accuracy) and where a task ends (accuracy); null: not.",
    .count)
  public var everyRows: Int? = nil
  @Parameter("Tasks evaluated within tasks: those begun so far, or all.") public var curveTasks: CurveTasks = .seen
  @Parameter(
    "Share of each task's training rows that is kept from training and evaluated on in place of the test rows; null: none.",
    .between(0, 1))
  public var heldOut: Double? = nil
  @Parameter(
    "What is probed after each task beside accuracies: calibration, flips of answers, slices by label and user, hidden units, similarity of layers, learning of a fresh task; none by itself."
  )
  public var probes: [ProbeKind] = []
  @Parameter(
    "With personal: whether each person's own numbers are kept (all) or only what they come to together (summary); null: each one's where there are 10,000 at most."
  )
  public var users: Users? = nil
  @Parameter("Metrics computed from the matrices.") public var metrics: Metrics = .all

  public init() {}
}
