import Palimpsest

/// A net of the benchmark, and its batch.
struct BenchNet {
  let name: String
  let inputs: Int
  let hidden: [Int]
  let outputs: Int
  let batch: Int

  static let all = [
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
enum BenchVariant: String, CaseIterable {
  case sgd, momentum, adam, ewc, si

  var optimizer: any Optimizer {
    switch self {
    case .momentum: Momentum()
    case .adam: Adam()
    case .sgd, .ewc, .si: SGD()
    }
  }

  var parts: [any StrategyPart] {
    switch self {
    case .ewc: [EWC()]
    case .si: [SynapticIntelligence()]
    case .sgd, .momentum, .adam: []
    }
  }
}

/// Steps a second over the repeats.
struct Rates {
  private let sorted: [Double]

  /// - Parameter values: at least one.
  init(_ values: [Double]) { sorted = values.sorted() }

  var median: Double { (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2 }
  var lowest: Double { sorted[0] }
  var highest: Double { sorted[sorted.count - 1] }
}

/// Times all variants of one net side by side.
struct Benchmark {
  /// Seconds a repeat takes at least.
  static let repeatSeconds = 0.05

  private var trainers: [(BenchVariant, BenchTrainer)]
  private let repeats: Int

  init(_ net: BenchNet, _ variants: [BenchVariant], repeats: Int) throws {
    self.repeats = repeats
    trainers = try variants.map { ($0, try BenchTrainer(net, $0)) }
  }

  /// One a variant. They take turns, so that a disturbance hits all of them.
  mutating func rates() -> [(BenchVariant, Rates)] {
    let steps = trainers.indices.map { trainers[$0].1.steps(taking: 1.2 * Benchmark.repeatSeconds) }
    var values = trainers.map { _ in [Double]() }
    for _ in 0..<repeats {
      for i in trainers.indices { values[i].append(Double(steps[i]) / trainers[i].1.seconds(for: steps[i])) }
    }
    return zip(trainers, values).map { ($0.0, Rates($1)) }
  }
}

/// A composed learner in its second task, so that penalties have something to anchor to, and the feed of its batches.
struct BenchTrainer {
  private var learner: ComposedLearner
  private var feed: BatchFeed
  private let experience: ExperienceInfo

  init(_ net: BenchNet, _ variant: BenchVariant) throws {
    let shape = TaskShape(inputs: net.inputs, outputs: net.outputs)
    let setup = LearnerSetup(shape: shape, hidden: net.hidden, optimizer: variant.optimizer, seed: Seed(1))
    learner = try ComposedLearner(setup, variant.parts)
    let first = BenchTrainer.experience(0, net)
    experience = BenchTrainer.experience(1, net)
    let rows = BenchTrainer.rows(net, experience: 0)
    feed = BenchTrainer.feed(rows, net)
    learner.begin(first)
    step(20, first)
    learner.finish(first, revisiting: rows.selecting((0..<256).map { Int32($0) }))
    learner.begin(experience)
    feed = BenchTrainer.feed(BenchTrainer.rows(net, experience: 1), net)
    step(20, experience)
  }

  /// How many steps take that long.
  mutating func steps(taking seconds: Double) -> Int {
    var steps = 1
    while true {
      let taken = self.seconds(for: steps)
      if taken > seconds / 4 { return max(1, Int((Double(steps) * seconds / taken).rounded(.up))) }
      steps *= 2
    }
  }

  /// Processor time of that many steps.
  mutating func seconds(for steps: Int) -> Double {
    let start = ThreadClock.seconds
    step(steps, experience)
    return ThreadClock.seconds - start
  }

  private mutating func step(_ count: Int, _ experience: ExperienceInfo) {
    for _ in 0..<count {
      _ = feed.advance()
      _ = learner.learn(feed.batch, StepContext(experience: experience, epoch: feed.epoch, step: feed.step))
    }
  }

  // MARK: - Data

  private static let rowCount = 8192

  private static func experience(_ index: Int, _ net: BenchNet) -> ExperienceInfo {
    ExperienceInfo(
      index: index, name: "task \(index)", outputs: 0..<net.outputs, seenOutputs: 0..<net.outputs, rows: rowCount)
  }

  private static func feed(_ rows: Rows, _ net: BenchNet) -> BatchFeed {
    var settings = FeedSettings()
    settings.batch = net.batch
    settings.steps = Int.max
    return BatchFeed([rows], settings, using: Seed(2).stream("order"))
  }

  /// Images are bytes, as they come from files; narrow rows are floats.
  private static func rows(_ net: BenchNet, experience: Int) -> Rows {
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

/// The machine's peak on one core: independent chains of multiply-adds that touch no memory.
enum MachinePeak {
  static func gigaflops(repeats: Int) -> Double {
    var iterations = 1000
    while seconds(iterations) < Benchmark.repeatSeconds { iterations *= 2 }
    return Rates((0..<repeats).map { _ in rate(iterations) }).median
  }

  private static func rate(_ iterations: Int) -> Double {
    let start = ThreadClock.seconds
    let operations = KernelTable.peakLoop(iterations: iterations)
    return operations / (ThreadClock.seconds - start) / 1e9
  }

  private static func seconds(_ iterations: Int) -> Double {
    let start = ThreadClock.seconds
    _ = KernelTable.peakLoop(iterations: iterations)
    return ThreadClock.seconds - start
  }
}
