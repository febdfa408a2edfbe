import PalimpsestCore

/// What every other law takes for granted: a part that is handed a vector or a matrix gives it back as long as it was, and
/// an isolation's masks and routes lie within the network. A learner of parts that break this would end the process; so
/// the laws of learners look here first.
public enum ShapeLaws {
  /// Asks each part for what it does in a step, once before and once after the network grew; then takes a learner of them through
  /// three tasks that looks at everything a part gives before it goes on with it.
  ///
  /// - Returns: one sentence for each violation, with the part's name; empty where the laws hold.
  public static func violations(of parts: [any StrategyPart], optimizer: any Optimizer = SGD()) -> [String] {
    let alone = (parts + [optimizer]).flatMap { part -> [String] in
      LawWorld.all.compactMap { world in
        problem(part, world).map { "\(type(of: part).name), \(world.name): \($0)" }
      }
    }
    return alone.isEmpty ? LawWorld.worlds(for: parts).flatMap { life(parts, optimizer, $0) } : alone
  }

  /// What judged parts were found to do in a learner's life, and what is asked of it between tasks.
  private static func life(_ parts: [any StrategyPart], _ optimizer: any Optimizer, _ world: LawWorld) -> [String] {
    let findings = Findings()
    let judged = parts.map { $0.judged(findings) }
    guard var learner = try? world.setup(optimizer.judged(findings)).makeLearner(judged) else { return [] }
    for task in world.tasks {
      let factor = learner.plan(for: task.index).batchFactor
      guard factor > 0 else { return ["\(world.name): batches of \(factor) times their rows"] }
      world.live(&learner, task: task.index)
      for known in [nil] + (0...task.index).map({ $0 as Int? }) { _ = learner.predict(world.probe, knowing: known) }
    }
    return findings.sentences.map { "\(world.name), \($0)" }
  }

  private static func problem(_ part: any StrategyPart, _ world: LawWorld) -> String? {
    var model = world.setup(SGD()).makeModel()
    if let isolation = part as? any Isolation { return problem(isolation, model, world) }
    if let loss = part as? any OutputLoss { return problem(loss, world) }
    var part = part
    var rng = Seed(71).stream("shape laws")
    for task in world.tasks.prefix(2) {
      part.begin(task, model)
      if let problem = lengthProblem(&part, model, task) { return problem }
      _ = model.addLayer("late", inputs: 4, outputs: 2, isOutput: true, using: &rng)
      if let problem = lengthProblem(&part, model, task) { return problem }
    }
    return nil
  }

  /// A vector of the network's length stays as long.
  private static func lengthProblem(_ part: inout any StrategyPart, _ model: MLP, _ task: ExperienceInfo) -> String? {
    var vector = FloatBuffer(count: model.parameters.count)
    var what = "a gradient"
    if var penalty = part as? any Penalty {
      _ = penalty.add(at: model.parameters, to: &vector)
      part = penalty
    } else if var transform = part as? any GradientTransform {
      var lender = Lender(model, using: Seed(73).stream("lender"))
      transform.transform(&vector, &lender, StepContext(experience: task, epoch: 0, step: 0))
      part = transform
    } else if var optimizer = part as? any Optimizer {
      optimizer.update(&vector, at: model.parameters, StepContext(experience: task, epoch: 0, step: 0))
      (part, what) = (optimizer, "an update")
    }
    let count = model.parameters.count
    return vector.count == count ? nil : "\(count) parameters get \(what) of \(vector.count) elements"
  }

  private static func problem(_ loss: any OutputLoss, _ world: LawWorld) -> String? {
    var loss = loss
    let (rows, columns) = (3, world.shape.outputs)
    let target = LossRows(
      labels: [0, 0, 0], weights: [1, 1, 1], rows: 0..<rows, outputs: world.tasks[0].outputs,
      values: Matrix(rows: rows, columns: columns))
    var gradient = Matrix(rows: rows, columns: columns)
    _ = loss.add(Matrix(rows: rows, columns: columns), target, to: &gradient)
    if gradient.rows == rows && gradient.columns == columns { return nil }
    return "a gradient of \(rows) × \(columns) becomes one of \(gradient.rows) × \(gradient.columns)"
  }

  private static func problem(_ isolation: any Isolation, _ fresh: MLP, _ world: LawWorld) -> String? {
    var (isolation, model, rng) = (isolation, fresh, Seed(72).stream("shape laws"))
    for task in world.tasks {
      let mask = isolation.prepare(&model, for: task, using: &rng)
      let ways = [task.index, nil].map { isolation.program(for: $0, in: model) }
      if let problem = ways.lazy.compactMap({ problem(mask, $0, in: model) }).first {
        return "task \(task.index + 1): \(problem)"
      }
    }
    return nil
  }

  static func problem(_ mask: ParameterMask, _ way: Program, in model: MLP) -> String? {
    problem(mask, in: model) ?? way.problem(in: model).map { "the way cannot be taken: \($0)" }
  }

  static func problem(_ mask: ParameterMask, in model: MLP) -> String? {
    let bounds = mask.ranges.flatMap { [$0.lowerBound, $0.upperBound] }
    if bounds != bounds.sorted() || (bounds.first ?? 0) < 0 || (bounds.last ?? 0) > model.parameters.count {
      return "the mask's ranges are out of order or outside the vector: \(mask.ranges)"
    }
    let count = model.parameters.count
    if let elements = mask.elements, elements.count != count {
      return "the mask says of \(elements.count) parameters whether they are trained, and there are \(count)"
    }
    return nil
  }
}
