import PalimpsestCore
import Testing

/// How stored rows join a step, by hand.
@Suite struct ReplayTests: SmallWorld {
  /// Two stored rows, one new row of task 2 (k = 2).
  private func weights(_ weighing: ReplayOptions.Weighing, beta: Double = 1) throws -> [Float] {
    var memory = FirstRows()
    memory.replay.weighing = weighing
    memory.replay.beta = beta
    memory.replay.draw = 3
    memory.capacity = 3
    var learner = try ComposedLearner(setup(outputs: 3), [memory, TargetKeeper()])
    run(&learner, task: 0, [batch([0, 1, 0], task: 0)])
    run(&learner, task: 1, [batch([1], task: 1)])
    return try target(learner).weights
  }

  @Test func `one mean over the joined batch gives every row the same weight`() throws {
    // 1 new and 3 stored rows: 1/4 each.
    #expect(try weights(.joined) == [0.25, 0.25, 0.25, 0.25])
  }

  @Test func `balanced replay gives the new rows 1 in k and the stored rows the rest`() throws {
    // k = 2: the new row 1/2; the stored rows (1 − 1/2) / 3 each.
    #expect(try weights(.balanced) == [0.5, Float(0.5 / 3), Float(0.5 / 3), Float(0.5 / 3)])
  }

  @Test func `added replay weighs the stored rows' mean by β`() throws {
    // The new row 1; the stored rows 0.6 / 3 = 0.2 each.
    #expect(try weights(.added, beta: 0.6) == [1, 0.2, 0.2, 0.2])
  }

  @Test(arguments: ReplayOptions.Weighing.allCases)
  func `a row's own weight multiplies its share, new or stored`(weighing: ReplayOptions.Weighing) throws {
    var memory = FirstRows()
    (memory.replay.weighing, memory.replay.draw, memory.capacity) = (weighing, 2, 2)
    var learner = try ComposedLearner(setup(outputs: 3), [memory, TargetKeeper()])
    var (first, second) = (batch([0, 1], task: 0), batch([1, 2], task: 1))
    (first.weights, second.weights) = ([4, 0.5], [2, 8])
    run(&learner, task: 0, [first])
    run(&learner, task: 1, [second])
    // Two new and two stored rows in task 2: a quarter each, joined and balanced; a half each, added with β = 1.
    let share: Float = weighing == .added ? 0.5 : 0.25
    #expect(try target(learner).weights == [2 * share, 8 * share, 4 * share, 0.5 * share])
  }

  @Test func `balanced replay counts tasks from 1`() throws {
    var memory = FirstRows()
    memory.replay.weighing = .balanced
    memory.capacity = 2
    var learner = try ComposedLearner(setup(outputs: 3), [memory, TargetKeeper()])
    run(&learner, task: 0, [batch([0, 1], task: 0), batch([0, 1], task: 0)])
    // k = 1: new rows 1/2 each, stored rows nothing.
    #expect(try target(learner).weights == [0.5, 0.5, 0, 0])
    run(&learner, task: 1, [batch([0], task: 1)])
    run(&learner, task: 2, [batch([0, 1], task: 2)])
    // k = 3: 1/3 over two new rows, 2/3 over two stored ones.
    #expect(try target(learner).weights == [Float(1.0 / 6), Float(1.0 / 6), Float(1.0 / 3), Float(1.0 / 3)])
  }

  @Test func `as many stored rows are drawn as there are new ones, unless a number is given`() throws {
    var memory = FirstRows()
    memory.capacity = 3
    var learner = try ComposedLearner(setup(outputs: 3), [memory])
    run(&learner, task: 0, [batch([0, 1, 2], task: 0)])
    let step = StepContext(experience: info(0, outputs: 3), epoch: 0, step: 1)
    #expect(learner.learn(batch([0, 1], task: 0), step).rows == 4)
    memory.replay.draw = 1
    var sparing = try ComposedLearner(setup(outputs: 3), [memory])
    run(&sparing, task: 0, [batch([0, 1, 2], task: 0)])
    #expect(sparing.learn(batch([0, 1], task: 0), step).rows == 3)
  }

  @Test func `replay can wait for the second task`() throws {
    var memory = FirstRows()
    memory.replay.start = .secondTask
    var learner = try ComposedLearner(setup(outputs: 3), [memory, TargetKeeper()])
    run(&learner, task: 0, [batch([0, 1], task: 0), batch([0, 1], task: 0)])
    #expect(try target(learner).weights == [0.5, 0.5])
    run(&learner, task: 1, [batch([0, 1], task: 1)])
    #expect(try target(learner).weights == [0.25, 0.25, 0.25, 0.25])
  }

  @Test func `a step on a joined batch is a step on those rows`() throws {
    var memory = FirstRows()
    memory.capacity = 3
    var replaying = try ComposedLearner(setup(outputs: 3), [memory])
    var plain = try ComposedLearner(setup(outputs: 3), [])
    run(&replaying, task: 0, [batch([0, 1, 2], task: 0)])
    run(&plain, task: 0, [batch([0, 1, 2], task: 0)])
    var both = batch([1, 1, 0], task: 0)
    both.append(batch([0, 1, 2], task: 0))
    let context = StepContext(experience: info(0, outputs: 3), epoch: 0, step: 1)
    _ = replaying.learn(batch([1, 1, 0], task: 0), context)
    _ = plain.learn(both, context)
    let pairs = zip(replaying.model.parameters.array, plain.model.parameters.array)
    #expect(pairs.allSatisfy { abs($0 - $1) < 1e-6 })
    #expect(replaying.model.parameters != setup(outputs: 3).makeModel().parameters)
  }
}
