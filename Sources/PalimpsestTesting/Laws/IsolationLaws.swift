import PalimpsestCore

/// The laws of ``PalimpsestCore/Isolation``: preparing a task changes no weight that is there; parameters outside a
/// task's mask keep their bits; ways of earlier tasks stay; an unknown task and one that has not begun take the
/// latest way; and where ``PalimpsestCore/Isolation/isolatesPredictions`` holds, predictions for earlier tasks keep
/// their bits.
public enum IsolationLaws {
  /// Gradient descent plain, with momentum, with Nesterov's, and Adam, each with weight decay: decay and momentum move weights without
  /// any gradient, which a mask has to stop.
  public static var optimizers: [any Optimizer] {
    var (sgd, momentum, adam) = (SGD(), Momentum(), Adam())
    (sgd.decay, momentum.decay, adam.decay) = (0.01, 0.01, 0.01)
    momentum.rate = 0.02
    adam.rate = 0.01
    var nesterov = momentum
    nesterov.nesterov = true
    return [sgd, momentum, nesterov, adam]
  }

  /// Takes an isolation through three tasks, with yes-or-no labels, shared classes and classes of each task's own,
  /// under each optimiser, without and with rows of earlier tasks in every batch.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations(
    of isolation: some Isolation, under optimizers: [any Optimizer] = IsolationLaws.optimizers
  ) -> [String] {
    let shapes = ShapeLaws.violations(of: [isolation])
    if !shapes.isEmpty { return shapes }
    return LawWorld.all.flatMap { world in
      optimizers.flatMap { optimizer in
        [false, true].flatMap { check(isolation, world, optimizer, replays: $0) }
      }
    }
  }

  private static func check<I: Isolation>(
    _ isolation: I, _ world: LawWorld, _ optimizer: any Optimizer, replays: Bool
  ) -> [String] {
    let what = "\(I.name), \(world.name), \(type(of: optimizer).name)\(replays ? ", replay" : "")"
    let setup = world.setup(optimizer)
    let parts: [any StrategyPart] = replays ? [isolation, EveryRow()] : [isolation]
    guard let composed = try? ComposedLearner(setup, parts) else { return ["\(what): does not make a learner"] }
    var learner: any Learner = composed
    var twin = Twin(isolation, setup)
    var violations: [String] = []
    for task in world.tasks {
      violations += twin.prepare(task, what)
      guard twin.hasPlace(task) else { return violations }
      let before = Snapshot(learner, twin, world, tasks: task.index)
      world.live(&learner, task: task.index)
      let after = Snapshot(learner, twin, world, tasks: task.index)
      violations += twin.compare(before, after, what, isolation.isolatesPredictions && task.index > 0)
    }
    return violations
  }
}

/// What must not change: the weights, and the predictions for earlier tasks.
private struct Snapshot {
  let parameters: FloatBuffer
  let predictions: [Matrix]

  init(_ learner: any Learner, _ twin: Twin<some Isolation>, _ world: LawWorld, tasks: Int) {
    parameters = (learner as? ComposedLearner)?.model.parameters ?? FloatBuffer(count: 0)
    predictions = (0..<tasks).map { learner.predict(world.probe, knowing: $0) }
  }
}

/// The isolation once more beside the learner, from the same stream: it shows the mask of every task.
private struct Twin<I: Isolation> {
  var isolation: I
  var model: MLP
  var mask = ParameterMask([])
  var rng: Random
  var ways: [Program] = []

  init(_ isolation: I, _ setup: LearnerSetup) {
    self.isolation = isolation
    model = setup.makeModel()
    rng = setup.seed.stream("isolation")
  }

  mutating func prepare(_ task: ExperienceInfo, _ what: String) -> [String] {
    let before = model.parameters
    mask = isolation.prepare(&model, for: task, using: &rng)
    var violations: [String] = []
    if Array(model.parameters.array.prefix(before.count)) != before.array {
      violations.append("\(what): preparing task \(task.index + 1) changes weights that were there")
    }
    if let problem = ShapeLaws.problem(mask, isolation.program(for: task.index, in: model), in: model) {
      violations.append("\(what): task \(task.index + 1): \(problem)")
    }
    return violations + compareWays(task.index, what)
  }

  /// False where no learner could be taken through the task.
  func hasPlace(_ task: ExperienceInfo) -> Bool {
    ShapeLaws.problem(mask, isolation.program(for: task.index, in: model), in: model) == nil
  }

  private mutating func compareWays(_ index: Int, _ what: String) -> [String] {
    var violations: [String] = []
    for (task, way) in ways.enumerated() where isolation.program(for: task, in: model) != way {
      violations.append("\(what): task \(index + 1) changes the way of task \(task + 1)")
    }
    let latest = isolation.program(for: index, in: model)
    if isolation.program(for: nil, in: model) != latest || isolation.program(for: index + 5, in: model) != latest {
      violations.append("\(what): an unknown task, or one not begun, does not take the latest way")
    }
    ways.append(latest)
    return violations
  }

  func compare(_ before: Snapshot, _ after: Snapshot, _ what: String, _ isolates: Bool) -> [String] {
    guard after.parameters.count == model.parameters.count else {
      return ["\(what): the same stream gives two networks"]
    }
    let changed = before.parameters.array.indices.filter {
      before.parameters[$0].bitPattern != after.parameters[$0].bitPattern
    }
    var violations: [String] = []
    if let outside = changed.first(where: { !mask.contains($0..<($0 + 1)) }) {
      violations.append("\(what): parameter \(outside) lies outside the mask and changed")
    }
    let moved = mask.ranges.contains { $0.contains { model.parameters[$0] != after.parameters[$0] } }
    if !moved { violations.append("\(what): task \(ways.count) learns nothing") }
    if isolates && before.predictions.map(\.bits) != after.predictions.map(\.bits) {
      violations.append("\(what): task \(ways.count) changes the predictions for an earlier task")
    }
    return violations
  }
}

extension Matrix {
  var bits: [[UInt32]] { (0..<rows).map { row($0).map(\.bitPattern) } }
}

/// Keeps every row: batches that hold rows of all tasks.
struct EveryRow: Memory {
  static let name = "every-row"
  static let summary = "Keeps every row."
  static let source = "For laws only."

  private var stored: Batch?
  var replay = ReplayOptions()

  init() {}
  init(_ rows: Batch) { stored = rows }

  var count: Int { stored?.count ?? 0 }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {
    if stored == nil { stored = Batch(columns: batch.columns) }
    stored?.append(batch)
  }

  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    guard let stored else { return }
    var places = Array(0..<stored.count)
    let drawn = min(n, places.count)
    rng.shuffle(&places, first: drawn)
    for place in places[..<drawn] { batch.append(row: place, of: stored) }
  }
}
