import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// A network a concept: 10-16-8-1 has 321 parameters.
@Suite struct NetworkBankTests {
  private let setup = LearnerSetup(
    shape: TaskShape(inputs: 10, outputs: 1), hidden: [16, 8], optimizer: Adam(), seed: Seed(7))

  private func learn(
    _ index: Int, concept: Int?, _ learner: inout ComposedLearner, outputs: Range<Int> = 0..<1
  ) {
    let info = ExperienceInfo(
      index: index, name: "task", outputs: outputs, seenOutputs: 0..<outputs.upperBound, rows: 24, concept: concept)
    let rows = PenaltyWorld.rows(
      24, inputs: 10, labels: outputs.count == 1 ? 0..<2 : outputs, seed: UInt64(index))
    learner.begin(info)
    for step in 0..<10 { _ = learner.learn(rows.batch, StepContext(experience: info, epoch: 0, step: step)) }
    learner.finish(info, revisiting: rows)
  }

  private let probe = PenaltyWorld.rows(24, inputs: 10, labels: 0..<2, seed: 9).batch.inputs

  @Test func `a concept that comes back goes on with its network`() throws {
    var learner = try ComposedLearner(setup, [NetworkBank()])
    learn(0, concept: 4, &learner)
    let first = learner.predict(probe, knowing: 0)
    learn(1, concept: 2, &learner)
    #expect(learner.model.parameterCount == 2 * 321)
    #expect(learner.predict(probe, knowing: 0) == first)
    let second = learner.predict(probe, knowing: 1)

    let third = ExperienceInfo(
      index: 2, name: "task", outputs: 0..<1, seenOutputs: 0..<1, rows: 24, concept: 4)
    learner.begin(third)
    #expect(learner.model.parameterCount == 2 * 321)
    #expect(learner.predict(probe, knowing: 2) == first && learner.predict(probe, knowing: nil) == first)
    learn(2, concept: 4, &learner)
    // One network serves both visits; the other concept's keeps its bits.
    #expect(learner.predict(probe, knowing: 2) != first)
    #expect(learner.predict(probe, knowing: 0) == learner.predict(probe, knowing: 2))
    #expect(learner.predict(probe, knowing: 1) == second)
  }

  @Test func `without a word of concepts each task is its own`() throws {
    var learner = try ComposedLearner(setup, [NetworkBank()])
    for task in 0..<3 { learn(task, concept: nil, &learner) }
    #expect(learner.model.parameterCount == 3 * 321)
  }

  @Test func `a visit with other outputs is a new concept`() throws {
    var split = setup
    split.shape = TaskShape(inputs: 10, outputs: 4)
    split.outputRule = .current
    var learner = try ComposedLearner(split, [NetworkBank()])
    learn(0, concept: 0, &learner, outputs: 0..<2)
    learn(1, concept: 0, &learner, outputs: 2..<4)
    // 10-16-8-4 is made: 348. The first task has a head of its two outputs, 18; the second a whole network, 16·10 + 16 + 8·16 + 8 + 18.
    #expect(learner.model.parameterCount == 348 + 18 + 330)
  }

  @Test func `isolates until a concept comes back`() {
    var (bank, model, rng) = (NetworkBank(), setup.makeModel(), Seed(1).stream("isolation"))
    for (index, concept) in [0, 1, 0].enumerated() {
      _ = bank.prepare(
        &model,
        for: ExperienceInfo(
          index: index, name: "task", outputs: 0..<1, seenOutputs: 0..<1, rows: 2, concept: concept), using: &rng)
      #expect(bank.isolatesPredictions == (index < 2))
    }
  }
}
