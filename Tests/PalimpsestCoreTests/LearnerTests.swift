import PalimpsestCore
import Testing

/// A composed learner's step: its parts, the outputs that take part, and the ways that rows take.
@Suite struct LearnerTests: SmallWorld {
  // MARK: - Parts

  @Test func `parts come back role by role`() throws {
    let given: [any StrategyPart] = [FirstRows(), GradientKeeper(), TargetKeeper(), PathPull()]
    let names = try ComposedLearner(setup(outputs: 3), given).parts.map { type(of: $0).name }
    #expect(names == ["target-keeper", "gradient-keeper", "path-pull", "first-rows"])
  }

  @Test func `two memories are refused`() {
    let error = #expect(throws: CompositionError.self) {
      try setup(outputs: 3).makeLearner([FirstRows(), PathPull(), FirstRows()])
    }
    #expect(
      error?.description
        == "two memories, \"first-rows\" and \"first-rows\": rows are replayed from one; keep one of them")
  }

  @Test func `a part without a role is refused`() {
    let error = #expect(throws: CompositionError.self) { try ComposedLearner(setup(outputs: 3), [SGD()]) }
    #expect(error?.description == "\"sgd\" plays no role in a strategy")
  }

  @Test func `the optimiser forgets between tasks where it is told to`() throws {
    // Velocity 0.1 g after one step; the second step's update is −rate (0.9 v + g) unless v was forgotten: then −rate g.
    for resets in [true, false] {
      var setup = setup(outputs: 3)
      setup.optimizer = Momentum()
      setup.resetsOptimizer = resets
      var learner = try ComposedLearner(setup, [GradientKeeper()])
      run(&learner, task: 0, [batch([0, 1], task: 0)])
      let first = try #require(learner.parts[0] as? GradientKeeper)
      run(&learner, task: 1, [batch([2, 2], task: 1)])
      let second = try #require(learner.parts[0] as? GradientKeeper)
      for i in 0..<first.gradient.count {
        let velocity = (resets ? 0 : 0.9 * first.gradient[i]) + second.gradient[i]
        #expect(abs(second.update[i] + 0.1 * velocity) < 1e-7)
      }
    }
  }

  @Test func `a report tells the mean loss, the penalty and the rows`() throws {
    var learner = try ComposedLearner(setup(outputs: 3), [Constant()])
    learner.begin(info(0, outputs: 3))
    let (batch, net) = (batch([2, 0, 1, 1, 0], task: 0), DoubleNet(model: learner.model))
    let report = learner.learn(batch, StepContext(experience: info(0, outputs: 3), epoch: 0, step: 0))
    let losses = (0..<5).map { row -> Double in
      let z = net.activations(batch.inputs.row(row)).last ?? []
      return DoubleNet.loss(z, label: Int(batch.labels[row]), isBinary: false).value
    }
    #expect(abs(report.loss - losses.reduce(0, +) / 5) < 1e-6)
    #expect(report.penalty == 2.5 && report.rows == 5 && report.isFinite)
    #expect(!StepReport(loss: .nan, penalty: 0, rows: 1).isFinite)
    #expect(!StepReport(loss: 0, penalty: .infinity, rows: 1).isFinite)
  }

  // MARK: - Outputs

  /// Three tasks of two classes each; the second has begun.
  private func splitLearner(_ rule: OutputRule, _ parts: [any StrategyPart] = []) throws -> ComposedLearner {
    var setup = setup(outputs: 6)
    setup.outputRule = rule
    var learner = try ComposedLearner(setup, [TargetKeeper()] + parts)
    for task in 0..<2 {
      run(&learner, task: task, outputs: 6, [batch([2 * Int32(task), 2 * Int32(task) + 1], task: task)])
    }
    return learner
  }

  @Test(arguments: [(OutputRule.all, 0..<6), (.seen, 0..<4), (.current, 2..<4)])
  func `outputs outside the rule have no gradient`(rule: OutputRule, taking: Range<Int>) throws {
    let kept = try target(splitLearner(rule))
    #expect(kept.outputs == taking)
    try #require(kept.gradient.count == 12)
    for row in 0..<2 {
      let slopes = kept.gradient[(6 * row)..<(6 * row + 6)].map { $0 }
      for column in 0..<6 { #expect((slopes[column] != 0) == taking.contains(column), "row \(row), output \(column)") }
      #expect(abs(slopes.reduce(0, +)) < 1e-6)
    }
  }

  @Test(arguments: [(OutputRule.all, 0..<6), (.seen, 0..<4), (.current, 0..<4)])
  func `outputs that no task has shown yet are predicted by rule all only`(rule: OutputRule, open: Range<Int>) throws {
    let learner = try splitLearner(rule)
    #expect(learner.predictableOutputs(knowing: nil) == open)
    let logits = learner.predict(batch([0, 1, 2], task: 0).inputs, knowing: 1)
    #expect(logits.rows == 3 && logits.columns == 6)
    for row in 0..<3 {
      for column in 0..<6 {
        let logit = logits[row, column]
        #expect(open.contains(column) ? logit.isFinite : logit == -.infinity)
      }
    }
  }

  @Test func `a replayed row counts among the outputs of its own task`() throws {
    let learner = try splitLearner(.current, [FirstRows()])
    // The last rows are the stored ones: of task 0, whose outputs are 0 and 1.
    let kept = try target(learner)
    #expect(kept.outputs == 0..<2 && kept.labels == [0, 1])
  }

  // MARK: - Routes

  @Test func `each row of a joined batch takes its task's head`() throws {
    var setup = setup(outputs: 6)
    setup.outputRule = .current
    var learner = try ComposedLearner(setup, [TwoOutputHeads(), FirstRows(), GradientKeeper(), TargetKeeper()])
    run(&learner, task: 0, outputs: 6, [batch([0, 1], task: 0)])
    let before = learner.model
    run(&learner, task: 1, outputs: 6, [batch([3, 2], task: 1)])
    let heads = try #require(learner.parts.compactMap { $0 as? TwoOutputHeads }.first).heads
    let gradient = try #require(learner.parts.compactMap { $0 as? GradientKeeper }.first).gradient
    try #require(heads.count == 2)
    for head in heads { #expect(head.weightRange.contains { gradient[$0] != 0 }) }
    // The layer that no route takes has no gradient and keeps its bits.
    let plain = before.layers[1].weightRange
    #expect(plain.allSatisfy { gradient[$0] == 0 })
    #expect(plain.allSatisfy { learner.model.parameters[$0] == before.parameters[$0] })
    // Labels count from a head's first output: 3 and 2 are 1 and 0 on the head of task 1; the stored rows come last.
    #expect(try target(learner).calls.suffix(2) == [[1, 0], [0, 1]])
    #expect(try target(learner).columns == 2)
    // A head's bias: weight · (softmax − one-hot) summed over its own two rows, so it sums to 0.
    for head in heads {
      let slopes = (head.biasRange ?? 0..<0).map { gradient[$0] }
      #expect(abs(slopes.reduce(0, +)) < 1e-6)
    }
  }

  @Test func `predictions stand at their head's place`() throws {
    var learner = try ComposedLearner(setup(outputs: 6), [TwoOutputHeads()])
    for task in 0..<2 { run(&learner, task: task, outputs: 6, [batch([2 * Int32(task)], task: task)]) }
    for task in 0..<2 {
      let logits = learner.predict(batch([0], task: 0).inputs, knowing: task).row(0)
      #expect(logits.indices.filter { logits[$0].isFinite } == [2 * task, 2 * task + 1])
    }
  }

  @Test(arguments: [SGD(), Momentum(), Adam()] as [any Optimizer])
  func `parameters outside the mask keep their bits`(optimizer: any Optimizer) throws {
    var setup = setup(outputs: 6)
    setup.optimizer = optimizer
    setup.resetsOptimizer = false
    var learner = try ComposedLearner(setup, [TwoOutputHeads(trunk: false), PathPull(), GradientKeeper()])
    let steps = (0..<5).map { batch([Int32($0 % 2)], task: 0) }
    run(&learner, task: 0, outputs: 6, steps)
    let before = learner.model.parameters
    run(&learner, task: 1, outputs: 6, (0..<5).map { batch([2 + Int32($0 % 2)], task: 1) })
    let heads = try #require(learner.parts.compactMap { $0 as? TwoOutputHeads }.first).heads
    let after = learner.model.parameters
    let update = try #require(learner.parts.compactMap { $0 as? GradientKeeper }.first).update
    for i in 0..<before.count {
      #expect(after[i].bitPattern == before[i].bitPattern, "parameter \(i)")
      #expect(update[i] == 0)
    }
    #expect(heads[1].weightRange.contains { update[$0] != 0 })
  }
}

/// A penalty of 2.5 everywhere.
private struct Constant: Penalty {
  static let name = "constant"
  static let summary = "A constant penalty."
  static let source = "For these tests."

  func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 2.5 }
}
