import PalimpsestCore

/// Synaptic intelligence: parameters whose movement lowered the loss are pulled back to where earlier tasks left them.
///
/// Along a task ω_i ← ω_i − g_i Δθ_i, with g the gradient of the data loss alone (no penalty, before any transform) and
/// Δθ the parameter's actual change (after optimiser, clipping, decay and mask). At its end Ω_i ← max(0, Ω_i + ω_i /
/// ((θ_i − θ_i^start)² + ξ)), then ω ← 0 and the anchor θ^start ← θ. The penalty is c Σ Ω_i (θ_i − θ_i^start)², without
/// a ½: its gradient is 2c Ω (θ − θ^start).
///
/// - Memory: three floats a parameter (path, importance, anchor). Time: two more vectors in the step's one pass over the parameters.
/// - Source: Zenke, Poole & Ganguli 2017 and its reference code, which clamps the accumulated importance.
public struct SynapticIntelligence: Penalty, ConsolidatingPart {
  public static let name = "si"
  public static let summary =
    "Synaptic intelligence: a quadratic pull weighed by how much each weight's path lowered the loss."
  public static let source = """
    Zenke, Poole & Ganguli 2017 and its reference code: gradient of the data loss only, the accumulated importance is \
    clamped at 0, no factor 1/2. The optimiser's state is reset or not by the experiment, not by this part.
    """

  /// What is kept from falling below 0.
  public enum Clamp: String, ParameterChoice {
    /// The importance after a task's share was added.
    case accumulated
    /// Each task's share.
    case increment
    /// Nothing: importance, and with it the penalty, may become negative.
    case none
  }

  @Parameter("Strength c of the penalty c Σ Ω (θ - anchor)².", .atLeast(0)) public var strength: Float = 1
  @Parameter("Damping ξ, added to a weight's squared displacement.", .above(0)) public var damping: Float = 0.001
  @Parameter("What is kept from falling below 0: the accumulated importance, each task's share, or nothing.")
  public var clamp: Clamp = .accumulated

  /// ω of the task at hand.
  package private(set) var path = FloatBuffer(count: 0)
  /// Ω; empty before the first task has ended.
  public private(set) var importance = FloatBuffer(count: 0)
  /// θ^start: both where the task at hand began and where the penalty pulls to.
  package private(set) var anchor = FloatBuffer(count: 0)

  public init() {}

  public var bytes: Int { path.bytes + importance.bytes + anchor.bytes }
  public func bytes(in layout: ParameterLayout) -> Int { layout.bytes(of: path, importance, anchor) }

  public func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    pull.add(at: parameters, to: &gradient)
  }

  public mutating func observe(gradient: FloatBuffer, update: FloatBuffer) { path.subtractProduct(gradient, update) }

  private var pull: QuadraticPull { QuadraticPull(importance: importance, anchor: anchor, strength: 2 * strength) }

  /// New parameters begin with no path and no importance, at their present place.
  public mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {
    let known = path.count
    path.resize(to: model.parameters.count)
    anchor.resize(to: model.parameters.count)
    for i in known..<path.count { anchor[i] = model.parameters[i] }
    if importance.count > 0 { importance.resize(to: model.parameters.count) }
  }

  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    importance.resize(to: path.count)
    for i in 0..<path.count {
      let displacement = ended.model.parameters[i] - anchor[i]
      importance[i] = clamp.sum(importance[i], path[i] / (displacement * displacement + damping))
    }
    path.fill(0)
    anchor.copy(from: ended.model.parameters)
  }
}

extension SynapticIntelligence.Clamp {
  fileprivate func sum(_ importance: Float, _ share: Float) -> Float {
    switch self {
    case .accumulated: max(0, importance + share)
    case .increment: importance + max(0, share)
    case .none: importance + share
    }
  }
}

extension SynapticIntelligence: FusedPart {
  package var observesPath: Bool { true }

  package mutating func lend(to step: FusedStep, _ context: StepContext, _ body: (FusedStep) -> Double) -> Double {
    pull.lend(to: step) { $0.path(&path, body) }
  }
}

extension SynapticIntelligence: CheckedState {
  /// Path and anchor are as long as the parameters once a task has begun.
  public func problem(within limits: StateLimits) -> String? {
    let isBegun = limits.tasks != 0
    let lengths = [path.count, anchor.count, importance.count == 0 ? path.count : importance.count]
    let expected = isBegun ? limits.parameters ?? path.count : 0
    return lengths.allSatisfy { $0 == expected } ? nil : "path, anchor and importance of \(lengths)"
  }
}
