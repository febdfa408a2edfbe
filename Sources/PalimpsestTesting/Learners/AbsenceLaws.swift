import PalimpsestCore

/// The law of what is turned off: a part at strength 0 is its absence. A learner with it goes, bit for bit, the way of one without it.
///
/// What it finds: a strength that is declared and not read, or read in one place of two; a part that draws from another's random
/// numbers, or puts rows in another order, by being there.
public enum AbsenceLaws {
  /// Takes both learners through two tasks, with yes-or-no labels, shared classes, classes of each task's own and a wide layer, and
  /// compares all their weights behind each.
  ///
  /// - Parameters:
  ///   - part: with its strength at 0, or at what else turns it off.
  ///   - others: what stands beside it.
  ///   - instead: the parts of the learner without it; nil: `others`.
  /// - Returns: one sentence for each violation; empty where the law holds.
  public static func violations(
    of part: any StrategyPart, beside others: [any StrategyPart] = [], comparedWith instead: [any StrategyPart]? = nil,
    optimizer: any Optimizer = Adam()
  ) -> [String] {
    let (with, without) = ([part] + others, instead ?? others)
    let shapes = ShapeLaws.violations(of: with, optimizer: optimizer)
    if !shapes.isEmpty { return shapes }
    return (LawWorld.worlds(for: with) + [.wide]).flatMap { world in
      let what = "\(type(of: part).name), \(world.name)"
      do {
        return differences(
          try weights(with, world, optimizer), try weights(without, world, optimizer), what)
      } catch { return ["\(what): \(error)"] }
    }
  }

  /// The parameters behind each of two tasks.
  private static func weights(
    _ parts: [any StrategyPart], _ world: LawWorld, _ optimizer: any Optimizer
  ) throws -> [FloatBuffer] {
    var learner: any Learner = try ComposedLearner(world.setup(optimizer), parts)
    return (0..<2).map { task in
      world.live(&learner, task: task)
      return (learner as? ComposedLearner)?.model.parameters ?? FloatBuffer(count: 0)
    }
  }

  /// Parameters that the part made for itself lie behind the others and are not compared.
  private static func differences(_ with: [FloatBuffer], _ without: [FloatBuffer], _ what: String) -> [String] {
    zip(with, without).enumerated().compactMap { task, weights in
      let place = (0..<weights.1.count).first {
        $0 >= weights.0.count || weights.0[$0].bitPattern != weights.1[$0].bitPattern
      }
      return place.map {
        "\(what): at strength 0 it is not its absence: parameter \($0) is another behind task \(task + 1)"
      }
    }
  }
}
