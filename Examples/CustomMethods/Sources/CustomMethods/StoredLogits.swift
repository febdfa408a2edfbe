import Palimpsest

/// DER++: a first draw from memory by its labels, weighed β, a second one held to the logits its rows were stored with, weighed α.
///
/// It has memories keep logits, and says how often rows are drawn and what they count.
/// - Memory: 4 bytes an output and stored row, in the memory. Time: the passes of both draws.
public struct StoredLogits: OutputLoss {
  public static let name = "stored-logits"
  public static let summary = "Replays rows by their labels, and others by the logits they had."
  public static let source = "Buzzega et al., \"Dark experience for general continual learning\", NeurIPS 2020."

  @Parameter("Weight α of the squared distance to stored logits.", .atLeast(0)) public var alpha: Double = 0.5
  @Parameter("Weight β of the draw by labels.", .atLeast(0)) public var beta: Double = 0.5

  public init() {}

  public var views: LossViews { .answers }
  public var shares: ReplayShares? { ReplayShares(draws: [beta, 0]) }

  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    parts.contains { $0 is any Memory } ? nil : "it needs stored rows; put a memory such as \"reservoir\" beside it."
  }

  public mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double {
    guard let answers = rows.answers, let draw = rows.draws.last, let drawn = rows.drawn.last else { return 0 }
    var sum = 0.0
    for row in draw.clamped(to: rows.rows) {
      let known = rows.outputs.filter { !answers[row, $0].isNaN }
      for output in known {
        let share = alpha / Double(drawn * known.count)
        let distance = Double(logits[row, output] - answers[row, output])
        gradient[row, output] += Float(2 * share * distance)
        sum += share * distance * distance
      }
    }
    return sum
  }
}
