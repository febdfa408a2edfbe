import PalimpsestCore

/// Dark experience replay: stored rows keep the logits they had, and the network is held to them.
///
/// With m rows x′ drawn and C outputs that took part when a row was stored, the loss is the mean cross-entropy of the new rows, plus
/// α · mean over rows and outputs of (z(x′) − z_stored)², plus β · the mean cross-entropy of a second, independent draw x″ (DER++). The
/// logits are those of the forward pass of the step that offered the row, before its update. Outputs that took no part then are left out.
///
/// - Memory: 4 bytes an output for each stored row, in the memory beside it. Time: a forward and a backward pass for each draw.
/// - Source: Buzzega et al. 2020. The draws and their weights are this part's: the memory's `weighing` and `beta` don't count.
public struct DarkReplay: OutputLoss {
  public static let name = "dark-replay"
  public static let summary = "Holds the network to the logits that stored rows had (DER; with beta DER++)."
  public static let source = """
    Buzzega et al., \"Dark experience for general continual learning\", NeurIPS 2020: independent draws for the two terms; logits \
    of the forward pass before the update.
    """

  /// What of a row's squared differences counts.
  public enum Reduction: String, ParameterChoice {
    case mean, sum
  }

  @Parameter("Weight α of the squared distance to the stored logits.", .atLeast(0)) public var alpha: Double = 0.5
  @Parameter("Weight β of the loss of a second draw by its labels: 0 is DER, above it DER++.", .atLeast(0))
  public var beta: Double = 0
  @Parameter("Whether a row's squared distances are averaged over its outputs or summed; rows are averaged.")
  public var reduction: Reduction = .mean

  public init() {}

  public var views: LossViews { .answers }

  public var shares: ReplayShares? {
    ReplayShares(draws: (beta > 0 ? [beta] : []) + (alpha > 0 ? [0] : []))
  }

  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    parts.contains { $0 is any Memory } ? nil : "it needs stored rows; put a memory such as \"reservoir\" beside it."
  }

  public mutating func add(_ logits: Matrix, _ rows: LossRows, to gradient: inout Matrix) -> Double {
    guard alpha > 0, let answers = rows.answers, let draw = rows.draws.last, let drawn = rows.drawn.last else {
      return 0
    }
    var sum = 0.0
    for row in draw.clamped(to: rows.rows) {
      let known = rows.outputs.count { !answers[row, $0].isNaN }
      if known == 0 { continue }
      let share = alpha * Double(rows.ownWeights[row]) / Double(drawn * (reduction == .mean ? known : 1))
      for output in rows.outputs where !answers[row, output].isNaN {
        let distance = logits[row, output] - answers[row, output]
        sum += share * Double(distance) * Double(distance)
        gradient[row, output] += Float(2 * share * Double(distance))
      }
    }
    return sum
  }
}
