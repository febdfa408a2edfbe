import PalimpsestCore

/// The law of checkpoints: a learner that is saved at any step, restored into a fresh one and taken on to the end is, bit
/// for bit, the one that never stopped: same state, same predictions, same losses in every step, same work counted.
///
/// What it finds: stored properties that are state and not encoded, randomness outside the learner's streams, lengths
/// that change on the way.
public enum CheckpointLaws {
  /// Takes the learner of some parts through three tasks, with yes-or-no labels, shared classes and classes of each task's
  /// own, and stops it before the first task, in the middle and at the end of each.
  ///
  /// - Returns: one sentence for each violation; empty where the law holds.
  public static func violations(of parts: [any StrategyPart], optimizer: any Optimizer = Adam()) -> [String] {
    let shapes = ShapeLaws.violations(of: parts, optimizer: optimizer)
    if !shapes.isEmpty { return shapes }
    let name = parts.map { type(of: $0).name }.joined(separator: " + ")
    return LawWorld.worlds(for: parts).flatMap { world in
      check("\(name), \(world.name)", world) { try world.setup(optimizer).makeLearner(parts) }
    }
  }

  private static func check(_ what: String, _ world: LawWorld, _ make: () throws -> any Learner) -> [String] {
    do {
      let straight = try Life(make(), world, stopsAt: nil, make)
      return try straight.places.indices.compactMap { place in
        let stopped = try Life(make(), world, stopsAt: place, make)
        return stopped.difference(from: straight, world).map { "\(what): stopped \(straight.places[place]), \($0)" }
      }
    } catch {
      return ["\(what): \(error)"]
    }
  }
}
