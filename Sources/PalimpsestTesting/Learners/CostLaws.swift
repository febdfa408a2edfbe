import PalimpsestCore

/// The laws of costs by part: the parts' multiply-adds are the learner's in sum, and their bytes all of its memory; none is
/// negative; work that was done stays done; the strategy's parts are there, each by its name.
public enum CostLaws {
  /// Takes the learner of some parts through three tasks and looks at its costs half-way through and behind each.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold, and for whole learners that do not say costs by part.
  public static func violations(of parts: [any StrategyPart], optimizer: any Optimizer = Adam()) -> [String] {
    let name = parts.map { type(of: $0).name }.joined(separator: " + ")
    let shapes = ShapeLaws.violations(of: parts, optimizer: optimizer)
    if !shapes.isEmpty { return shapes }
    return LawWorld.worlds(for: parts).flatMap { check(parts, $0, optimizer, "\(name), \($0.name)") }
  }

  static func check(
    _ parts: [any StrategyPart], _ world: LawWorld, _ optimizer: any Optimizer, _ what: String
  ) -> [String] {
    do {
      var learner = try world.setup(optimizer).makeLearner(parts)
      var costs = [learner.cost]
      for task in world.tasks {
        world.live(&learner, task: task.index) { costs.append($0.cost) }
        costs.append(learner.cost)
      }
      return violations(of: costs, what) + missing(parts, in: learner, what)
    } catch {
      return ["\(what): \(error)"]
    }
  }

  /// - Parameter costs: of one learner, in the order of time.
  static func violations(of costs: [LearnerCost], _ what: String) -> [String] {
    for (cost, before) in zip(costs, [nil] + costs.map { $0 as LearnerCost? }) {
      if let violation = violation(of: cost, before) { return ["\(what): \(violation)"] }
    }
    return []
  }

  /// - Parameter before: the cost at an earlier moment.
  private static func violation(of cost: LearnerCost, _ before: LearnerCost?) -> String? {
    for (part, count) in cost.parts.flatMap({ [("\($0.name) had", $0.multiplyAdds), ("\($0.name) holds", $0.bytes)] })
    where count < 0 { return "\(part) \(count) of what is never negative" }
    let (work, bytes) = cost.parts.reduce(into: (0, 0)) { $0 = ($0.0 + $1.multiplyAdds, $0.1 + $1.bytes) }
    if !cost.parts.isEmpty && work != cost.multiplyAdds {
      return "\(work) multiply-adds of its parts, \(cost.multiplyAdds) in all"
    }
    if !cost.parts.isEmpty && bytes != cost.bytes { return "\(bytes) bytes of its parts, \(cost.bytes) in all" }
    guard let before else { return nil }
    return zip(cost.parts, before.parts).first { $0.multiplyAdds < $1.multiplyAdds }.map {
      "\($0.name) had \($1.multiplyAdds) multiply-adds, and \($0.multiplyAdds) later"
    }
  }

  private static func missing(_ parts: [any StrategyPart], in learner: any Learner, _ what: String) -> [String] {
    let names = learner.cost.parts.map(\.name)
    if names.isEmpty && !(learner is ComposedLearner) { return [] }
    return parts.map { type(of: $0).name }.filter { !names.contains($0) }.map {
      "\(what): \($0) is not among the costs by part, \(names)"
    }
  }
}
