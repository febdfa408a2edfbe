/// What a network's outputs stand for.
public enum TaskTarget: Sendable, Hashable {
  /// One output, the logit of label 1.
  case binary
  /// So many outputs, one logit a class; a row has one label.
  case classes(Int)
  /// So many outputs, one logit a label; a row has any number of them, as values 0 and 1.
  case multiLabel(Int)
  /// So many outputs, which are the values themselves: regression.
  case values(Int)

  /// Outputs of a network that is to solve the task.
  public var outputs: Int {
    switch self {
    case .binary: 1
    case .classes(let count), .multiLabel(let count), .values(let count): count
    }
  }

  /// Answers that have a name: two where the one output is yes or no, else one an output.
  public var answers: Int { self == .binary ? 2 : outputs }

  /// A row has one label; otherwise it has a value for each output.
  public var hasLabels: Bool {
    switch self {
    case .binary, .classes: true
    case .multiLabel, .values: false
    }
  }
}

/// What is to be predicted of some rows.
public enum Targets: Sendable {
  /// One a row: the output that is right (0 or 1 where there is one output).
  case labels([Int32])
  /// rows × outputs: what each output is to be, or 0 and 1 where a row has any number of labels; NaN where it is not known,
  /// which counts nothing.
  case values(Matrix)

  public var count: Int {
    switch self {
    case .labels(let labels): labels.count
    case .values(let values): values.rows
    }
  }

  /// Those at some positions.
  func selecting(_ positions: [Int32]) -> Targets {
    switch self {
    case .labels(let labels): return .labels(positions.map { labels[Int($0)] })
    case .values(let values):
      return .values(values.selecting(positions))
    }
  }
}
