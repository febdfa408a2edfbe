import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct ShrinkPerturbTests {
  private let setup = LearnerSetup(
    shape: TaskShape(inputs: 3, outputs: 2), hidden: [4], optimizer: Momentum(), resetsOptimizer: false, seed: Seed(5))

  private func info(_ task: Int) -> ExperienceInfo {
    ExperienceInfo(index: task, name: "task", outputs: 0..<2, seenOutputs: 0..<2, rows: 8)
  }

  @Test(arguments: ShrinkPerturb.When.allCases)
  func `it keeps the laws, and at λ = 1, σ = 0 it is the identity`(when: ShrinkPerturb.When) {
    var (part, idle) = (ShrinkPerturb(), ShrinkPerturb())
    (part.when, idle.when, idle.keep, idle.sigma) = (when, when, 1, 0)
    #expect(RenewalLaws.violations(of: part, identity: idle) == [])
    #expect(LearnerLaws.violations(of: [part]) == [])
    #expect(CheckpointLaws.violations(of: [part, EWC()]) == [])
  }

  @Test func `weights are shrunk, and fresh ones of the initialiser added`() {
    var (model, rng) = (setup.makeModel(), Seed(6).stream("renewal"))
    let (before, stream) = (model, rng)
    var part = ShrinkPerturb()
    (part.keep, part.sigma) = (0.5, 0.25)
    let ranges = part.renew(&model, within: .all(model.parameters.count), .task(info(1)), using: &rng)
    var copy = stream
    let fresh = MLP(shape: model.shape, hidden: model.hidden, using: &copy)
    #expect(ranges == before.layout.blocks.map(\.range))
    for i in ranges.joined() {
      #expect(model.parameters[i] == 0.5 * before.parameters[i] + 0.25 * fresh.parameters[i])
    }
  }

  @Test func `nothing happens before the first task, and heads of tasks are left alone`() throws {
    var learner = try ComposedLearner(setup, [ShrinkPerturb(), Heads()])
    learner.begin(info(0))
    #expect(learner.model.parameters == setup.makeModel().parameters)
    let trunk = learner.model.layers[0].weightRange
    let before = learner.model.parameters
    learner.begin(info(1))
    #expect(trunk.allSatisfy { learner.model.parameters[$0] != before[$0] })
    let head = learner.model.layout.blocks.filter { $0.name.hasPrefix("head1") }.map(\.range).joined()
    #expect(!head.isEmpty && head.contains { learner.model.parameters[$0] != 0 })
  }

  @Test func `the optimiser forgets its velocity of the weights renewed`() throws {
    // A zero gradient afterwards: velocity that was kept would go on moving the weights.
    func moved(_ parts: [any StrategyPart]) throws -> Bool {
      var learner = try ComposedLearner(setup, parts)
      let rows = PenaltyWorld.rows(8, inputs: 3, labels: 0..<2)
      learner.begin(info(0))
      for step in 0..<5 { _ = learner.learn(rows.batch, StepContext(experience: info(0), epoch: 0, step: step)) }
      learner.begin(info(1))
      let before = learner.model.parameters
      var weightless = rows.batch
      weightless.weights = weightless.weights.map { _ in 0 }
      _ = learner.learn(weightless, StepContext(experience: info(1), epoch: 0, step: 0))
      return learner.model.parameters != before
    }
    #expect(try moved([]) && !moved([ShrinkPerturb()]))
  }

  @Test func `noise after each step follows σ`() {
    var (model, rng) = (setup.makeModel(), Seed(7).stream("renewal"))
    let before = model.parameters
    var part = ShrinkPerturb()
    (part.keep, part.sigma, part.when) = (1, 0.01, .step)
    let count = 200
    for step in 0..<count {
      _ = part.renew(
        &model, within: .all(model.parameters.count),
        .step(StepContext(experience: info(0), epoch: 0, step: step), UnitActivity()), using: &rng)
    }
    // A random walk of 200 steps of 0.01: standard deviation 0.01 √200 = 0.141 over 26 weights.
    let places = model.layout.blocks.flatMap { Array($0.range) }
    let variance = places.reduce(0.0) {
      $0 + Double((model.parameters[$1] - before[$1]) * (model.parameters[$1] - before[$1]))
    }
    let deviation = (variance / Double(places.count)).squareRoot()
    #expect(deviation > 0.08 && deviation < 0.22 && places.count == 26)
  }
}
