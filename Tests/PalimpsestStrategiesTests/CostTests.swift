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
