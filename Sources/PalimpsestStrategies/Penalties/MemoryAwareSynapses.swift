import PalimpsestCore

/// Memory aware synapses: parameters that the outputs are sensitive to are pulled back to where the last task left them.
///
/// Ω_i = mean over a task's rows of |∂‖z(x)‖² / ∂θ_i| over the outputs that took part, each row by itself; no label is looked at. The
/// penalty is λ Σ Ω_i (θ_i − θ*_i)², without a ½, with the latest anchor. Where no row of a task may be revisited nothing is added.
///
/// - Memory: two floats a parameter. Time: one pass over the parameters a step; at a task's end a forward pass, one derivative passed
///   down and one product with the inputs a row.
/// - Source: Aljundi et al. 2018. The mean of absolute values, not the absolute value of the mean gradient.
public struct MemoryAwareSynapses: Penalty, RevisitingPart {
  public static let name = "mas"
  public static let summary =
    "Memory aware synapses: a quadratic pull weighed by how much the outputs react to each weight."
  public static let source =
    "Aljundi et al., \"Memory aware synapses\", ECCV 2018: absolute gradients of each row, summed over tasks."

  /// How a task's importance joins that of the earlier ones.
  public enum Merge: String, ParameterChoice {
    case sum, average
  }

  @Parameter("Strength λ of the penalty λ Σ Ω (θ - θ*)².", .atLeast(0)) public var strength: Float = 1
  @Parameter("Whether the tasks' importances are summed, or averaged with share alpha for the earlier ones.")
  public var merge: Merge = .sum
  @Parameter("Share of the earlier importance where merge is \"average\".", .within(0...1)) public var alpha: Double =
    0.5

  private var anchors = QuadraticAnchors()

  public init() {}

  public var bytes: Int { anchors.bytes }
  public func bytes(in layout: ParameterLayout) -> Int { anchors.bytes(in: layout) }

  /// Ω; empty before the first task has ended.
  public var importance: FloatBuffer { anchors.importance }

  public func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    pull.add(at: parameters, to: &gradient)
  }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    guard ended.data.count > 0 else { return }
    var sums = RowGradientSums(ended.network, ended.way, .magnitudes)
    let share = 2 / Float(ended.data.count)
    sums.add(ended.data) { logits, _ in
      [RowGradientSums.Slopes(logits.keeping(ended.outputs), factors: Array(repeating: share, count: logits.rows))]
    }
    ended.charge(sums.work)
    let isFirst = importance.count == 0
    let (kept, added) = merge == .sum || isFirst ? (1, 1) : (alpha, 1 - alpha)
    anchors.replace(importance: sums.sums.map { added * $0 }, decay: kept, at: ended.model.parameters)
  }

  private var pull: QuadraticPull { anchors.pull(strength: 2 * strength) }
}

extension MemoryAwareSynapses: FusedPart {
  package func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Double {
    anchors.lend(to: step, strength: 2 * strength, body)
  }
}

extension Matrix {
  /// The same with 0 outside some columns.
  fileprivate func keeping(_ kept: Range<Int>) -> Matrix {
    if kept == 0..<columns { return self }
    var copy = self
    for row in 0..<rows { for c in 0..<columns where !kept.contains(c) { copy[row, c] = 0 } }
    return copy
  }
}
