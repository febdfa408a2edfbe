import Palimpsest

/// A net of the benchmark, and its batch.
package struct BenchNet {
  package let name: String
  let inputs: Int
  let hidden: [Int]
  let outputs: Int
  package let batch: Int

  package static let all = [
    BenchNet(name: "tiny", inputs: 10, hidden: [16, 8], outputs: 1, batch: 32),
    BenchNet(name: "small", inputs: 32, hidden: [64, 64], outputs: 8, batch: 32),
    BenchNet(name: "medium", inputs: 784, hidden: [256, 256], outputs: 10, batch: 128),
    BenchNet(name: "large", inputs: 784, hidden: [400, 400], outputs: 10, batch: 128),
  ]

  /// Floating-point operations a step cannot do without: forward, weight gradients, and input gradients of all layers but
  /// the first.
  var usefulOperations: Double {
    let widths = [inputs] + hidden + [outputs]
    let products = zip(widths, widths.dropFirst()).map { Double($0 * $1) }
    let all = products.reduce(0, +)
    return 2 * Double(batch) * (all + all + (all - products[0]))
  }
}

/// What is trained with.
package enum BenchVariant: String, CaseIterable {
  case sgd, momentum, adam, ewc, si, replay
  case ewcReplay = "ewc+replay"

  var optimizer: any Optimizer {
    switch self {
    case .momentum: Momentum()
    case .adam: Adam()
    case .sgd, .ewc, .si, .replay, .ewcReplay: SGD()
    }
  }

  var parts: [any StrategyPart] {
    switch self {
    case .ewc: [ewc]
    case .si: [SynapticIntelligence()]
    case .replay: [reservoir]
    case .ewcReplay: [ewc, reservoir]
    case .sgd, .momentum, .adam: []
    }
  }

  /// Passes over the net that a step takes: a replayed batch is as large as the new one.
  var batches: Double { self == .replay || self == .ewcReplay ? 2 : 1 }

  /// Weak enough not to diverge on labels that cannot be learned.
  private var ewc: EWC {
    var ewc = EWC()
    ewc.strength = 1
    return ewc
  }

  private var reservoir: Reservoir {
    var reservoir = Reservoir()
    reservoir.limits.capacity = 500
    return reservoir
  }
}

extension Bench {
  /// The whole trainer, all variants of a net side by side.
  func steps(_ report: (BenchLine) -> Void) throws {
    for net in nets {
      let rows = BenchTrainer.tasks(net)
      let trainers = try variants.map { ($0.rawValue, try BenchTrainer(net, $0, rows)) }
      time(
        .steps, net.name, unit: "steps/s", trainers, operations: { variants[$0].batches * net.usefulOperations }, report
      )
    }
  }
}

/// A composed learner in its second task, so that penalties have something to anchor to, and the feed of its batches.
package struct BenchTrainer: TimedWork {
  private(set) var learner: ComposedLearner
  private var feed: BatchFeed
  private let experience: ExperienceInfo

  /// - Parameters:
  ///   - rows: of the first and the second task.
  ///   - warmUp: steps of each task that are taken at once.
  package init(_ net: BenchNet, _ variant: BenchVariant, _ rows: [Rows], warmUp: Int = 20) throws {
    let shape = TaskShape(inputs: net.inputs, outputs: net.outputs)
    let setup = LearnerSetup(shape: shape, hidden: net.hidden, optimizer: variant.optimizer, seed: Seed(1))
    learner = try ComposedLearner(setup, variant.parts)
    let first = BenchTrainer.experience(0, net)
    experience = BenchTrainer.experience(1, net)
    feed = BenchTrainer.feed(rows[0], net)
    learner.begin(first)
    step(warmUp, of: first)
    learner.finish(first, revisiting: rows[0].selecting((0..<256).map { Int32($0) }))
    learner.begin(experience)
    feed = BenchTrainer.feed(rows[1], net)
    step(warmUp)
  }

  /// Processor time of that many steps.
  mutating func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    step(count)
    return ThreadClock.seconds - start
  }

  /// Learns that many batches of the second task.
  package mutating func step(_ count: Int) { step(count, of: experience) }

  private mutating func step(_ count: Int, of experience: ExperienceInfo) {
    for _ in 0..<count {
      _ = feed.advance()
      _ = learner.learn(feed.batch, StepContext(experience: experience, epoch: feed.epoch, step: feed.step))
    }
  }

  // MARK: - Data

  static let rowCount = 8192

  static func experience(_ index: Int, _ net: BenchNet) -> ExperienceInfo {
    ExperienceInfo(
      index: index, name: "task \(index)", outputs: 0..<net.outputs, seenOutputs: 0..<net.outputs, rows: rowCount)
  }

  private static func feed(_ rows: Rows, _ net: BenchNet) -> BatchFeed {
    var settings = FeedSettings()
    settings.batch = net.batch
    settings.steps = Int.max
    return BatchFeed([rows], settings, using: Seed(2).stream("order"))
  }

  /// Rows of two tasks.
  package static func tasks(_ net: BenchNet) -> [Rows] { (0..<2).map { rows(net, experience: $0) } }

  /// Images are bytes, as they come from files; narrow rows are floats.
  static func rows(_ net: BenchNet, experience: Int) -> Rows {
    var rng = Seed(3).stream("rows", experience)
    let classes = max(2, net.outputs)
    return Rows(
      table: net.inputs > 100 ? images(net, &rng) : numbers(net, &rng), experience: experience,
      places: (0..<rowCount).map { Int32($0) }, labels: (0..<rowCount).map { _ in Int32(rng.index(below: classes)) })
  }

  private static func images(_ net: BenchNet, _ rng: inout Random) -> Table {
    var bytes = [UInt8](repeating: 0, count: rowCount * net.inputs)
    for i in bytes.indices { bytes[i] = UInt8(truncatingIfNeeded: rng.next()) }
    return Table(bytes: bytes, columns: net.inputs)
  }

  private static func numbers(_ net: BenchNet, _ rng: inout Random) -> Table {
    var values = FloatBuffer(count: rowCount * net.inputs)
    for i in 0..<values.count { values[i] = Float(rng.normal()) }
    return Table(values, columns: net.inputs)
  }
}
