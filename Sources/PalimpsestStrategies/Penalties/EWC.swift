import PalimpsestCore

/// Elastic weight consolidation: important parameters are pulled back to where earlier tasks left them.
///
/// Ω(θ) = (λ/2) Σ_k Σ_i F_{k,i} (θ_i − θ*_{k,i})², with the ½, one anchor θ*_k and one Fisher diagonal F_k a task
/// (`separate`), or (λ/2) Σ_i F̃_i (θ_i − θ*_i)² with F̃ ← γ F̃ + F and the latest anchor alone (`online`). The Fisher
/// information covers the outputs that took part in the task's loss. Parameters made after an anchor was set, such as
/// new heads, are not pulled. Where no row of a task may be revisited, its importance is unknown and nothing is added.
///
/// - Memory: two floats a parameter, whatever the number of tasks. Time: one pass over the parameters a step, and at a
///   task's end the passes of ``Fisher/diagonal(_:using:)``.
/// - Source: Kirkpatrick et al. 2017 (separate); Schwarz et al. 2018 with Huszár 2018 (online). γ enters where
///   importance is merged and not a second time in the loss: that second γ would only rescale λ.
public struct EWC: Penalty, RevisitingPart {
  public static let name = "ewc"
  /// 2: the squares of a row's labels are added before the product with its inputs, which rounds otherwise.
  public static let revision = 2
  public static let summary =
    "Elastic weight consolidation: a quadratic pull to earlier weights, weighed by Fisher information."
  public static let source = """
    Kirkpatrick et al. 2017 (separate); Schwarz et al. 2018 with Huszár's correction (online). The penalty has the factor \
    1/2; separate anchors are kept as their exact sum in constant memory.
    """

  /// How the tasks' anchors are kept.
  public enum Mode: String, ParameterChoice {
    /// Every task pulls to its own anchor.
    case separate
    /// All importance pulls to the latest anchor.
    case online
  }

  @Parameter("Strength λ of the penalty (λ/2) Σ F (θ - θ*)².", .atLeast(0)) public var strength: Float = 100
  @Parameter("Whether every task keeps its own anchor, or all importance pulls to the latest one.")
  public var mode: Mode = .separate
  @Parameter(
    "Share γ of the earlier importance that is kept when a task is added, where mode is \"online\".", .within(0...1))
  public var decay: Float = 1
  public var fisher = Fisher()

  private var anchors = QuadraticAnchors()

  public init() {}

  public var bytes: Int { anchors.bytes }
  public func bytes(in layout: ParameterLayout) -> Int { anchors.bytes(in: layout) }

  /// Importance of each parameter, summed over tasks; empty before the first task has ended.
  public var importance: FloatBuffer { anchors.importance }

  public func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    anchors.pull(strength: strength).add(at: parameters, to: &gradient)
  }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    guard let diagonal = fisher.diagonal(ended, using: &rng) else { return }
    switch mode {
    case .separate: anchors.add(importance: diagonal, at: ended.model.parameters)
    case .online: anchors.replace(importance: diagonal, decay: Double(decay), at: ended.model.parameters)
    }
  }
}

extension EWC: FusedPart {
  package func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Double {
    anchors.lend(to: step, strength: strength, body)
  }
}
