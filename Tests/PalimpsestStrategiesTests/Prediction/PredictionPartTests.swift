import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct PredictionPartTests {
  private let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 2), hidden: [4], seed: Seed(5))

  private func info(_ task: Int) -> ExperienceInfo {
    ExperienceInfo(index: task, name: "task", outputs: 0..<2, seenOutputs: 0..<2, rows: 8)
  }

  @Test func `the average begins as the plain mean and then forgets`() {
    // Decay ½: shares of the new weights 1 − min(½, 1/2) = ½, then ½ …: 0 → (first step sets it) 2; then 4: 3; then 8: 5.5.
    var part = WeightAverage()
    part.decay = 0.5
    let context = StepContext(experience: info(0), epoch: 0, step: 0)
    for (value, expected) in [(Float(2), Float(2)), (4, 3), (8, 5.5)] {
      part.observe(FloatBuffer([value]), context)
      #expect(part.parameters?.array == [expected])
    }
    // With a long decay the first steps are averaged evenly, but for the start at the first: 2, (2 + ⅓ · 2), …
    part = WeightAverage()
    part.decay = 0.9999
    for (value, expected) in [(Float(2), Float(2)), (5, 3), (3, 3)] {
      part.observe(FloatBuffer([value]), context)
      #expect(abs((part.parameters?[0] ?? 0) - expected) < 1e-6)
    }
    // Parameters that are added enter as they are.
    part.observe(FloatBuffer([3, 7]), context)
    #expect(part.parameters?[1] == 7)
  }

  @Test func `training does not see the average, prediction does`() throws {
    let rows = PenaltyWorld.rows(8, inputs: 2, labels: 0..<2)
    var (plain, averaged) = (try ComposedLearner(setup, []), try ComposedLearner(setup, [WeightAverage()]))
    plain.begin(info(0))
    averaged.begin(info(0))
    #expect(plain.predict(rows.batch.inputs, knowing: 0) == averaged.predict(rows.batch.inputs, knowing: 0))
    for step in 0..<9 {
      let context = StepContext(experience: info(0), epoch: 0, step: step)
      #expect(plain.learn(rows.batch, context) == averaged.learn(rows.batch, context))
    }
    #expect(plain.model.parameters == averaged.model.parameters)
    #expect(plain.predict(rows.batch.inputs, knowing: 0) != averaged.predict(rows.batch.inputs, knowing: 0))
    #expect(averaged.cost.bytesImportance == 4 * averaged.model.parameterCount)
  }

  @Test func `a mean of weights keeps the laws of a predictor`() {
    #expect(PredictorLaws.violations(of: WeightAverage()) == [])
  }

  @Test(arguments: Gate.Choice.allCases)
  func `a gate keeps the laws of a chooser`(choice: Gate.Choice) {
    var gate = Gate()
    gate.choice = choice
    #expect(WayChooserLaws.violations(of: gate) == [])
    #expect(LearnerLaws.violations(of: [gate, Adapters()]) == [])
    #expect(CheckpointLaws.violations(of: [gate, Heads()]) == [])
  }

  /// Two tasks with their rows far apart: at (−10, y) and at (10, y).
  private func apart(_ task: Int) -> Rows {
    var rng = Seed(8).stream("rows", task)
    let inputs = Matrix((0..<20).map { _ in [Float(task == 0 ? -10 : 10), Float(rng.normal())] })
    return Rows(inputs, labels: (0..<20).map { inputs[$0, 1] > 0 ? 1 : 0 }, experience: task)
  }

  private func gated(_ choice: Gate.Choice) throws -> ComposedLearner {
    var gate = Gate()
    gate.choice = choice
    var learner = try ComposedLearner(setup, [gate, Heads()])
    for task in 0..<2 {
      learner.begin(info(task))
      for step in 0..<20 {
        _ = learner.learn(apart(task).batch, StepContext(experience: info(task), epoch: 0, step: step))
      }
      learner.finish(info(task), revisiting: apart(task))
    }
    return learner
  }

  @Test func `rows far apart find their own task by the nearest mean`() throws {
    let learner = try gated(.prototype)
    for task in 0..<2 {
      let inputs = apart(task).batch.inputs
      #expect(learner.predict(inputs, knowing: nil) == learner.predict(inputs, knowing: task))
    }
    let latest = try gated(.latest)
    let inputs = apart(0).batch.inputs
    #expect(latest.predict(inputs, knowing: nil) == latest.predict(inputs, knowing: 1))
  }

  @Test func `the most certain answer wins`() {
    // Way 0 answers z = (0, 0), way 1 z = (5 x, 0): its entropy is lower wherever x ≠ 0, equal at 0, where the first task is taken.
    var model = PenaltyWorld.linear(inputs: 1, outputs: 2)
    for i in model.layers[0].ranges.joined() { model.parameters[i] = 0 }
    var rng = Seed(1).stream("head")
    let head = model.addLayer("head", inputs: 1, outputs: 2, isOutput: true, using: &rng)
    for i in head.ranges.joined() { model.parameters[i] = 0 }
    model.parameters[head.weight] = 5
    let ways = [model.plainProgram, model.program(Route(layers: [head], outputs: 0..<2))]
    #expect(Gate().choose(for: Matrix([[1], [0], [-2]]), among: ways, model) == [1, 0, 1])
  }

  @Test func `a gate without ways to choose from is refused`() {
    #expect(
      throws: CompositionError("\"gate\": all tasks take one way; put an isolation such as \"adapters\" beside it.")
    ) { try ComposedLearner(setup, [Gate()]) }
  }
}
