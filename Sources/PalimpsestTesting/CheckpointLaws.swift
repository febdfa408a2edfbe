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
    let name = parts.map { type(of: $0).name }.joined(separator: " + ")
    return LawWorld.all.flatMap { world in
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

/// A learner's life through all tasks of a world, with a stop at one of its places, where it is turned to bytes and back.
private struct Life {
  private(set) var learner: any Learner
  /// Where it can be stopped.
  private(set) var places: [String] = []
  private var losses: [UInt64] = []

  init(_ learner: any Learner, _ world: LawWorld, stopsAt stop: Int?, _ fresh: () throws -> any Learner) throws {
    self.learner = learner
    try pass("before the first task", stop, world, fresh)
    for task in world.tasks { try live(task, world, stop, fresh) }
  }

  private mutating func live(
    _ task: ExperienceInfo, _ world: LawWorld, _ stop: Int?, _ fresh: () throws -> any Learner
  ) throws {
    let plan = learner.plan(for: task.index)
    if plan.rows != .none {
      learner.begin(task)
      var feed = world.feed(task.index, plan)
      let stops = [1, feed.steps / 2, feed.steps]
      while feed.advance() {
        let context = StepContext(experience: task, epoch: feed.epoch, step: feed.step - 1)
        losses.append(learner.learn(feed.batch, context).loss.bitPattern)
        guard stops.contains(feed.step) else { continue }
        try pass("after step \(feed.step) of task \(task.index + 1)", stop, world, fresh)
        let place = try StateDecoder.value(BatchFeed.Place.self, from: StateEncoder.bytes(of: feed.place))
        feed = world.feed(task.index, plan)
        try feed.restore(place)
      }
      learner.finish(task, revisiting: world.rows[task.index])
    }
    try pass("after task \(task.index + 1)", stop, world, fresh)
  }

  private mutating func pass(
    _ place: String, _ stop: Int?, _ world: LawWorld, _ fresh: () throws -> any Learner
  ) throws {
    if places.count == stop { learner = try copy(world, fresh) }
    places.append(place)
  }

  private func copy(_ world: LawWorld, _ fresh: () throws -> any Learner) throws -> any Learner {
    var copy = try fresh()
    let limits = StateLimits(world.shape, tasks: world.tasks.count)
    try StateDecoder.read(StateEncoder.bytes { try learner.saveState(to: $0) }, limits: limits) {
      try copy.restoreState(from: $0)
    }
    return copy
  }

  func difference(from other: Life, _ world: LawWorld) -> String? {
    if losses != other.losses { return "its losses are others" }
    let tasks: [Int?] = world.tasks.map(\.index) + [nil]
    for task in tasks
    where learner.predict(world.probe, knowing: task).bits != other.learner.predict(world.probe, knowing: task).bits {
      return "its predictions are others"
    }
    if learner.cost != other.learner.cost { return "its cost is \(learner.cost), not \(other.learner.cost)" }
    let (mine, others) = (try? state, try? other.state)
    return mine == others && mine != nil ? nil : "it ends with another state"
  }

  private var state: [UInt8] { get throws { try StateEncoder.bytes { try learner.saveState(to: $0) } } }
}

extension LawWorld {
  /// Batches of 8, two passes.
  fileprivate func feed(_ task: Int, _ plan: TrainingPlan) -> BatchFeed {
    var settings = FeedSettings()
    (settings.batch, settings.epochs) = (8, 2)
    return BatchFeed(
      plan.rows == .all ? Array(rows[...task]) : [rows[task]], settings, batchFactor: plan.batchFactor,
      using: Seed(5).stream("order", task))
  }
}
