import PalimpsestCore
import PalimpsestStrategies
import Testing

@Suite struct BoundTests {
  @Test func `joint refits on all rows`() {
    #expect(Joint().plan(for: 2) == TrainingPlan(rows: .all, restarts: true, batchFactor: 1))
  }

  @Test func `joint trains on with batches that grow with the tasks`() {
    var joint = Joint()
    (joint.restart, joint.growBatch) = (false, true)
    #expect((0..<3).map { joint.plan(for: $0).batchFactor } == [1, 2, 3])
    #expect(joint.plan(for: 2) == TrainingPlan(rows: .all, restarts: false, batchFactor: 3))
  }

  @Test func `scratch takes the task's rows and fresh weights`() {
    #expect(Scratch().plan(for: 1) == TrainingPlan(rows: .current, restarts: true))
  }

  @Test func `frozen learns the first task only`() {
    #expect((0..<3).map { Frozen().plan(for: $0).rows } == [.current, .none, .none])
  }

  @Test(arguments: [true, false])
  func `fresh weights are trained as a whole beside any isolation`(isJoint: Bool) throws {
    let isolations: [any Isolation] = [Adapters(), LowRankAdapters(), BiasOnly(), LastLayer(), Heads()]
    for isolation in isolations {
      let setup = LearnerSetup(
        shape: TaskShape(inputs: 2, outputs: 1), hidden: [4], optimizer: Adam(), seed: Seed(1))
      let bound: any StrategyPart = isJoint ? Joint() : Scratch()
      var learner = try ComposedLearner(setup, [bound, isolation])
      for index in 0..<2 {
        let info = ExperienceInfo(index: index, name: "task", outputs: 0..<1, seenOutputs: 0..<1, rows: 8)
        let inputs = Matrix((0..<8).map { [Float($0), 1] })
        let rows = Rows(inputs, labels: (0..<8).map { Int32($0 % 2) }, experience: index)
        learner.begin(info)
        let start = learner.model.parameters
        for step in 0..<20 { _ = learner.learn(rows.batch, StepContext(experience: info, epoch: 0, step: step)) }
        let trunk = learner.model.layers[0]
        let moved = (trunk.weight..<trunk.weight + 8).contains { learner.model.parameters[$0] != start[$0] }
        #expect(moved, "\(type(of: isolation).name), task \(index + 1): the first layer stays random")
        learner.finish(info, revisiting: rows)
      }
    }
  }

  @Test func `a restart leaves nothing of the task before`() throws {
    // Two lives with other first tasks are one and the same after the second begins.
    let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 1), hidden: [4], optimizer: Adam(), seed: Seed(1))
    let ends = try [Float(1), -1].map { sign in
      var learner = try ComposedLearner(setup, [Scratch(), EWC()])
      for (index, value) in [sign, 2].enumerated() {
        let info = ExperienceInfo(index: index, name: "task", outputs: 0..<1, seenOutputs: 0..<1, rows: 1)
        let rows = Rows(Matrix([[value, 1]]), labels: [1], experience: index)
        learner.begin(info)
        for step in 0..<3 { _ = learner.learn(rows.batch, StepContext(experience: info, epoch: 0, step: step)) }
        if index == 0 { learner.finish(info, revisiting: rows) }
      }
      return learner.model.parameters
    }
    #expect(ends[0] == ends[1] && ends[0] != setup.makeModel().parameters)
  }
}
