import PalimpsestCore

/// Shrink and perturb: weights are drawn towards 0 and given some of a fresh start, so that the network stays able to learn.
///
/// θ ← λθ + σε when a task begins, the first one apart, with ε a fresh network of the same initialiser; or after each step, with ε
/// standard normal. Tensors that tasks have added, such as heads, are left alone when a task begins. What the optimiser kept is
/// forgotten when a task begins, not after steps.
///
/// - Cost: one pass over the parameters.
/// - Source: Ash & Adams 2020; after each step as in Dohare et al. 2024 (there with weight decay in the optimiser).
public struct ShrinkPerturb: Renewal {
  public static let name = "shrink-perturb"
  public static let summary =
    "Shrinks the weights and adds some of a fresh start when a task begins, or noise after each step."
  public static let source =
    "Ash & Adams, \"On warm-starting neural network training\", NeurIPS 2020: fresh weights of the same initialiser, times sigma."

  /// What renews the weights.
  public enum When: String, ParameterChoice {
    case task, step
  }

  @Parameter("Share λ of each weight that is kept.", .within(0...1)) public var keep: Float = 0.4
  @Parameter("Size σ of what is added.", .atLeast(0)) public var sigma: Float = 0.1
  @Parameter("Whether weights are renewed when a task begins or after each step.") public var when: When = .task

  public init() {}

  public var forgets: Bool { when == .task }
  public var waitsForTasks: Bool { when == .task }

  public func renew(
    _ model: inout MLP, within mask: ParameterMask, _ moment: RenewalMoment, using rng: inout Random
  ) -> [Range<Int>] {
    if keep == 1 && sigma == 0 { return [] }
    switch (when, moment) {
    case (.task, .task):
      let fresh = MLP(
        shape: model.shape, hidden: model.hidden, activation: model.activation, initializer: model.initializer,
        using: &rng)
      return change(&model, mask, fresh.layout.blocks) { fresh.parameters[$0] }
    case (.step, .step): return change(&model, mask, model.layout.blocks) { _ in Float(rng.normal()) }
    default: return []
    }
  }

  private func change(
    _ model: inout MLP, _ mask: ParameterMask, _ blocks: [ParameterLayout.Block], _ noise: (Int) -> Float
  ) -> [Range<Int>] {
    let ranges = blocks.flatMap { block in mask.ranges.map { $0.clamped(to: block.range) } }.filter { !$0.isEmpty }
    model.parameters.withMutableSpan { theta in
      for range in ranges { for i in range { theta[i] = keep * theta[i] + sigma * noise(i) } }
    }
    return ranges
  }
}
