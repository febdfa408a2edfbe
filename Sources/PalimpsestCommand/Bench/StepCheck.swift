import Foundation
import Palimpsest
import PalimpsestBench
import PalimpsestCore

/// Sixty-four steps from weights and on rows that a rule makes: any program that computes the same thing ends at the same
/// loss. The rule stands in `Benchmarks/peers/README.md`.
struct StepCheck {
  private static let steps = 64
  private let net: BenchNet
  private let variant: BenchVariant

  /// Of the variants that draw nothing.
  static let variants: [BenchVariant] = [.sgd, .momentum, .adam, .ewc, .si]

  init(_ net: BenchNet, _ variant: BenchVariant) { (self.net, self.variant) = (net, variant) }

  /// - Throws: nothing for the variants above.
  func line() throws -> JSONValue {
    [
      "peer": "palimpsest", "net": JSONValue(net.name), "variant": JSONValue(variant.rawValue),
      "loss": JSONValue(try loss()),
    ]
  }

  /// The mean loss on the first batch after the steps.
  private func loss() throws -> Double {
    var learner = try ComposedLearner(setup, parts)
    let task = ExperienceInfo(
      index: 0, name: "check", outputs: 0..<net.outputs, seenOutputs: 0..<net.outputs, rows: BenchTrainer.rowCount)
    learner.begin(task)
    learner.start(from: values(.weights, learner.model))
    var settings = FeedSettings()
    (settings.batch, settings.steps, settings.drawing) = (net.batch, StepCheck.steps, .inOrder)
    let rows = rows
    var feed = BatchFeed([rows], settings, using: Seed(1).stream("order"))
    while feed.advance() {
      _ = learner.learn(feed.batch, StepContext(experience: task, epoch: feed.epoch, step: feed.step - 1))
    }
    var first = Batch(columns: net.inputs)
    first.append(rows, range: 0..<net.batch)
    return meanLoss(learner.predict(first.inputs, knowing: 0), first.labels)
  }

  private var setup: LearnerSetup {
    LearnerSetup(
      shape: TaskShape(inputs: net.inputs, outputs: net.outputs), hidden: net.hidden, optimizer: optimizer,
      seed: Seed(1))
  }

  private var optimizer: any Optimizer {
    var (sgd, momentum, adam) = (SGD(), Momentum(), Adam())
    (sgd.rate, momentum.rate, adam.rate) = (0.02, 0.002, 0.0002)
    switch variant {
    case .momentum: return momentum
    case .adam: return adam
    default: return sgd
    }
  }

  private var parts: [any StrategyPart] {
    guard variant == .ewc || variant == .si else { return [] }
    let model = setup.makeModel()
    return [RulePull(importance: values(.importance, model), anchor: values(.weights, model))]
  }

  // MARK: - The rule

  private enum Stream: UInt64 { case weights = 1, inputs, importance }

  /// A layer's weights, then its biases; gaps between tensors stay 0.
  private func values(_ stream: Stream, _ model: MLP) -> FloatBuffer {
    var draws = RuleDraws(stream.rawValue)
    var values = FloatBuffer(count: model.parameters.count)
    for layer in model.layers {
      let spread = Float((6 / Double(layer.inputs)).squareRoot())
      for i in layer.weightRange {
        let u = draws.next()
        values[i] = stream == .weights ? (2 * u - 1) * spread : u
      }
      guard stream == .importance, let biases = layer.biasRange else { continue }
      for i in biases { values[i] = draws.next() }
    }
    return values
  }

  private var rows: Rows {
    var draws = RuleDraws(Stream.inputs.rawValue)
    var inputs = FloatBuffer((0..<(BenchTrainer.rowCount * net.inputs)).map { _ in draws.next() })
    let labels = (0..<BenchTrainer.rowCount).map { Int32(inputs[$0 * net.inputs] * Float(max(2, net.outputs))) }
    inputs.withMutableSpan { span in for i in span.indices { span[i] = 2 * span[i] - 1 } }
    return Rows(
      table: Table(inputs, columns: net.inputs), experience: 0, places: (0..<Int32(BenchTrainer.rowCount)).map { $0 },
      labels: labels)
  }

  private func meanLoss(_ logits: Matrix, _ labels: [Int32]) -> Double {
    let losses = labels.indices.map { row in
      let z = logits.row(row).map(Double.init)
      if z.count == 1 { return log1p(exp(labels[row] == 1 ? -z[0] : z[0])) }
      return log(z.reduce(0) { $0 + exp($1) }) - z[Int(labels[row])]
    }
    return losses.reduce(0, +) / Double(labels.count)
  }
}

/// SplitMix64 (Steele, Lea & Flood 2014), the 24 high bits of each value as a number in [0, 1).
private struct RuleDraws {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> Float {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Float((z ^ (z >> 31)) >> 40) * 0x1p-24
  }
}

/// A pull whose importance is given, and the path that synaptic intelligence would keep.
private struct RulePull: Penalty, FusedPart {
  static let name = "rule-pull"
  static let summary = "A quadratic pull with given importance."
  static let source = "Benchmarks/peers/README.md."

  private var importance = FloatBuffer(count: 0)
  private var anchor = FloatBuffer(count: 0)
  private var path = FloatBuffer(count: 0)

  init() {}

  init(importance: FloatBuffer, anchor: FloatBuffer) {
    (self.importance, self.anchor, path) = (importance, anchor, FloatBuffer(count: importance.count))
  }

  var observesPath: Bool { true }

  private var pull: QuadraticPull { QuadraticPull(importance: importance, anchor: anchor, strength: 1) }

  func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    pull.add(at: parameters, to: &gradient)
  }

  mutating func observe(gradient: FloatBuffer, update: FloatBuffer) { path.subtractProduct(gradient, update) }

  mutating func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Double {
    pull.lend(to: step) { $0.path(&path, body) }
  }
}
