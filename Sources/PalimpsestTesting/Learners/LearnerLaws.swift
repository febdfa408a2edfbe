import PalimpsestCore

/// The laws of a learner, whatever it is made of: the same seed gives the same bits; its parts' encoding in the middle
/// of a task holds all their state; it is a value, so copies of it change nothing; its weights and predictions are finite; its
/// costs by part are its costs (``CostLaws``); declared defaults lie within their bounds.
public enum LearnerLaws {
  /// Takes the learner of some parts through three tasks, with yes-or-no labels, shared classes and classes of each
  /// task's own.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations(of parts: [any StrategyPart], optimizer: any Optimizer = Adam()) -> [String] {
    let name = parts.map { type(of: $0).name }.joined(separator: " + ")
    let shapes = ShapeLaws.violations(of: parts, optimizer: optimizer)
    if !shapes.isEmpty { return shapes }
    return parts.flatMap(declarations)
      + LawWorld.worlds(for: parts).flatMap { check(parts, $0, optimizer, "\(name), \($0.name)") }
  }

  private static func check(
    _ parts: [any StrategyPart], _ world: LawWorld, _ optimizer: any Optimizer, _ what: String
  ) -> [String] {
    do {
      let once = try run(parts, world, optimizer)
      var violations: [String] = []
      if !once.isFinite { violations.append("\(what): a weight is not a finite number") }
      violations += world.tasks.flatMap { predictions(once, world, $0, what) }
      if try run(parts, world, optimizer).bits(world) != once.bits(world) {
        violations.append("\(what): the same seed gives other predictions")
      }
      if try run(parts, world, optimizer, restoring: true).bits(world) != once.bits(world) {
        violations.append("\(what): parts restored from their encoding go on differently")
      }
      violations += try copies(parts, world, optimizer, once, what)
      violations += CostLaws.check(parts, world, optimizer, what)
      return violations
    } catch {
      return ["\(what): \(error)"]
    }
  }

  private static func run(
    _ parts: [any StrategyPart], _ world: LawWorld, _ optimizer: any Optimizer, restoring: Bool = false
  ) throws -> any Learner {
    var learner = try world.setup(optimizer).makeLearner(parts)
    for task in world.tasks {
      try world.live(&learner, task: task.index) { learner in
        guard restoring, var composed = learner as? ComposedLearner else { return }
        try composed.restore(composed.parts.map { try $0.copiedState })
        learner = composed
      }
    }
    return learner
  }

  /// Copies that are kept stay as they were, and the learner goes on as if there were none.
  private static func copies(
    _ parts: [any StrategyPart], _ world: LawWorld, _ optimizer: any Optimizer, _ once: any Learner, _ what: String
  ) throws -> [String] {
    var learner = try world.setup(optimizer).makeLearner(parts)
    var kept: [(copy: any Learner, bits: [[[UInt32]]])] = []
    for task in world.tasks {
      world.live(&learner, task: task.index) { learner in kept.append((learner, learner.bits(world))) }
    }
    var violations: [String] = []
    if learner.bits(world) != once.bits(world) {
      violations.append("\(what): it learns differently while a copy is kept")
    }
    if kept.contains(where: { $0.copy.bits(world) != $0.bits }) {
      violations.append("\(what): a copy changes while the learner goes on")
    }
    return violations
  }

  /// Every output that can be predicted has a finite logit, every other one −∞.
  private static func predictions(
    _ learner: any Learner, _ world: LawWorld, _ task: ExperienceInfo, _ what: String
  ) -> [String] {
    let logits = learner.predict(world.probe, knowing: task.index)
    guard logits.rows == world.probe.rows && logits.columns == world.shape.outputs else {
      return ["\(what): predictions of \(logits.rows) × \(logits.columns) for \(world.probe.rows) rows"]
    }
    let predictable = learner.predictableOutputs(knowing: task.index)
    let right = (0..<logits.rows).allSatisfy { row in
      (0..<logits.columns).allSatisfy { column in
        predictable.contains(column) ? logits[row, column].isFinite : logits[row, column] == -.infinity
      }
    }
    return right ? [] : ["\(what): a logit of task \(task.index + 1) is not what its outputs \(predictable) ask for"]
  }

  private static func declarations(_ part: any StrategyPart) -> [String] {
    let type = type(of: part)
    var violations: [String] = []
    if type.name.isEmpty || !type.name.allSatisfy({ $0.isLowercase || $0.isNumber || $0 == "-" }) {
      violations.append("\"\(type.name)\": a name is lower-case with dashes")
    }
    if type.summary.isEmpty || type.source.isEmpty { violations.append("\(type.name): no summary or no source") }
    for parameter in type.declaredParameters {
      guard !parameter.help.isEmpty else {
        violations.append("\(type.name): \(parameter.name) has no help")
        continue
      }
      do {
        _ = try type.init(settings: [parameter.name: parameter.value])
      } catch { violations.append("\(type.name): the default of \(parameter.name) is out of bounds: \(error)") }
    }
    return violations
  }
}

extension Learner {
  fileprivate func bits(_ world: LawWorld) -> [[[UInt32]]] {
    let tasks: [Int?] = world.tasks.map(\.index) + [nil]
    return tasks.map { predict(world.probe, knowing: $0).bits }
  }
}
