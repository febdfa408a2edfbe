import PalimpsestCore
import Testing

/// Steps small enough for a hand: three inputs, seven hidden units, tasks of a few random rows. With six outputs each
/// task has two of its own.
protocol SmallWorld {}

extension SmallWorld {
  func setup(outputs: Int) -> LearnerSetup {
    LearnerSetup(
      shape: TaskShape(inputs: 3, outputs: outputs), hidden: [7], activation: .tanh, initializer: .uniform,
      seed: Seed(4))
  }

  func info(_ task: Int, outputs: Int) -> ExperienceInfo {
    let own = outputs == 6 ? (2 * task)..<(2 * task + 2) : 0..<outputs
    return ExperienceInfo(index: task, name: "task \(task)", outputs: own, seenOutputs: 0..<own.upperBound, rows: 4)
  }

  func batch(_ labels: [Int32], task: Int) -> Batch {
    var rng = Seed(6).stream("rows", task)
    let inputs = Matrix(labels.map { _ in (0..<3).map { _ in Float(rng.normal()) } })
    return Rows(inputs, labels: labels, experience: task).batch
  }

  func run(_ learner: inout ComposedLearner, task: Int, outputs: Int = 3, _ batches: [Batch]) {
    let info = info(task, outputs: outputs)
    learner.begin(info)
    for (step, batch) in batches.enumerated() {
      _ = learner.learn(batch, StepContext(experience: info, epoch: 0, step: step))
    }
    learner.finish(info, revisiting: Rows(Matrix([[0, 0, 0]]), labels: [0], experience: task))
  }

  func target(_ learner: ComposedLearner) throws -> TargetKeeper {
    try #require(learner.parts.compactMap { $0 as? TargetKeeper }.first)
  }
}

/// Keeps what the losses were asked for last, and the derivative that the loss before it left.
struct TargetKeeper: OutputLoss {
  static let name = "target-keeper"
  static let summary = "Keeps the rows and outputs asked for."
  static let source = "For these tests."
  private(set) var labels: [Int32] = []
  /// The labels of every call so far.
  private(set) var calls: [[Int32]] = []
  private(set) var weights: [Float] = []
  private(set) var outputs = 0..<1
  private(set) var gradient: [Float] = []
  private(set) var columns = 0

  mutating func add(_ logits: Matrix, _ target: LossRows, to gradient: inout Matrix) -> Double {
    labels = target.labels
    calls.append(labels)
    weights = target.weights
    outputs = target.outputs
    columns = logits.columns
    self.gradient = gradient.values.array
    return 0
  }
}

/// Two outputs of its own for each task.
struct TwoOutputHeads: Isolation {
  static let name = "two-output-heads"
  static let summary = "A head of two outputs for each task."
  static let source = "For these tests."
  private(set) var heads: [DenseLayer] = []
  /// The hidden layer and earlier heads are trained too.
  var trunk = true

  init() {}
  init(trunk: Bool) { self.trunk = trunk }

  var isolatesPredictions: Bool { false }

  mutating func prepare(_ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random) -> ParameterMask {
    let head = model.addLayer("head", inputs: model.penultimateWidth, outputs: 2, isOutput: true, using: &rng)
    heads.append(head)
    return trunk ? .all(model.parameters.count) : ParameterMask(head.ranges)
  }

  func program(for experience: Int?, in model: MLP) -> Program {
    let task = min(experience ?? 0, heads.count - 1)
    return model.program(Route(layers: [model.layers[0], heads[task]], outputs: (2 * task)..<(2 * task + 2)))
  }
}
