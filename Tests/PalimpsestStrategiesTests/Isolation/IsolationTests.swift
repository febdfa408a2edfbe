import PalimpsestCore
import PalimpsestStrategies
import Testing

/// What each isolation adds to the network 10-16-8-1 of 321 parameters, and where its tasks start from.
@Suite struct IsolationTests {
  private let setup = LearnerSetup(
    shape: TaskShape(inputs: 10, outputs: 1), hidden: [16, 8], optimizer: Adam(), seed: Seed(7))

  private func info(_ index: Int, outputs: Range<Int> = 0..<1) -> ExperienceInfo {
    ExperienceInfo(index: index, name: "task", outputs: outputs, seenOutputs: 0..<outputs.upperBound, rows: 24)
  }

  private func rows(_ task: Int, labels: Range<Int> = 0..<2) -> Rows {
    let rows = PenaltyWorld.rows(24, inputs: 10, labels: labels, seed: UInt64(task))
    return Rows(rows.batch.inputs, labels: rows.labels, experience: task)
  }

  private func learn(_ index: Int, _ learner: inout ComposedLearner, outputs: Range<Int> = 0..<1) {
    learner.begin(info(index, outputs: outputs))
    train(index, &learner, outputs: outputs)
  }

  private func train(_ index: Int, _ learner: inout ComposedLearner, outputs: Range<Int> = 0..<1) {
    let info = info(index, outputs: outputs)
    let rows = rows(index, labels: outputs.count == 1 ? 0..<2 : outputs)
    for step in 0..<10 { _ = learner.learn(rows.batch, StepContext(experience: info, epoch: 0, step: step)) }
    learner.finish(info, revisiting: rows)
  }

  private static func adapters(_ rank: Int) -> Adapters {
    var adapters = Adapters()
    adapters.rank = rank
    return adapters
  }

  private static func isolation(_ index: Int) -> (isolation: any Isolation, added: Int) {
    // Bottlenecks of rank r: 2·r·(16 + 8), and a head of 8 + 1. Low rank r = 2: 2·((10 + 16) + (16 + 8) + (8 + 1)) =
    // 118. Biases: 16 + 8 + 1 = 25. A network: 321.
    [
      (adapters(2), 105), (adapters(4), 201), (LowRankAdapters(), 118), (BiasOnly(), 25), (LastLayer(), 9),
      (Heads(), 9), (NetworkBank(), 321),
    ][
      index]
  }

  @Test(arguments: 0..<7)
  func `every later task adds its own parameters`(index: Int) throws {
    let (isolation, added) = Self.isolation(index)
    var learner = try ComposedLearner(setup, [isolation])
    for task in 0..<3 {
      learn(task, &learner)
      #expect(learner.model.parameterCount == 321 + task * added)
      #expect(learner.cost.bytesModel == 4 * (321 + task * added))
    }
  }

  @Test(arguments: 0..<7)
  func `the first task is learned as without isolation`(index: Int) throws {
    var (isolated, plain) = try (ComposedLearner(setup, [Self.isolation(index).isolation]), ComposedLearner(setup, []))
    learn(0, &isolated)
    learn(0, &plain)
    #expect(isolated.model.parameters == plain.model.parameters)
  }

  @Test(arguments: 0..<5)
  func `a later task starts from the first task's function`(index: Int) throws {
    var learner = try ComposedLearner(setup, [Self.isolation(index).isolation])
    let probe = rows(9).batch.inputs
    learn(0, &learner)
    let first = learner.predict(probe, knowing: 0)
    learner.begin(info(1))
    #expect(learner.predict(probe, knowing: 1) == first)
    train(1, &learner)
    #expect(learner.predict(probe, knowing: 1) != first && learner.predict(probe, knowing: 0) == first)
  }

  @Test func `low-rank factors are scaled by alpha over rank`() {
    var (factors, model, rng) = (LowRankAdapters(), setup.makeModel(), Seed(1).stream("isolation"))
    (factors.rank, factors.alpha) = (4, 6)
    for task in 0..<2 { _ = factors.prepare(&model, for: info(task), using: &rng) }
    let scales = factors.program(for: 1, in: model).steps.compactMap { step -> Float? in
      if case .scale(_, let factor) = step { factor } else { nil }
    }
    #expect(scales == [1.5, 1.5, 1.5])
    #expect(factors.program(for: 1, in: model).widths.filter { $0 == 4 }.count == 3)
  }

  @Test func `fresh heads start apart`() throws {
    var last = LastLayer()
    last.headStart = .fresh
    var learner = try ComposedLearner(setup, [last])
    learn(0, &learner)
    learner.begin(info(1))
    #expect(learner.predict(rows(9).batch.inputs, knowing: 1) != learner.predict(rows(9).batch.inputs, knowing: 0))
  }

  @Test func `an old head that is trained follows the optimiser's momentum, a frozen one keeps its bits`() throws {
    for old in [Heads.Old.trained, .frozen] {
      var heads = Heads()
      heads.old = old
      var carried = setup
      carried.resetsOptimizer = false
      var learner = try ComposedLearner(carried, [heads])
      learn(0, &learner)
      let place = try #require(learner.model.layers.last).weightRange
      let before = Array(learner.model.parameters.array[place])
      learn(1, &learner)
      #expect((Array(learner.model.parameters.array[place]) == before) == (old == .frozen))
    }
  }

  @Test func `without heads of their own tasks with other outputs still have one`() throws {
    var adapters = Adapters()
    adapters.head = false
    var split = setup
    split.shape = TaskShape(inputs: 10, outputs: 4)
    split.outputRule = .current
    for isolation in [adapters, Heads(), BiasOnly(), LowRankAdapters()] as [any Isolation] {
      var learner = try ComposedLearner(split, [isolation])
      learn(0, &learner, outputs: 0..<2)
      learn(1, &learner, outputs: 2..<4)
      let probe = rows(9).batch.inputs
      for (task, outputs) in [0..<2, 2..<4].enumerated() {
        let logits = learner.predict(probe, knowing: task)
        #expect((0..<4).allSatisfy { logits[0, $0].isFinite == outputs.contains($0) })
      }
      #expect(learner.predict(probe, knowing: nil) == learner.predict(probe, knowing: 1))
    }
  }

  @Test func `tasks that share their outputs share the head where they have none of their own`() throws {
    var adapters = Adapters()
    adapters.head = false
    var learner = try ComposedLearner(setup, [adapters])
    for task in 0..<2 { learn(task, &learner) }
    #expect(learner.model.parameterCount == 321 + 96)
  }

  @Test func `gradients that no weight needs are not computed`() throws {
    // Forward 10·16 + 16·8 + 8 = 296 multiply-adds a row. Everything trained: the gradients, 296, and the derivatives
    // passed down to the first layer, 16·8 + 8 = 136. Biases alone: no weight gradients. The head alone: its gradient,
    // 8.
    for (isolation, expected) in [(Heads(), 728), (BiasOnly(), 432), (LastLayer(), 304)] as [(any Isolation, Int)] {
      var learner = try ComposedLearner(setup, [isolation])
      learn(0, &learner)
      let before = learner.cost.multiplyAdds
      learn(1, &learner)
      #expect(learner.cost.multiplyAdds - before == 10 * 24 * expected)
    }
  }

  @Test func `frozen weights do not lengthen a gradient that is clipped`() throws {
    // The update of plain descent with rate 1 is the clipped gradient: its norm is the limit, all of it inside the
    // mask.
    var clip = GradientClip()
    clip.norm = 1e-3
    var sgd = SGD()
    sgd.rate = 1
    var descent = setup
    descent.optimizer = sgd
    var learner = try ComposedLearner(descent, [BiasOnly(), clip])
    learn(0, &learner)
    learner.begin(info(1))
    let before = learner.model.parameters
    _ = learner.learn(rows(1).batch, StepContext(experience: info(1), epoch: 0, step: 0))
    let length = learner.model.parameters.squaredDistance(to: before).squareRoot()
    #expect(abs(length - 1e-3) < 1e-6)
  }
}
