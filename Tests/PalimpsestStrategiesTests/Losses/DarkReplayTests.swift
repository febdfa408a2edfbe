import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct DarkReplayTests {
  /// One stored row behind the given number of new ones.
  private func rows(_ logits: Matrix, stored: Matrix, new: Int) -> LossRows {
    var rows = LossRows(
      labels: Array(repeating: 0, count: logits.rows), weights: Array(repeating: 0, count: logits.rows),
      rows: 0..<logits.rows, outputs: 0..<logits.columns)
    rows.new = 0..<new
    rows.draws = [new..<logits.rows]
    rows.drawn = [logits.rows - new]
    rows.ownWeights = Array(repeating: 1, count: logits.rows)
    rows.answers = stored
    return rows
  }

  @Test(arguments: [(DarkReplay.Reduction.mean, 2.75, [Float(-0.5), 0, -0.5, 1.5]), (.sum, 11, [-2, 0, -2, 6])])
  func `the distance by hand`(reduction: DarkReplay.Reduction, value: Double, slopes: [Float]) {
    // z = (1, 0, −1, 2), stored (2, 0, 0, −1): squares 1, 0, 1, 9. Gradient 2 (z − s) / C.
    var part = DarkReplay()
    (part.alpha, part.reduction) = (1, reduction)
    let logits = Matrix([[5, 5, 5, 5], [1, 0, -1, 2]])
    let unknown = [Float](repeating: .nan, count: 4)
    var gradient = Matrix(rows: 2, columns: 4)
    let sum = part.add(logits, rows(logits, stored: Matrix([unknown, [2, 0, 0, -1]]), new: 1), to: &gradient)
    #expect(sum == value && gradient.row(0) == [0, 0, 0, 0] && gradient.row(1) == slopes)
  }

  @Test func `outputs that took no part when the row was stored are left out`() {
    // Two of four known: mean of 1 and 9; rows average over both drawn, one of which knows nothing: 5 / 2.
    var part = DarkReplay()
    part.alpha = 1
    let logits = Matrix([[1, 0, -1, 2], [1, 0, -1, 2]])
    let unknown = [Float](repeating: .nan, count: 4)
    var gradient = Matrix(rows: 2, columns: 4)
    let sum = part.add(logits, rows(logits, stored: Matrix([[2, .nan, .nan, -1], unknown]), new: 0), to: &gradient)
    #expect(sum == 2.5 && gradient.row(0) == [-0.5, 0, 0, 1.5] && gradient.row(1) == [0, 0, 0, 0])
  }

  @Test func `the distance is the second draw's alone`() {
    // Rows: new, drawn by label (z − s = 3), drawn by logits (z − s = 2): mean of 4 and 0, not of 9 and 0.
    var part = DarkReplay()
    (part.alpha, part.beta) = (1, 1)
    let logits = Matrix([[0, 0], [3, 0], [2, 0]])
    var both = rows(logits, stored: Matrix([[.nan, .nan], [0, 0], [0, 0]]), new: 1)
    (both.draws, both.drawn) = ([1..<2, 2..<3], [1, 1])
    var gradient = Matrix(rows: 3, columns: 2)
    #expect(part.shares == ReplayShares(draws: [1, 0]))
    #expect(part.add(logits, both, to: &gradient) == 2)
    #expect(gradient.row(0) == [0, 0] && gradient.row(1) == [0, 0] && gradient.row(2) == [2, 0])
  }

  @Test func `a stored row's own weight counts`() {
    var part = DarkReplay()
    part.alpha = 1
    let logits = Matrix([[1, 0]])
    var weighted = rows(logits, stored: Matrix([[0, 0]]), new: 0)
    weighted.ownWeights = [3]
    var gradient = Matrix(rows: 1, columns: 2)
    #expect(part.add(logits, weighted, to: &gradient) == 1.5 && gradient.row(0) == [3, 0])
  }

  private let setup = LearnerSetup(
    shape: TaskShape(inputs: 5, outputs: 4), hidden: [6], optimizer: SGD(), outputRule: .all, seed: Seed(3))

  private func info(_ task: Int) -> ExperienceInfo {
    ExperienceInfo(index: task, name: "task", outputs: 0..<4, seenOutputs: 0..<4, rows: 24)
  }

  private func train(_ parts: [any StrategyPart], optimizer: any Optimizer = SGD()) throws -> ComposedLearner {
    var setup = setup
    setup.optimizer = optimizer
    var learner = try ComposedLearner(setup, parts)
    for task in 0..<2 {
      let rows = PenaltyWorld.rows(24, inputs: 5, labels: 0..<4, seed: UInt64(task + 1))
      let own = Rows(table: rows.table, experience: task, places: rows.places, labels: rows.labels)
      var feed = BatchFeed([own], FeedSettings.of(batch: 6, epochs: 4), using: Seed(2).stream("order", task))
      learner.begin(info(task))
      while feed.advance() {
        _ = learner.learn(feed.batch, StepContext(experience: info(task), epoch: feed.epoch, step: feed.step - 1))
      }
      learner.finish(info(task), revisiting: own)
    }
    return learner
  }

  private var reservoir: Reservoir {
    var memory = Reservoir()
    memory.limits.capacity = 15
    return memory
  }

  @Test func `without the distance it is replay, bit for bit`() throws {
    var (plain, dark) = (reservoir, DarkReplay())
    (plain.replay.weighing, plain.replay.beta) = (.added, 0.75)
    (dark.alpha, dark.beta) = (0, 0.75)
    #expect(try train([dark, reservoir]).model.parameters == train([plain]).model.parameters)
  }

  @Test func `rows are stored with the logits of the pass before the update`() throws {
    var (dark, keeper) = (DarkReplay(), FirstStored())
    (dark.alpha, keeper.capacity) = (1, 6)
    var learner = try ComposedLearner(setup, [dark, keeper])
    let rows = PenaltyWorld.rows(6, inputs: 5, labels: 0..<4)
    learner.begin(info(0))
    let before = learner.predict(rows.batch.inputs, knowing: 0)
    _ = learner.learn(rows.batch, StepContext(experience: info(0), epoch: 0, step: 0))
    #expect(learner.predict(rows.batch.inputs, knowing: 0) != before)
    let stored = try #require(learner.parts.compactMap { $0 as? FirstStored }.first?.rows)
    #expect(stored.answers == before)
    // Five columns, label and task, and four logits.
    #expect(stored.rowBytes == 4 * (5 + 2 + 4))
    #expect(learner.cost.bytesMemory == 0)
  }

  @Test func `the two terms draw rows of their own`() throws {
    var dark = DarkReplay()
    (dark.alpha, dark.beta) = (0.5, 0.5)
    let learner = try train([dark, reservoir])
    // From the first step on the memory is empty, then each step has 6 new rows and twice 6 drawn ones.
    let plain = try train([reservoir])
    #expect(learner.cost.multiplyAdds > plain.cost.multiplyAdds * 5 / 4)
    #expect(learner.cost.bytesMemory == 15 * 4 * (5 + 2 + 4) && plain.cost.bytesMemory == 15 * 4 * (5 + 2))
  }

  @Test func `it says that it needs a memory`() {
    #expect(
      throws: CompositionError("\"dark-replay\": it needs stored rows; put a memory such as \"reservoir\" beside it.")
    ) {
      try ComposedLearner(setup, [DarkReplay()])
    }
  }

  @Test func `core-sets store the logits of the network that ended the task`() throws {
    var (dark, herding) = (DarkReplay(), Herding())
    (dark.alpha, herding.limits.capacity) = (1, 8)
    #expect(LearnerLaws.violations(of: [dark, herding]) == [])
    let learner = try train([dark, herding])
    #expect(learner.cost.bytesMemory == 8 * 4 * (5 + 2 + 4))
  }
}

/// Keeps the first rows offered, with all they carry.
private struct FirstStored: Memory {
  static let name = "first-stored"
  static let summary = "Keeps the first rows."
  static let source = "For these tests."
  var replay = ReplayOptions()
  var capacity = 6
  private(set) var rows: Batch?

  var count: Int { rows?.count ?? 0 }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {
    if rows == nil { rows = batch }
  }
  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) { if let rows { batch.append(rows) } }
}

extension FeedSettings {
  static func of(batch: Int, epochs: Int) -> FeedSettings {
    var settings = FeedSettings()
    (settings.batch, settings.epochs) = (batch, epochs)
    return settings
  }
}
