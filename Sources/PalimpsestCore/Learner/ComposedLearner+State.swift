/// The learner of a composition as a checkpoint keeps it: network, parts, optimiser, tasks so far, mask, random streams and
/// the work counted. What the settings and the seed give again (fresh parts, buffers, passes) is left out.
extension ComposedLearner {
  private enum Field: String, CodingKey {
    case model, names, parts, optimizer, experiences, firstEpoch, mask, restarts, multiplyAdds, multiplyAddsOfParts,
      alarms
    case memoryRandom, isolationRandom, consolidationRandom, renewalRandom
  }

  public func saveState(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(model, forKey: .model)
    try fields.encode(names, forKey: .names)
    var list = fields.nestedUnkeyedContainer(forKey: .parts)
    for part in parts { try list.encode(part) }
    try fields.encode(roles.optimizer, forKey: .optimizer)
    try fields.encode(experiences, forKey: .experiences)
    try fields.encode(firstEpoch, forKey: .firstEpoch)
    try fields.encode(mask, forKey: .mask)
    try fields.encode(restarts, forKey: .restarts)
    try fields.encodeIfPresent(alarms == AlarmCount() ? nil : alarms, forKey: .alarms)
    try fields.encode(ledger.total(with: network.work).multiplyAdds, forKey: .multiplyAdds)
    try fields.encodeIfPresent(ledger.parts?.map(\.multiplyAdds), forKey: .multiplyAddsOfParts)
    try fields.encode(memoryRandom, forKey: .memoryRandom)
    try fields.encode(isolationRandom, forKey: .isolationRandom)
    try fields.encode(consolidationRandom, forKey: .consolidationRandom)
    try fields.encode(renewalRandom, forKey: .renewalRandom)
  }

  public mutating func restoreState(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let known = decoder.userInfo.knownLimits
    let names = try fields.decode([String].self, forKey: .names)
    guard names == self.names else { throw StateError("parts \(names) instead of \(self.names)", at: "names") }
    network = Network(try restored(fields.decode(MLP.self, forKey: .model)))
    experiences = try fields.decode([ExperienceInfo].self, forKey: .experiences)
    known.limits.parameters = model.parameters.count
    known.limits.tasks = experiences.count
    var list = try fields.nestedUnkeyedContainer(forKey: .parts)
    try restore(parts.map { try $0.restored(from: &list) })
    roles.optimizer = try roles.optimizer.restored(from: fields, forKey: .optimizer)
    // Files of earlier versions have none: their passes were counted from 0.
    firstEpoch = fields.contains(.firstEpoch) ? try fields.decode(Int?.self, forKey: .firstEpoch) : 0
    mask = try fields.decode(ParameterMask.self, forKey: .mask)
    restarts = try fields.decode(Int.self, forKey: .restarts)
    alarms = try fields.decodeIfPresent(AlarmCount.self, forKey: .alarms) ?? AlarmCount()
    ledger = Ledger(
      outside: Work(multiplyAdds: try fields.decode(Int.self, forKey: .multiplyAdds)),
      // Files of earlier versions have the sum alone.
      parts: try fields.decodeIfPresent([Int].self, forKey: .multiplyAddsOfParts)?.map { Work(multiplyAdds: $0) })
    memoryRandom = try fields.decode(Random.self, forKey: .memoryRandom)
    isolationRandom = try fields.decode(Random.self, forKey: .isolationRandom)
    consolidationRandom = try fields.decode(Random.self, forKey: .consolidationRandom)
    // Files of earlier versions have none: nothing was renewed.
    renewalRandom = try fields.decodeIfPresent(Random.self, forKey: .renewalRandom) ?? renewalRandom
    try check(within: known.limits)
    makeRoom()
  }

  private var names: [String] { (parts + [roles.optimizer]).map { type(of: $0).name } }

  /// A network that grew out of the one the settings make.
  private func restored(_ model: MLP) throws(StateError) -> MLP {
    let fresh = setup.makeModel()
    guard model.shape == fresh.shape, model.hidden == fresh.hidden, model.activation == fresh.activation,
      model.initializer == fresh.initializer, model.layers == fresh.layers,
      model.layout.blocks.starts(with: fresh.layout.blocks)
    else { throw StateError("the network is not one of the run's settings", at: "model") }
    return model
  }

  /// What the parts make of their state stays within the network and the tasks begun.
  private func check(within limits: StateLimits) throws(StateError) {
    let most = Int.max / 2
    guard (-most...most).contains(firstEpoch ?? 0) else { throw StateError("a first pass numbered \(firstEpoch ?? 0)") }
    guard (0...most).contains(restarts), (0...most).contains(ledger.outside.multiplyAdds) else {
      throw StateError("\(restarts) restarts and \(ledger.outside.multiplyAdds) multiply-adds")
    }
    if let problem = ledger.problem(parts: parts.count) { throw StateError(problem, at: "multiplyAddsOfParts") }
    if let problem = storedRows.problem(within: limits) { throw StateError(problem, at: "the stored rows") }
    guard let isolation = roles.isolation else { return }
    let tasks: [Int?] = [nil] + experiences.map(\.index)
    for task in tasks {
      guard let problem = isolation.program(for: task, in: model).problem(in: model) else { continue }
      throw StateError(problem, at: "the way of task \(task.map { "\($0)" } ?? "unknown")")
    }
  }

  /// Everything the memory may bring back.
  private var storedRows: Batch {
    var rows = Batch(columns: setup.shape.inputs)
    guard var memory = roles.memory else { return rows }
    var rng = memoryRandom
    memory.draw(memory.count, into: &rows, using: &rng)
    return rows
  }
}

extension StrategyPart {
  /// The part of the same type that stands next in the list, with the parameters of this one.
  fileprivate func restored(from list: inout any UnkeyedDecodingContainer) throws -> any StrategyPart {
    try sameSettings(list.decode(Self.self))
  }

  fileprivate func sameSettings(_ part: Self) throws(StateError) -> Self {
    guard part.parameters.map(\.value) == parameters.map(\.value) else {
      throw StateError("its parameters are not those of the run's settings", at: Self.name)
    }
    return part
  }
}

extension Optimizer {
  /// The optimiser of the same type that stands there, with the parameters of this one.
  fileprivate func restored<Key>(
    from fields: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> any Optimizer { try sameSettings(fields.decode(Self.self, forKey: key)) }
}
