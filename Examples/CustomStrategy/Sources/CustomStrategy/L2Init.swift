import Palimpsest

/// Ω(θ) = strength · Σ (θ − θ₀)², with θ₀ the weights that the first task began with.
///
/// - Memory: one float a parameter. Time: one pass over the parameters a step.
public struct L2Init: Penalty {
  public static let name = "l2-init"
  public static let summary = "Pulls every weight to where it started: the network stays able to learn."
  public static let source = "Kumar et al. 2023, regenerative regularization: strength Σ (θ - θ0)²."

  @Parameter("Strength of the pull.", .atLeast(0)) public var strength: Float = 0.01

  private var start = FloatBuffer(count: 0)

  public init() {}

  public func bytes(in layout: ParameterLayout) -> Int { layout.bytes(of: start) }

  /// Weights that a task adds start where they are then; until that they are free.
  public mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {
    let known = start.count
    start.resize(to: model.parameters.count)
    for i in known..<start.count { start[i] = model.parameters[i] }
  }

  public mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    let strength = strength
    gradient.update(with: parameters, start) { g, θ, θ0 in g + 2 * strength * (θ - θ0) }
    return strength * Float(parameters.sum(with: start) { θ, θ0 in (θ - θ0) * (θ - θ0) })
  }
}
