import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct AveragedGradientMemoryTests {
  private let task = ExperienceInfo(index: 1, name: "second", outputs: 0..<3, seenOutputs: 0..<3, rows: 8)

  private func world() -> (MLP, Batch) {
    let model = PenaltyWorld.linear(inputs: 4, outputs: 3)
    return (model, PenaltyWorld.rows(8, inputs: 4, labels: 0..<3).batch)
  }

  private func projected(_ gradient: FloatBuffer, task: ExperienceInfo? = nil, rows: Batch? = nil) -> FloatBuffer {
    let (model, stored) = world()
    var lender = Lender(model, AllRows(rows: rows ?? stored), using: Seed(1).stream("lender"))
    var (part, result) = (AveragedGradientMemory(), gradient)
    part.transform(&result, &lender, StepContext(experience: task ?? self.task, epoch: 0, step: 0))
    return result
  }

  /// The mean gradient of the stored rows.
  private func reference() -> FloatBuffer {
    let (model, stored) = world()
    var (lender, g) = (Lender(model, using: Seed(1).stream("lender")), FloatBuffer(count: 0))
    lender.gradient(of: stored, into: &g)
    return g
  }

  @Test func `a gradient against the stored rows loses its part along them`() {
    let r = reference()
    var (g, rng) = (FloatBuffer(count: r.count), Seed(2).stream("gradient"))
    g.update { _ in Float(rng.normal()) }
    g.add(r, times: Float(-(g.dot(r) + 1) / r.dot(r)))
    #expect(g.dot(r) < -0.9)
    let result = projected(g)
    #expect(abs(result.dot(r)) < 1e-5)
    // What is across r stays: g + (1 / r·r) r up to rounding, since g·r = −1.
    var expected = g
    expected.add(r, times: Float(-g.dot(r) / r.dot(r)))
    #expect(result == expected)
  }

  @Test func `three numbers by hand`() {
    // Weights 0: every p is ½. Row a = (2, 0, −2) of label 1 and row b = −a of label 0: r = ½ (½ b − ½ a) = (−1, 0, 1), nothing for
    // the bias. g = (1, 2, −1): g·r = −2, r·r = 2, so g + r = (0, 2, 0). That r is added once whatever the lengths would do as well
    // here; the other tests see it.
    var model = PenaltyWorld.linear(inputs: 3, outputs: 1)
    model.parameters.fill(0)
    let rows = Rows(Matrix([[2, 0, -2], [-2, 0, 2]]), labels: [1, 0], experience: 0).batch
    var lender = Lender(model, AllRows(rows: rows), using: Seed(1).stream("lender"))
    var (part, gradient) = (AveragedGradientMemory(), FloatBuffer(count: model.parameters.count))
    for (place, value) in zip(model.layers[0].weightRange, [Float(1), 2, -1]) { gradient[place] = value }
    let info = ExperienceInfo(index: 1, name: "second", outputs: 0..<1, seenOutputs: 0..<1, rows: 2)
    part.transform(&gradient, &lender, StepContext(experience: info, epoch: 0, step: 0))
    #expect(model.layers[0].weightRange.map { gradient[$0] } == [0, 2, 0])
    #expect(gradient.array.reduce(0) { $0 + abs($1) } == 2)
  }

  @Test func `a gradient along them, and one across them, stay as they are`() {
    let r = reference()
    #expect(projected(r) == r)
    #expect(projected(FloatBuffer(count: r.count)) == FloatBuffer(count: r.count))
  }

  @Test func `so does every gradient in the first task and beside an empty memory`() {
    var against = reference()
    against.scale(by: -1)
    let first = ExperienceInfo(index: 0, name: "first", outputs: 0..<3, seenOutputs: 0..<3, rows: 8)
    #expect(projected(against, task: first) == against)
    #expect(projected(against, rows: Batch(columns: 4)) == against)
    #expect(projected(against) != against)
  }

  @Test func `stored rows that cannot be improved on leave the gradient alone`() {
    // A row of weight 0 has no gradient: r = 0, and nothing is divided by it.
    let (_, stored) = world()
    var weightless = stored
    weightless.weights = stored.weights.map { _ in 0 }
    var g = reference()
    g.scale(by: -1)
    #expect(projected(g, rows: weightless) == g)
  }

  @Test func `stored rows serve it alone and take the outputs of their own task`() throws {
    // Heads: a stored row's gradient goes through the head of its own task.
    var memory = Reservoir()
    memory.limits.capacity = 20
    #expect(LearnerLaws.violations(of: [AveragedGradientMemory(), memory, Heads()]) == [])
    #expect(CheckpointLaws.violations(of: [AveragedGradientMemory(), memory, EWC()]) == [])
    let setup = LearnerSetup(shape: TaskShape(inputs: 4, outputs: 3), hidden: [5], seed: Seed(1))
    var learner = try ComposedLearner(setup, [AveragedGradientMemory(), memory])
    var reports: [StepReport] = []
    for index in 0..<2 {
      let info = ExperienceInfo(index: index, name: "task", outputs: 0..<3, seenOutputs: 0..<3, rows: 8)
      learner.begin(info)
      for step in 0..<3 {
        reports.append(learner.learn(world().1, StepContext(experience: info, epoch: 0, step: step)))
      }
    }
    #expect(reports.allSatisfy { $0.rows == 8 })
  }

  /// Published code lets stored rows through the head of the task at hand.
  @Test func `the gradient of a stored row is that of its own task's head`() throws {
    var memory = Reservoir()
    memory.limits.capacity = 20
    let setup = LearnerSetup(shape: TaskShape(inputs: 4, outputs: 3), hidden: [5], seed: Seed(1))
    var learner = try ComposedLearner(setup, [Peek(), memory, Heads()])
    var before = 0
    for index in 0..<2 {
      before = learner.model.parameters.count
      let info = ExperienceInfo(index: index, name: "task", outputs: 0..<3, seenOutputs: 0..<3, rows: 8)
      learner.begin(info)
      var rows = world().1
      rows.setExperience(index)
      _ = learner.learn(rows, StepContext(experience: info, epoch: 0, step: 0))
    }
    let gradient = try #require(learner.parts.lazy.compactMap { $0 as? Peek }.first).seen.value
    #expect(gradient.count == learner.model.parameters.count && gradient.count > before)
    #expect((0..<before).contains { gradient[$0] != 0 })
    #expect((before..<gradient.count).allSatisfy { gradient[$0] == 0 })
  }

  @Test func `it says what it needs, and what it cannot stand beside`() {
    let setup = LearnerSetup(shape: TaskShape(inputs: 4, outputs: 3), hidden: [], seed: Seed(1))
    #expect(throws: CompositionError("\"a-gem\": it needs stored rows; put a memory such as \"reservoir\" beside it."))
    {
      try ComposedLearner(setup, [AveragedGradientMemory()])
    }
    #expect(
      throws: CompositionError("\"a-gem\": its rows are not replayed, which \"dark-replay\" needs; keep one of them.")
    ) { try ComposedLearner(setup, [AveragedGradientMemory(), DarkReplay(), Reservoir()]) }
  }

  @Test func `a lender changes nothing of the network it lends`() {
    let (model, rows) = world()
    var lender = Lender(model, AllRows(rows: rows), using: Seed(1).stream("lender"))
    var direction = FloatBuffer(repeating: 1, count: model.parameters.count)
    let before = lender.losses(of: rows)
    lender.move(along: direction, times: 0.5)
    #expect(lender.losses(of: rows) != before)
    lender.gradient(of: rows, into: &direction)
    lender.moveBack()
    #expect(lender.losses(of: rows) == before)
  }

  @Test func `what it lends is what the network computes`() {
    let (model, rows) = world()
    var lender = Lender(model, using: Seed(1).stream("lender"))
    let (mean, losses) = (lender.gradient(of: rows), lender.losses(of: rows))
    #expect(abs(mean - losses.reduce(0) { $0 + Double($1) } / 8) < 1e-5)
    #expect(lender.features(of: rows) == rows.inputs)
  }
}

extension Lender {
  fileprivate mutating func gradient(of rows: Batch) -> Double {
    var ignored = FloatBuffer(count: 0)
    return gradient(of: rows, into: &ignored)
  }
}

/// Always brings all its rows back.
private struct AllRows: Memory {
  static let name = "all-rows"
  static let summary = "Brings all rows back."
  static let source = "For these tests."
  var replay = ReplayOptions()
  var rows = Batch(columns: 4)

  init() {}
  init(rows: Batch) { self.rows = rows }

  var count: Int { rows.count }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {}
  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) { batch.append(rows) }
}

/// Looks at the gradient of the stored rows of the first task, and changes nothing.
private struct Peek: GradientTransform {
  static let name = "peek"
  static let summary = "For tests."
  static let source = "For tests."
  static let takesMemory = true

  var seen = WorkingRoom(FloatBuffer(count: 0))

  mutating func transform(_ gradient: inout FloatBuffer, _ lender: inout Lender, _ context: StepContext) {
    if context.experience.index > 0 { lender.gradient(of: lender.draw(20), into: &seen.value) }
  }
}
