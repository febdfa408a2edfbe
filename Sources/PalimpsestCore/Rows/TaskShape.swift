/// What a scenario's inputs and outputs look like, for the whole run.
public struct TaskShape: Sendable, Hashable {
  /// Columns of an input row.
  public let inputs: Int
  /// What the outputs stand for.
  public let target: TaskTarget

  public init(inputs: Int, target: TaskTarget) {
    precondition(inputs > 0 && target.outputs > 0, "\(inputs) inputs and \(target.outputs) outputs")
    precondition(target != .classes(1), "one class is none; one output for a yes or no is .binary")
    self.inputs = inputs
    self.target = target
  }

  /// Labelled rows: one output for a yes-or-no label, else as many as there are classes.
  public init(inputs: Int, outputs: Int) {
    self.init(inputs: inputs, target: outputs == 1 ? .binary : .classes(outputs))
  }

  /// Outputs of a network that is to solve every task.
  public var outputs: Int { target.outputs }

  /// One output is a logit of label 1 (logistic loss).
  public var isBinary: Bool { target == .binary }

  /// Memory of one row without owner, time or answers, in bytes: as ``Batch/rowBytes``.
  public var rowBytes: Int { 4 * (inputs + 1 + (target.hasLabels ? 1 : outputs)) }
}

extension TaskShape: Codable {
  private enum Field: String, CodingKey { case inputs, outputs, target }
  private enum Kind: String, Codable {
    case multiLabel = "multi-label"
    case values
  }

  /// Labelled rows need no word about their target.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: Field.self)
    try fields.encode(inputs, forKey: .inputs)
    try fields.encode(outputs, forKey: .outputs)
    switch target {
    case .binary, .classes: break
    case .multiLabel: try fields.encode(Kind.multiLabel, forKey: .target)
    case .values: try fields.encode(Kind.values, forKey: .target)
    }
  }

  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    let outputs = try fields.decode(Int.self, forKey: .outputs)
    inputs = try fields.decode(Int.self, forKey: .inputs)
    target =
      switch try fields.decodeIfPresent(Kind.self, forKey: .target) {
      case .multiLabel: .multiLabel(outputs)
      case .values: .values(outputs)
      case nil: outputs == 1 ? .binary : .classes(outputs)
      }
  }
}
