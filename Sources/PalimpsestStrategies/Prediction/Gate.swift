import PalimpsestCore

/// Chooses a task's way for each row whose task is not known.
///
/// - `latest`: the task learned last;
/// - `entropy`: the task whose way gives the row the most certain answer, the lowest entropy of its outputs;
/// - `prototype`: the task one of whose class means lies nearest to the row, by its inputs.
///
/// - Memory: the inputs' columns as floats for each class of each task where `choice` is `prototype`. Time: a forward pass for each task
///   where it is `entropy`.
/// - Source: the task-inference rules of routed isolation; Wortsman et al. 2020 (entropy).
public struct Gate: WayChooser {
  public static let name = "gate"
  public static let summary = "Chooses the task whose way a row takes where its task is not known."
  public static let source = "Wortsman et al. 2020 (entropy); nearest class mean of the inputs (prototype)."

  /// How a task is chosen.
  public enum Choice: String, ParameterChoice {
    case latest, entropy, prototype
  }

  @Parameter(
    "Whether rows take the latest way, the one with the most certain answer, or that of the nearest class mean.")
  public var choice: Choice = .entropy

  /// Of each task that has ended the means of its classes.
  private var means: [Matrix] = []

  public init() {}

  public var bytes: Int { means.reduce(0) { $0 + 4 * $1.rows * $1.columns } }

  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    parts.contains { $0 is any Isolation }
      ? nil : "all tasks take one way; put an isolation such as \"adapters\" beside it."
  }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    guard choice == .prototype, ended.data.count > 0 else { return }
    means.append(Gate.classMeans(ended.data.batch))
  }

  public func choose(for inputs: Matrix, among ways: [Program], _ model: MLP) -> [Int] {
    switch choice {
    case .latest: return Array(repeating: ways.count - 1, count: inputs.rows)
    case .prototype:
      if means.isEmpty { return Array(repeating: ways.count - 1, count: inputs.rows) }
      return leastOf(means.prefix(ways.count).map { Gate.distances(inputs, $0) })
    case .entropy: return leastOf(ways.map { Gate.entropies(model.logits(inputs, $0)) })
    }
  }

  /// For each row the task with the least score, the first one on a tie.
  private func leastOf(_ scores: [[Double]]) -> [Int] {
    (scores.first?.indices ?? 0..<0).map { row in
      scores.indices.min { scores[$0][row] < scores[$1][row] } ?? 0
    }
  }

  private static func entropies(_ logits: Matrix) -> [Double] {
    var p = logits
    if p.columns == 1 { p.applySigmoid() } else { p.applySoftmax(over: 0..<p.columns) }
    return (0..<p.rows).map { row in
      let all = p.columns == 1 ? [p[row, 0], 1 - p[row, 0]] : p.row(row)
      return all.reduce(0) { $0 - ($1 > 0 ? Double($1) * Elementary.log(Double($1)) : 0) }
    }
  }

  /// To the nearest mean.
  private static func distances(_ inputs: Matrix, _ means: Matrix) -> [Double] {
    let centres = (0..<means.rows).map { FloatBuffer(means.row($0)) }
    return (0..<inputs.rows).map { row in
      centres.reduce(.infinity) { min($0, inputs.squaredDistance(row: row, to: $1)) }
    }
  }

  private static func classMeans(_ rows: Batch) -> Matrix {
    let labels = Set(rows.labels).sorted()
    return Matrix(
      labels.map { label in
        let members = (0..<rows.count).filter { rows.labels[$0] == label }
        return (0..<rows.columns).map { c in
          Float(members.reduce(0.0) { $0 + Double(rows.inputs[$1, c]) } / Double(members.count))
        }
      })
  }
}

extension Gate: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    guard let columns = limits.columns else { return nil }
    return means.allSatisfy { $0.columns == columns && $0.rows > 0 } ? nil : "class means that are no inputs"
  }
}
