import PalimpsestCore

/// The laws of ``PalimpsestCore/Bound``: the plan of a task is the same each time it is asked, whatever has been learned since; batches
/// hold their rows at least once; rows come from the task and those before it; a restart leaves nothing of the weights before, and all
/// of the new ones are trained, beside a part that holds some of them too; a task without rows changes nothing.
public enum BoundLaws {
  /// Takes the learner of a bound through three tasks, alone and beside an isolation that holds all but a few parameters from the
  /// second task on.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations(of bound: some Bound) -> [String] {
    let batches = batchViolations(bound)
    if !batches.isEmpty { return batches }
    return planViolations(bound) + [[], [Holding()]].flatMap { lifeViolations(bound, beside: $0) }
  }

  // MARK: - Plans

  /// No learner could be taken through such a task.
  private static func batchViolations<B: Bound>(_ bound: B) -> [String] {
    LawWorld.shared.tasks.indices.compactMap { task in
      let factor = bound.plan(for: task).batchFactor
      return factor < 1 ? "\(B.name), task \(task + 1): batches of \(factor) times their rows" : nil
    }
  }

  /// What the plans say, before any task and behind each, of the part, of a copy and of what is read back from its state.
  private static func planViolations<B: Bound>(_ bound: B) -> [String] {
    let tasks = LawWorld.shared.tasks.indices
    let plans = tasks.map(bound.plan)
    var violations = tasks.filter { plans[$0].rows == .none && plans[$0].restarts }.map {
      "\(B.name), task \($0 + 1): it asks for no rows and starts afresh: what was learned would be lost"
    }
    var (part, model, rng) = (bound, LawWorld.shared.setup(SGD()).makeModel(), Seed(81).stream("bound laws"))
    violations += changed(part, plans, "before any task")
    for task in LawWorld.shared.tasks {
      part.begin(task, model)
      violations += changed(part, plans, "in task \(task.index + 1)")
      model.parameters.add(.normal(model.parameters.count, deviation: 0.1, using: &rng))
      part.consolidate(LawWorld.shared.ended(task, model), using: &rng)
      violations += changed(part, plans, "behind task \(task.index + 1)")
    }
    return violations
  }

  private static func changed<B: Bound>(_ bound: B, _ plans: [TrainingPlan], _ moment: String) -> [String] {
    var violations: [String] = []
    for (task, plan) in plans.enumerated() where bound.plan(for: task) != plan {
      violations.append("\(B.name), \(moment): the plan of task \(task + 1) is another")
    }
    do {
      let copy = try bound.copiedState
      for task in plans.indices where copy.plan(for: task) != bound.plan(for: task) {
        violations.append("\(B.name), \(moment): read back from its state it has another plan of task \(task + 1)")
      }
    } catch { violations.append("\(B.name), \(moment): its state cannot be read: \(error)") }
    return violations
  }

  // MARK: - Lives

  private static func lifeViolations<B: Bound>(_ bound: B, beside others: [any StrategyPart]) -> [String] {
    [LawWorld.binary, .shared].flatMap { world in
      let what = "\(B.name), \(world.name)\(others.isEmpty ? "" : ", beside an isolation")"
      return BoundLife(bound, world, others)?.violations(what) ?? ["\(what): does not make a learner"]
    }
  }
}

/// A learner of a bound, task by task.
private struct BoundLife<B: Bound> {
  private let bound: B
  private let world: LawWorld
  private let setup: LearnerSetup
  private var learner: ComposedLearner
  private var restarts = 0

  init?(_ bound: B, _ world: LawWorld, _ others: [any StrategyPart]) {
    // No unit of these is ever silent, and Adam moves whatever has a gradient at all.
    setup = world.setup(Adam(), activation: .tanh)
    (self.bound, self.world) = (bound, world)
    guard let learner = try? ComposedLearner(setup, [bound, Seen()] + others) else { return nil }
    self.learner = learner
  }

  func violations(_ what: String) -> [String] {
    var life = self
    return world.tasks.flatMap { life.live($0, "\(what), task \($0.index + 1)") }
  }

  private mutating func live(_ task: ExperienceInfo, _ what: String) -> [String] {
    let (plan, before) = (bound.plan(for: task.index), learner.model.parameters)
    let isAnew = plan.restarts && task.index > 0
    var start = learner
    start.begin(task)
    if isAnew { restarts += 1 }
    var violations = isAnew ? staleness(start.model.parameters, before, what) : []
    var after: any Learner = learner
    world.live(&after, task: task.index)
    guard let after = after as? ComposedLearner else { return violations }
    learner = after
    let ended = learner.model.parameters
    if plan.rows == .none && ended != before {
      violations.append("\(what): no rows are trained on, and weights change")
    }
    if isAnew && plan.rows != .none { violations += still(start.model.parameters, ended, what) }
    return violations + foreignRows(task, plan, what)
  }

  /// The weights that a restarted task begins with are those of a network that has just been made for it.
  private func staleness(_ start: FloatBuffer, _ before: FloatBuffer, _ what: String) -> [String] {
    let fresh = setup.makeModel(restart: restarts).parameters.array
    var violations: [String] = []
    if Array(start.array.prefix(fresh.count)) != fresh {
      violations.append("\(what): it starts afresh, and its weights are not those of a network just made")
    }
    let earlier = (0..<restarts).map { setup.makeModel(restart: $0).parameters.array } + [before.array]
    if earlier.contains(where: { $0.prefix(fresh.count) == start.array.prefix(fresh.count) }) {
      violations.append("\(what): it starts afresh, and has the weights of before")
    }
    return violations
  }

  /// Behind a restart every weight of the network it was made with moves.
  private func still(_ start: FloatBuffer, _ end: FloatBuffer, _ what: String) -> [String] {
    let tensors = learner.model.layers.flatMap(\.ranges)
    let place = tensors.joined().first { start[$0] == end[$0] }
    return place.map { ["\(what): it starts afresh, and parameter \($0) is not trained"] } ?? []
  }

  /// The rows that were trained on are those of the plan, and of no later task.
  private func foreignRows(_ task: ExperienceInfo, _ plan: TrainingPlan, _ what: String) -> [String] {
    guard let seen = learner.parts.lazy.compactMap({ $0 as? Seen }).first else { return [] }
    let expected: Set<Int32> =
      switch plan.rows {
      case .current: [Int32(task.index)]
      case .all: Set((0...task.index).map { Int32($0) })
      case .none: []
      }
    let found = seen.tasks[task.index] ?? []
    return found == expected
      ? [] : ["\(what): rows of tasks \(found.sorted()) are trained on, not of \(expected.sorted())"]
  }
}

/// Holds all but the output layer's bias from the second task on.
private struct Holding: Isolation {
  static let name = "holding"
  static let summary = "Holds what the first task has learned."
  static let source = "For laws only."
  var isolatesPredictions: Bool { false }

  mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    guard experience.index > 0, let bias = model.layers.last?.biasRange else { return .all(model.parameters.count) }
    return ParameterMask([bias])
  }

  func program(for experience: Int?, in model: MLP) -> Program { model.plainProgram }
}

/// Notes whose rows are trained on in each task, and keeps none.
private struct Seen: Memory {
  static let name = "seen"
  static let summary = "Notes whose rows are trained on."
  static let source = "For laws only."

  private(set) var tasks: [Int: Set<Int32>] = [:]
  var count: Int { 0 }
  var replay: ReplayOptions { ReplayOptions() }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {
    tasks[context.experience.index, default: []].formUnion(batch.experiences)
  }

  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {}
}
