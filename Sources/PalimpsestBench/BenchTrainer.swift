import PalimpsestCore

/// A composed learner in its second task, so that penalties have something to anchor to, and the feed of its batches: what
/// `palimpsest bench` times, and whose instructions `make counts` counts.
public struct BenchTrainer: Sendable {
  public private(set) var learner: ComposedLearner
  private var feed: BatchFeed
  private let experience: ExperienceInfo

  /// - Parameters:
  ///   - rows: of the first and the second task.
  ///   - warmUp: steps of each task that are taken at once.
  public init(_ net: BenchNet, _ variant: BenchVariant, _ rows: [Rows], warmUp: Int = 20) throws {
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

  /// Learns that many batches of the second task.
  public mutating func step(_ count: Int) { step(count, of: experience) }

  private mutating func step(_ count: Int, of experience: ExperienceInfo) {
    for _ in 0..<count {
      _ = feed.advance()
      _ = learner.learn(feed.batch, StepContext(experience: experience, epoch: feed.epoch, step: feed.step))
    }
  }

  // MARK: - Data

  /// Of each task.
  public static let rowCount = 8192

  public static func experience(_ index: Int, _ net: BenchNet) -> ExperienceInfo {
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
  public static func tasks(_ net: BenchNet) -> [Rows] { (0..<2).map { rows(net, experience: $0) } }

  /// Images are bytes, as they come from files; narrow rows are floats.
  public static func rows(_ net: BenchNet, experience: Int) -> Rows {
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
