import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct ContextGatingTests {
  private let setup = LearnerSetup(
    shape: TaskShape(inputs: 3, outputs: 2), hidden: [10, 5], activation: .tanh, initializer: .uniform, seed: Seed(3))

  private func info(_ task: Int) -> ExperienceInfo {
    ExperienceInfo(index: task, name: "task", outputs: 0..<2, seenOutputs: 0..<2, rows: 8)
  }

  @Test func `a fixed share of the units is off, others in each task`() {
    var (part, model, rng) = (ContextGating(), setup.makeModel(), Seed(4).stream("isolation"))
    var gates: [[[Float]]] = []
    for task in 0..<3 {
      let mask = part.prepare(&model, for: info(task), using: &rng)
      let way = part.program(for: task, in: model)
      let places = way.steps.compactMap { step -> Range<Int>? in
        if case .gate(let source, _, let place, _) = step { place..<(place + way.widths[source]) } else { nil }
      }
      gates.append(places.map { $0.map { model.parameters[$0] } })
      #expect(
        gates[task].map { $0.filter { $0 == 0 }.count } == [8, 4] && gates[task].map { $0.reduce(0, +) } == [2, 1])
      #expect(places.allSatisfy { place in !mask.ranges.contains { $0.overlaps(place) } })
    }
    #expect(Set(gates.map { $0[0] }).count > 1)
  }

  @Test func `a unit that is off says 0, whatever its bias`() {
    var (part, model, rng) = (ContextGating(), setup.makeModel(), Seed(4).stream("isolation"))
    _ = part.prepare(&model, for: info(0), using: &rng)
    for i in model.layers[0].biasRange ?? 0..<0 { model.parameters[i] = 3 }
    let way = part.program(for: 0, in: model)
    var network = Network(model)
    // Slot 1 is f(x W + b), slot 2 what the gate leaves of it.
    let (open, gated) = (
      network.activations(Matrix([[1, 0, -1]]), way, of: 1), network.activations(Matrix([[1, 0, -1]]), way, of: 2)
    )
    #expect(open.row(0).allSatisfy { $0 > 0 } && gated.row(0).filter { $0 == 0 }.count == 8)
    #expect(zip(open.row(0), gated.row(0)).allSatisfy { $1 == 0 || $0 == $1 })
  }

  @Test(arguments: [[2, 1], [5, 4]])
  func `one unit of a layer stays on, however large the share`(hidden: [Int]) {
    var (part, setup) = (ContextGating(), setup)
    (part.gated, setup.hidden) = (0.99, hidden)
    var (model, rng) = (setup.makeModel(), Seed(4).stream("isolation"))
    _ = part.prepare(&model, for: info(0), using: &rng)
    let way = part.program(for: 0, in: model)
    for case .gate(let source, _, let place, _) in way.steps {
      #expect((0..<way.widths[source]).map { model.parameters[place + $0] }.reduce(0, +) == 1)
    }
  }

  @Test func `weights of units that are off keep their bits`() throws {
    var learner = try ComposedLearner(setup, [ContextGating()])
    learner.begin(info(0))
    let before = learner.model
    let rows = PenaltyWorld.rows(8, inputs: 3, labels: 0..<2)
    for step in 0..<5 { _ = learner.learn(rows.batch, StepContext(experience: info(0), epoch: 0, step: step)) }
    let part = try #require(learner.parts.compactMap { $0 as? ContextGating }.first)
    let way = part.program(for: 0, in: learner.model)
    guard case .gate(_, _, let place, _) = way.steps[1] else {
      Issue.record("no gate after the first layer")
      return
    }
    for unit in 0..<10 {
      let weights = (0..<3).map { before.layers[0].weight + $0 * 10 + unit }
      let moved = weights.contains { learner.model.parameters[$0] != before.parameters[$0] }
      #expect(moved == (before.parameters[place + unit] == 1), "unit \(unit)")
    }
  }

  @Test func `gates cost a float a unit and task`() throws {
    var learner = try ComposedLearner(setup, [ContextGating()])
    let plain = setup.makeModel().parameterCount
    for task in 0..<3 {
      learner.begin(info(task))
      #expect(learner.cost.bytesModel == 4 * (plain + 15 * (task + 1)))
    }
  }

  @Test func `it combines with penalties and replay, and classes of each task's own`() {
    #expect(LearnerLaws.violations(of: [ContextGating(), SynapticIntelligence(), Reservoir()]) == [])
    #expect(FusionLaws.violations(of: [ContextGating(), EWC()], optimizer: Momentum()) == [])
  }
}
