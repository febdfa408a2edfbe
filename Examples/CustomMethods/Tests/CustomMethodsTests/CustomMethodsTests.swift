import Palimpsest
import PalimpsestTesting
import Testing
import custom_methods

struct CustomMethodsTests {
  @Test func `each obeys the law of its role`() {
    #expect(PenaltyLaws.violations(of: Sensitivity()) == [])
    #expect(OutputLossLaws.violations(of: PlainDistillation()) == [])
    #expect(OutputLossLaws.violations(of: StoredLogits()) == [])
    #expect(TransformLaws.violations(of: ProjectedGradient()) == [])
    #expect(IsolationLaws.violations(of: HardGates()) == [])
    #expect(DetectorLaws.violations(of: Cusum()) == [])
  }

  @Test func `each makes a learner beside EWC and a memory`() {
    for part in [Sensitivity(), PlainDistillation(), StoredLogits(), ProjectedGradient(), HardGates()]
      as [any StrategyPart]
    {
      #expect(LearnerLaws.violations(of: [part, EWC(), Reservoir()]) == [])
    }
  }

  /// Ways of one input and unit: z = x·w·v, so |∂z²/∂w| = 2 |z x v| of each row, averaged.
  @Test func `sensitivity takes each row's magnitude by itself`() {
    var rng = Seed(1).stream("test")
    var model = MLP(shape: TaskShape(inputs: 1, outputs: 1), hidden: [1], using: &rng)
    for layer in model.layers { (model.parameters[layer.weight], model.parameters[layer.bias ?? 0]) = (2, 0) }
    let info = ExperienceInfo(index: 0, name: "a", outputs: 0..<1, seenOutputs: 0..<1, rows: 2)
    let rows = Rows(Matrix([[1], [3]]), labels: [0, 1], experience: 0)
    let ended = EndedExperience(
      info: info, data: rows, network: Network(model), way: model.plainProgram, outputs: 0..<1)
    var part = Sensitivity()
    part.consolidate(ended, using: &rng)
    // Rows 1 and 3: z = 4 and 12; |∂z²/∂w| = 2·4·1·2 and 2·12·3·2, mean 80. One unit away from the anchor: λ·80.
    var moved = model.parameters
    moved[model.layers[0].weight] += 1
    var gradient = FloatBuffer(count: moved.count)
    #expect(part.add(at: moved, to: &gradient) == 80)
    #expect(gradient[model.layers[0].weight] == 160)
  }

  @Test func `the sum alarms where it passes its threshold`() {
    var detector = Cusum()
    (detector.least, detector.delta, detector.threshold) = (4, 0.25, 2)
    // Mean .25 of the first four; each error then adds .5, so the fifth one passes 2.
    #expect(DetectorLaws.alarms(of: detector, on: [0, 0, 0, 1] + Array(repeating: 1, count: 8)) == [8])
  }
}
