import PalimpsestCore

/// A learner's life through all tasks of a world, with a stop at one of its places, where it is turned to bytes and back.
struct Life {
  private(set) var learner: any Learner
  /// Where it can be stopped.
  private(set) var places: [String] = []
  /// The bits of each step's loss.
  private var losses: [UInt64] = []
  /// Each step's penalty.
  private var penalties: [Float] = []

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
        let context = world.context(task, feed)
        let report = learner.learn(feed.batch, context)
        losses.append(report.loss.bitPattern)
        penalties.append(report.penalty)
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

  /// - Parameter tolerance: of the penalties, as a share of their size.
  func difference(from other: Life, _ world: LawWorld, tolerance: Float = 0) -> String? {
    if losses != other.losses { return "its losses are others" }
    let agree = zip(penalties, other.penalties).allSatisfy {
      $0.bitPattern == $1.bitPattern || abs($0 - $1) <= tolerance * abs($1)
    }
    guard agree else { return "its penalties are others" }
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
