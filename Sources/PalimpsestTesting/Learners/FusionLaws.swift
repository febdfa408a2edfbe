import PalimpsestCore

/// The law of the fused pass: a learner that does penalty, optimiser, mask and path integral in one pass over the parameters
/// is, bit for bit, the one that does them one by one: same state, predictions and losses in every step. So is the one that
/// updates wide layers within the backward pass. The penalties, which are reported and train nothing, are sums in an order of
/// their own and equal to 1e-5.
public enum FusionLaws {
  /// Takes both learners of some parts through three tasks, with yes-or-no labels, shared classes, classes of each task's own,
  /// and a wide layer.
  ///
  /// - Returns: one sentence for each violation; empty where the law holds.
  public static func violations(of parts: [any StrategyPart], optimizer: any Optimizer = Adam()) -> [String] {
    let shapes = ShapeLaws.violations(of: parts, optimizer: optimizer)
    if !shapes.isEmpty { return shapes }
    let name = parts.map { type(of: $0).name }.joined(separator: " + ")
    return (LawWorld.worlds(for: parts) + [.wide]).compactMap { world in
      do {
        let (fused, plain) = try (life(parts, world, optimizer, true), life(parts, world, optimizer, false))
        return fused.difference(from: plain, world, tolerance: 1e-5).map { "\(name), \(world.name): fused, \($0)" }
      } catch {
        return "\(name), \(world.name): \(error)"
      }
    }
  }

  private static func life(
    _ parts: [any StrategyPart], _ world: LawWorld, _ optimizer: any Optimizer, _ fuses: Bool
  ) throws -> Life {
    let make = { try ComposedLearner(world.setup(optimizer), parts, fusesUpdate: fuses) }
    return try Life(make(), world, stopsAt: nil, make)
  }
}
