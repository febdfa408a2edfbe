import PalimpsestCore
import PalimpsestStrategies
import Testing

/// What a learner says it has cost: work outside the steps, rows that are kept, parameters without the gaps between them.
@Suite struct CostTests {
  /// 4-6-3: 4 · 6 + 6 · 3 = 42 multiply-adds forward, 6 · 3 = 18 to pass a derivative down.
  private let setup = LearnerSetup(
    shape: TaskShape(inputs: 4, outputs: 3), hidden: [6], optimizer: Adam(), seed: Seed(2))

  private func rows(_ task: Int, labels: Range<Int> = 0..<3) -> Rows {
    PenaltyWorld.rows(16, inputs: 4, labels: labels, seed: UInt64(task))
  }

  /// The cost after so many tasks of one step on 16 rows.
  private func cost(_ parts: [any StrategyPart], tasks: Int = 1, labels: Range<Int> = 0..<3) throws -> LearnerCost {
    var learner = try ComposedLearner(setup, parts)
    for task in 0..<tasks {
      let info = ExperienceInfo(index: task, name: "task", outputs: 0..<3, seenOutputs: 0..<3, rows: 16)
      let rows = rows(task, labels: labels)
      learner.begin(info)
      _ = learner.learn(rows.batch, StepContext(experience: info, epoch: 0, step: 0))
      learner.finish(info, revisiting: rows)
    }
    return learner.cost
  }

  /// Beyond the steps' passes of plain fine-tuning.
  private func work(_ part: any StrategyPart, labels: Range<Int> = 0..<3) throws -> Int {
    try cost([part], labels: labels).multiplyAdds - cost([]).multiplyAdds
  }

  @Test func `a step costs its passes`() throws {
    #expect(try cost([]).multiplyAdds == 16 * (42 + 42 + 18))
  }

  @Test(arguments: [
    // Forward, the products with the inputs once, and a derivative passed down for each of three classes.
    (Fisher.Labels.exact, Fisher.Reduction.sample, 16 * (42 + 42 + 3 * 18)),
    (.sampled, .sample, 16 * (42 + 42 + 18)), (.empirical, .sum, 16 * (42 + 42 + 18)),
    (.exact, .batch, 16 * (42 + 42 + 3 * 18)), (.predicted, .batch, 16 * (42 + 42 + 18)),
  ])
  func `Fisher passes are charged`(labels: Fisher.Labels, reduction: Fisher.Reduction, expected: Int) throws {
    var ewc = EWC()
    (ewc.fisher.fisherLabels, ewc.fisher.fisherReduction, ewc.fisher.fisherBatch) = (labels, reduction, 5)
    #expect(try work(ewc) == expected)
    ewc.fisher.fisherSamples = 4
    #expect(try work(ewc) == expected / 4)
  }

  @Test func `the choice of a core-set is charged, with the features it takes`() throws {
    // One class of 16 rows: 16 · 42 for their features, 6 wide.
    var herding = Herding()
    herding.limits.capacity = 3
    // Lengths before and after, 2 · 16, and products with the rows left: 16 + 15 + 14.
    #expect(try work(herding, labels: 1..<2) == 16 * 42 + 6 * (2 * 16 + 16 + 15 + 14))
    herding.space.space = .input
    #expect(try work(herding, labels: 1..<2) == 4 * (2 * 16 + 16 + 15 + 14))
    var centres = KCentre()
    centres.limits.capacity = 3
    // Distances of all rows to the mean and to three centres.
    #expect(try work(centres, labels: 1..<2) == 16 * 42 + 6 * 16 * (1 + 3))
  }

  @Test func `joint keeps the rows of all tasks so far, other bounds none`() throws {
    let row = 4 * (4 + 2)  // Four columns, label and task.
    for tasks in 1...3 { #expect(try cost([Joint()], tasks: tasks).bytesMemory == tasks * 16 * row) }
    #expect(try cost([Scratch()], tasks: 2).bytesMemory == 0)
    #expect(try cost([Frozen()]).bytesMemory == 0)
    var reservoir = Reservoir()
    reservoir.limits.capacity = 5
    #expect(try cost([reservoir], tasks: 2).bytesMemory == 5 * row)
    #expect(try cost([Joint(), reservoir], tasks: 2).bytesMemory == (2 * 16 + 5) * row)
  }

  /// 51 parameters lie in a vector of 80: its gaps belong to nobody.
  @Test func `bytes are those of parameters, whoever keeps them`() throws {
    let plain = try cost([])
    #expect(plain.bytesModel == 4 * 51 && plain.bytesOptimizer == 2 * 4 * 51)
    #expect(try cost([EWC()]).bytesImportance == 2 * 4 * 51)
    #expect(try cost([SynapticIntelligence()], tasks: 2).bytesImportance == 3 * 4 * 51)
    let grown = try cost([EWC(), Adapters()], tasks: 2)
    #expect(grown.bytesModel > plain.bytesModel && grown.bytesImportance == 2 * grown.bytesModel)
  }
}

/// Who had which work done, worked by hand: 4-6-3 costs 42 multiply-adds forward and 42 + 42 + 18 = 102 in training, a row.
@Suite struct CostByPartTests {
  private let setup = LearnerSetup(
    shape: TaskShape(inputs: 4, outputs: 3), hidden: [6], optimizer: Adam(), seed: Seed(2))

  private func info(_ task: Int) -> ExperienceInfo {
    ExperienceInfo(index: task, name: "task", outputs: 0..<3, seenOutputs: 0..<3, rows: 16)
  }

  /// After so many tasks of some steps, each on the task's 16 rows.
  private func learner(_ parts: [any StrategyPart], tasks: Int = 1, steps: Int = 1) throws -> ComposedLearner {
    var learner = try ComposedLearner(setup, parts)
    for task in 0..<tasks {
      let rows = PenaltyWorld.rows(16, inputs: 4, labels: 0..<3, seed: UInt64(task))
      learner.begin(info(task))
      for step in 0..<steps {
        var batch = rows.batch
        batch.setExperience(task)
        _ = learner.learn(batch, StepContext(experience: info(task), epoch: step, step: step))
      }
      learner.finish(info(task), revisiting: rows)
    }
    return learner
  }

  private func work(_ parts: [any StrategyPart], tasks: Int = 1, steps: Int = 1) throws -> [String: Int] {
    let costs = try learner(parts, tasks: tasks, steps: steps).cost.parts
    return Dictionary(uniqueKeysWithValues: costs.map { ($0.name, $0.multiplyAdds) })
  }

  @Test func `steps on a task's own rows are the network's`() throws {
    #expect(try work([], tasks: 2, steps: 3) == ["network": 2 * 3 * 16 * 102, "optimizer": 0])
  }

  @Test func `Fisher passes are the penalty's: rows, passes and classes`() throws {
    let fisher = 16 * (42 + 42 + 3 * 18)
    #expect(
      try work([EWC()], tasks: 2) == ["network": 2 * 16 * 102, "optimizer": 0, "ewc": 2 * fisher])
  }

  @Test func `rows that come back are the memory's`() throws {
    var reservoir = Reservoir()
    reservoir.limits.capacity = 10
    reservoir.replay.draw = 4
    // Nothing is stored at the first of the three steps; at the others 4 rows come back.
    #expect(
      try work([reservoir], steps: 3) == [
        "network": 3 * 16 * 102, "optimizer": 0, "reservoir": 2 * 4 * 102,
      ])
  }

  @Test func `rows that come back by ways of their own are the memory's too`() throws {
    var reservoir = Reservoir()
    reservoir.limits.capacity = 10
    reservoir.replay.draw = 4
    // In the second task's only step 4 rows of the first come back, by a head that is as wide and trained no more.
    let own = try work([reservoir, Heads()], tasks: 2)
    #expect(own == ["network": 2 * 16 * 102, "optimizer": 0, "reservoir": 4 * 102, "heads": 0])
  }

  @Test func `the choice of a core-set is the memory's, beside the penalty's passes`() throws {
    var centres = KCentre()
    centres.limits.capacity = 3
    centres.space.space = .input
    centres.replay.start = .secondTask
    let choice = try work([centres])["k-centre"] ?? 0
    // A class of n rows: distances to the mean and to 1 centre each, 4 · n · 2, with 3 classes of 16 rows in all.
    #expect(choice == 4 * 16 * 2)
    let both = try work([centres, EWC()])
    #expect(both["k-centre"] == choice && both["ewc"] == 16 * (42 + 42 + 3 * 18) && both["network"] == 16 * 102)
  }

  @Test func `a teacher's answers are the loss's`() throws {
    // No teacher in the first task; then one forward pass a row.
    #expect(
      try work([Distillation()], tasks: 2, steps: 2) == [
        "network": 2 * 2 * 16 * 102, "optimizer": 0, Distillation.name: 2 * 16 * 42,
      ])
  }

  @Test func `gradients of stored rows are the transform's that asked for them`() throws {
    var reservoir = Reservoir()
    reservoir.limits.capacity = 10
    var transform = AveragedGradientMemory()
    transform.draw = 4
    let costs = try work([reservoir, transform], tasks: 2, steps: 2)
    #expect(costs["network"] == 2 * 2 * 16 * 102 && costs["reservoir"] == 0)
    #expect(costs[AveragedGradientMemory.name] == 2 * 4 * 102)
  }

  @Test func `what a memory asks of the network is the memory's`() throws {
    // The losses of 16 offered rows, one forward pass each, and a comparison of 5 that it charges itself.
    let costs = try work([Asking()], steps: 2)
    #expect(costs["network"] == 2 * 16 * 102 && costs["asking"] == 2 * (16 * 42 + 5))
  }

  @Test func `bytes are the network's, the optimiser's and the parts'`() throws {
    var reservoir = Reservoir()
    reservoir.limits.capacity = 5
    let row = 4 * (4 + 2)
    let cost = try learner([Joint(), EWC(), reservoir], tasks: 2).cost
    #expect(cost.parts.map(\.name) == ["network", "optimizer", "ewc", "reservoir", "joint"])
    #expect(cost.parts.map(\.bytes) == [4 * 51, 2 * 4 * 51, 2 * 4 * 51, 5 * row, 2 * 16 * row])
    #expect(cost.bytes == 4 * 51 + 2 * 4 * 51 + 2 * 4 * 51 + 5 * row + 2 * 16 * row)
  }

  @Test func `a learner read from its state has the ledger of before`() throws {
    let parts: [any StrategyPart] = [EWC(), Reservoir()]
    let learner = try learner(parts, tasks: 2)
    var copy = try ComposedLearner(setup, parts)
    try StateDecoder.read(StateEncoder.bytes { try learner.saveState(to: $0) }) { try copy.restoreState(from: $0) }
    #expect(copy.cost == learner.cost && copy.cost.parts.count == 4)
  }
}

/// Keeps nothing, and asks for the losses of all that it is offered.
private struct Asking: Memory {
  static let name = "asking"
  static let summary = "Looks at losses."
  static let source = "For tests."
  static let looks = true
  var count: Int { 0 }
  var replay: ReplayOptions { ReplayOptions() }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {}
  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {}
  mutating func insert(_ batch: Batch, _ context: StepContext, _ lender: inout Lender, using rng: inout Random) {
    _ = lender.losses(of: batch)
    lender.charge(Work(multiplyAdds: 5))
  }
}
