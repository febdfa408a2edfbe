import PalimpsestCore

/// What a device keeps of a person's model: all but the shipped one, which it has anyway, and the rows, which it keeps by themselves.
extension PersonalModel {
  /// Raised when the form of the state changes.
  static let version = 1

  private enum Field: String, CodingKey {
    case version, policyName, safeguardName, hasBegun, personal, snapshot, candidate, window, policy, safeguard, counts,
      clock, update
  }

  /// The state as bytes: ``restore(_:)`` gives, from a model made with the same arguments, one that goes on with the same bits.
  /// - Throws: ``PalimpsestSettings/StateError`` where a learner cannot be saved.
  public func saved() throws -> [UInt8] { try StateEncoder.bytes { try saveState(to: $0) } }

  /// Becomes the one that was saved.
  /// - Throws: ``PalimpsestSettings/StateError`` for bytes that are not of such a model; this one is then as it was.
  public mutating func restore(_ bytes: [UInt8]) throws {
    var copy = self
    try StateDecoder.read(bytes, limits: StateLimits(shape)) { try copy.restoreState(from: $0) }
    self = copy
  }

  /// Writes all that the model has become.
  public func saveState(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(PersonalModel.version, forKey: .version)
    try fields.encode(type(of: policy).name, forKey: .policyName)
    try fields.encode(type(of: safeguard).name, forKey: .safeguardName)
    try fields.encode(hasBegun, forKey: .hasBegun)
    try personal.saveState(to: fields.superEncoder(forKey: .personal))
    try snapshot?.saveState(to: fields.superEncoder(forKey: .snapshot))
    try candidate?.saveState(to: fields.superEncoder(forKey: .candidate))
    try window?.saveState(to: fields.superEncoder(forKey: .window))
    try fields.encode(policy, forKey: .policy)
    try fields.encode(safeguard, forKey: .safeguard)
    try fields.encode(counts, forKey: .counts)
    try fields.encode(clock, forKey: .clock)
    try fields.encodeIfPresent(update, forKey: .update)
  }

  /// Writes the weights of the personal model in use: what tests compare.
  package func personalWeights(_ encoder: any Encoder) throws {
    guard let learner = personal as? ComposedLearner else { return try personal.saveState(to: encoder) }
    try learner.model.parameters.encode(to: encoder)
  }

  /// Becomes, from a model freshly made with the same arguments, the one that was saved.
  /// - Throws: ``PalimpsestSettings/StateError``; the model is then not to be used.
  public mutating func restoreState(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let version = try fields.decode(Int.self, forKey: .version)
    guard version == PersonalModel.version else {
      throw StateError("a state of version \(version); this is version \(PersonalModel.version)", at: "version")
    }
    for (key, name) in [(Field.policyName, type(of: policy).name), (.safeguardName, type(of: safeguard).name)] {
      let read = try fields.decode(String.self, forKey: key)
      guard read == name else { throw StateError("it is of \"\(read)\", not of \"\(name)\"", at: key.rawValue) }
    }
    hasBegun = try fields.decode(Bool.self, forKey: .hasBegun)
    /// A learner that is kept under a key.
    func learner(_ key: Field, like fresh: any Learner) throws -> (any Learner)? {
      guard fields.contains(key) else { return nil }
      var learner = fresh
      training.training.prepare(&learner)
      // What one learner knows of its tasks is nothing to another.
      decoder.userInfo.narrow(StateLimits(shape))
      try learner.restoreState(from: fields.superDecoder(forKey: key))
      return learner
    }
    personal = try learner(.personal, like: personal) ?? personal
    snapshot = try learner(.snapshot, like: personal)
    candidate = try learner(.candidate, like: personal)
    window = try learner(.window, like: shipped)
    policy = try sameSettings(policy, in: fields, .policy) as any UpdatePolicy
    safeguard = try sameSettings(safeguard, in: fields, .safeguard) as any Safeguard
    counts = try fields.decode(UpdateCounts.self, forKey: .counts)
    clock = try fields.decode(PersonalClock.self, forKey: .clock)
    update = try fields.decodeIfPresent(RunningUpdate.self, forKey: .update)
    feeds = []
    if let problem { throw StateError(problem) }
  }

  private func sameSettings<P: UpdatePolicy>(
    _ part: P, in fields: KeyedDecodingContainer<Field>, _ key: Field
  ) throws -> any UpdatePolicy {
    let read = try fields.decode(P.self, forKey: key)
    try check(read, part)
    return read
  }

  private func sameSettings<P: Safeguard>(
    _ part: P, in fields: KeyedDecodingContainer<Field>, _ key: Field
  ) throws -> any Safeguard {
    let read = try fields.decode(P.self, forKey: key)
    try check(read, part)
    return read
  }

  private func check<P: Part>(_ read: P, _ part: P) throws(StateError) {
    guard read.parameters.map(\.value) == part.parameters.map(\.value) else {
      throw StateError("its parameters are not those of the settings", at: P.name)
    }
  }

  /// What contradicts itself in a state that was read; nil: nothing.
  private var problem: String? {
    let most = Int.max / 2
    let numbers = [
      counts.due, counts.started, counts.finished, counts.accepted, counts.rejected, counts.rolledBack,
      counts.multiplyAdds, clock.rows, clock.rowsSinceUpdate,
    ]
    guard numbers.allSatisfy({ (0...most).contains($0) }) else { return "a count of \(numbers)" }
    guard clock.rowsSinceUpdate <= clock.rows else {
      return "\(clock.rowsSinceUpdate) of \(clock.rows) rows since the last update"
    }
    if safeguard.weights.count != safeguard.experts.count || !safeguard.weights.allSatisfy({ (0...1).contains($0) }) {
      return "weights \(safeguard.weights) of \(safeguard.experts.count) experts"
    }
    guard let update else { return nil }
    if candidate == nil || (update.isAtWindow && window == nil) { return "an update without its model" }
    guard update.number >= 0, (update.own + update.windowed).allSatisfy({ $0 >= 0 && Int($0) < clock.rows }),
      update.mixed.allSatisfy({ $0 >= 0 }), !update.own.isEmpty
    else { return "an update on rows that are not there" }
    return nil
  }
}
