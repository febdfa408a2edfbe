import PalimpsestCore
import PalimpsestStrategies

/// A model that lives on a device: by day it predicts, at night it learns the day's rows. A 10-16-8-1 network with synaptic
/// intelligence and a reservoir of 100 rows.
///
/// - Memory: of fixed size but for about 30 bytes a night, what it has learned by name.
public struct NightLearner {
  private let seed: Seed
  private var learner: any Learner
  /// How many it has learned in.
  public private(set) var nights = 0

  /// One that has learned nothing yet.
  public init(seed: UInt64) throws {
    self.seed = Seed(seed)
    learner = try NightLearner.setup(self.seed).makeLearner(NightLearner.strategy)
  }

  private static func setup(_ seed: Seed) -> LearnerSetup {
    LearnerSetup(
      shape: TaskShape(inputs: 10, outputs: 1), hidden: [16, 8], optimizer: Adam(), resetsOptimizer: false, seed: seed)
  }

  private static var strategy: [any StrategyPart] {
    var (penalty, memory) = (SynapticIntelligence(), Reservoir())
    (penalty.strength, memory.limits.capacity) = (0.1, 100)
    return [penalty, memory]
  }

  /// The probability of yes, of ten numbers.
  public func probability(of row: [Float]) -> Double {
    Elementary.logistic(Double(learner.predict(Matrix([row]), knowing: nil)[0, 0]))
  }

  /// Learns a day's rows in twenty passes, stored ones beside them.
  public mutating func sleep(on rows: [[Float]], labels: [Int32]) {
    let night = ExperienceInfo(index: nights, name: "night", outputs: 0..<1, seenOutputs: 0..<1, rows: rows.count)
    let data = Rows(Matrix(rows), labels: labels, experience: nights)
    var settings = FeedSettings()
    (settings.epochs, settings.batch) = (20, 8)
    var feed = BatchFeed([data], settings, using: seed.stream("order", nights))
    learner.begin(night)
    while feed.advance() {
      let place = StepContext(experience: night, epoch: feed.epoch, step: feed.step - 1, steps: feed.steps)
      _ = learner.learn(feed.batch, place)
    }
    learner.finish(night, revisiting: data)
    nights += 1
  }

  private enum Field: String, CodingKey { case nights, learner }

  /// All that it has become: for a file of the app's own.
  public func saved() throws -> [UInt8] {
    try StateEncoder.bytes { encoder in
      var fields = encoder.container(keyedBy: Field.self)
      try fields.encode(nights, forKey: .nights)
      try learner.saveState(to: fields.superEncoder(forKey: .learner))
    }
  }

  /// The one that was saved: it goes on with the same bits.
  /// - Throws: `StateError` for bytes that are not of such a learner.
  public init(seed: UInt64, saved bytes: [UInt8]) throws {
    try self.init(seed: seed)
    let limits = StateLimits(NightLearner.setup(self.seed).shape)
    try StateDecoder.read(bytes, limits: limits) { decoder in
      let fields = try decoder.container(keyedBy: Field.self)
      nights = try fields.decode(Int.self, forKey: .nights)
      try learner.restoreState(from: fields.superDecoder(forKey: .learner))
    }
    if nights < 0 { throw StateError("\(nights) nights are none", at: "nights") }
  }
}
