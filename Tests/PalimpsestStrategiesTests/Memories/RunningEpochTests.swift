import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// A library's user counts epochs as he likes.
struct RunningEpochTests {
  static let memories: [any Memory] = standardParts.compactMap { $0.init() as? any Memory }

  /// Two tasks of two passes each.
  /// - Parameter first: the number of each task's first pass.
  private func learner(_ memory: any Memory, firstEpochs: [Int]) throws -> ComposedLearner {
    let setup = LearnerSetup(shape: TaskShape(inputs: 1, outputs: 2), hidden: [4], seed: Seed(1))
    var learner = try ComposedLearner(setup, [memory])
    for (task, first) in firstEpochs.enumerated() {
      let rows = Fixture.numbered([0, 1, 0, 1, 0, 1], task: task)
      let info = Fixture.info(task, rows: rows.count)
      learner.begin(info)
      for pass in 0..<2 {
        for (step, batch) in Fixture.batches(rows, of: 2).enumerated() {
          let step = 3 * pass + step
          _ = learner.learn(batch, StepContext(experience: info, epoch: first + pass, step: step))
          if step == 4 { learner = try reread(learner, setup, [memory]) }
        }
      }
      learner.finish(info, revisiting: rows)
    }
    return learner
  }

  /// Through a checkpoint.
  private func reread(
    _ learner: ComposedLearner, _ setup: LearnerSetup, _ parts: [any StrategyPart]
  ) throws -> ComposedLearner {
    var copy = try ComposedLearner(setup, parts)
    try StateDecoder.read(
      StateEncoder.bytes { try learner.saveState(to: $0) }, limits: StateLimits(setup.shape, tasks: 2)
    ) {
      try copy.restoreState(from: $0)
    }
    return copy
  }

  @Test(arguments: memories.indices)
  func `a memory holds the same rows whatever number an epoch begins with`(_ index: Int) throws {
    let memory = RunningEpochTests.memories[index]
    let usual = try learner(memory, firstEpochs: [0, 0])
    let running = try learner(memory, firstEpochs: [7, 9])
    #expect(usual.cost.bytesMemory > 0)
    #expect(running.cost == usual.cost)
    #expect(running.model.parameters == usual.model.parameters)
    let held = try #require(running.parts.first as? any Memory)
    #expect(held.count == 12)
  }
}
