/// What checkpoints keep of a way: its steps. Slots follow from them.
extension Program: Codable {
  private enum Field: String, CodingKey { case inputs, outputs, steps }

  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(widths[0], forKey: .inputs)
    try fields.encode(outputs, forKey: .outputs)
    try fields.encode(steps, forKey: .steps)
  }

  /// - Throws: ``PalimpsestSettings/StateError`` where a step reads or writes a slot that is not there.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    try self.init(
      inputs: fields.decode(Int.self, forKey: .inputs), outputs: fields.decode(Range<Int>.self, forKey: .outputs))
    for step in try fields.decode([Step].self, forKey: .steps) {
      guard take(step) else { throw StateError("step \(steps.count) of a way is not one behind the others") }
    }
  }

  /// Appends a step as it stands.
  /// - Returns: false where its slots are not the ones that come next.
  private mutating func take(_ step: Step) -> Bool {
    let slots = widths.indices
    switch step {
    case .dense(let dense):
      guard slots.contains(dense.source), dense.accumulates ? slots.contains(dense.target) : true else { return false }
      return self.dense(
        dense.layer, from: dense.source, onto: dense.accumulates ? dense.target : nil, dense.activation) == dense.target
    case .copy(let source, let target): return slots.contains(source) && copy(source) == target
    case .gate(let source, let target, let place, let accumulates):
      guard slots.contains(source), accumulates ? slots.contains(target) : true else { return false }
      return gate(source, at: place, onto: accumulates ? target : nil) == target
    case .scale(let slot, let factor):
      guard slots.contains(slot) else { return false }
      scale(slot, by: factor)
      return true
    }
  }
}
