import PalimpsestCore
import PalimpsestPersonal

/// What is saved: all but the model that was shipped.
extension HabitLoop {
  private enum Field: String, CodingKey { case features, model, samples, ruleName, rule, evening, counts, cursor }

  /// The state as bytes.
  /// - Throws: `StateError` where a learner cannot be saved.
  public func saved() throws -> [UInt8] {
    try StateEncoder.bytes { try save(to: $0) }
  }

  private func save(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(features, forKey: .features)
    try model.saveState(to: fields.superEncoder(forKey: .model))
    try fields.encode(samples.bytes, forKey: .samples)
    try fields.encode(type(of: rule).name, forKey: .ruleName)
    try fields.encode(rule, forKey: .rule)
    try fields.encodeIfPresent(evening, forKey: .evening)
    try fields.encode(counts, forKey: .counts)
    try fields.encode(cursor, forKey: .cursor)
  }

  /// Becomes the one that was saved, whatever rule it had.
  /// - Throws: `StateError` for bytes that are not of such an app; this one is then as it was.
  public mutating func restore(_ bytes: [UInt8]) throws {
    var copy = self
    try StateDecoder.read(bytes, limits: StateLimits(HabitLoop.shape)) { try copy.restore(from: $0) }
    self = copy
  }

  private mutating func restore(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    features = try fields.decode(HabitFeatureBuilder.self, forKey: .features)
    try model.restoreState(from: fields.superDecoder(forKey: .model))
    samples = try SampleStore(
      reading: fields.decode([UInt8].self, forKey: .samples), expecting: .int8(columns: 10))
    let name = try fields.decode(String.self, forKey: .ruleName)
    guard let type = standardDecisionRules.first(where: { $0.name == name }) else {
      throw StateError("no rule is called \"\(name)\"", at: "ruleName")
    }
    rule = try HabitLoop.decoded(type, in: fields)
    evening = try fields.decodeIfPresent(Evening.self, forKey: .evening)
    counts = try fields.decode(LifeCounts.self, forKey: .counts)
    cursor = try fields.decode(Int.self, forKey: .cursor)
    if let problem { throw StateError(problem) }
  }

  private static func decoded<R: DecisionRule>(_ type: R.Type, in fields: KeyedDecodingContainer<Field>) throws -> R {
    try fields.decode(type, forKey: .rule)
  }

  private var problem: String? {
    if !samples.damage.isEmpty { return "\(samples.damage[0])" }
    guard counts.isSound, cursor >= 0 else { return "counts \(counts) at byte \(cursor) of the log" }
    guard let evening else { return nil }
    let isSound = evening.features.count == 10 && evening.features.allSatisfy { (0...1).contains($0) }
    guard isSound, (0..<1_000_000).contains(evening.day), evening.p.map({ (0...1).contains($0) }) ?? true else {
      return "a day \(evening.day) of \(evening.features)"
    }
    return nil
  }
}
