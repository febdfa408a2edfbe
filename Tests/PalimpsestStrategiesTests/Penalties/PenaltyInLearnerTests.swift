import PalimpsestCore
import PalimpsestStrategies
import Testing

/// Penalties where they live: the step of a learner against a simulation of it in double, written from the formulae.
@Suite struct PenaltyInLearnerTests {
  /// One input and a bias; two rows a batch, the same in each step of a task.
  private let tasks: [(x: [Double], y: [Double])] = [([1, -0.5], [1, 0]), ([2, 1.5], [0, 1])]

  @Test(arguments: [Float(0), 0.5, 20], [Float(0.05), 1000])
  func `synaptic intelligence follows the data gradient and the actual step`(strength: Float, norm: Float) throws {
    // Momentum, decay and clipping make the step differ from −rate·g; the penalty makes the whole gradient differ from
    // the data's. ω must be −Σ (data gradient) · (actual step).
    let (learner, simulated) = try (run(strength, norm), simulate(Double(strength), Double(norm)))
    let si = try #require(learner.parts.compactMap { $0 as? SynapticIntelligence }.first)
    let places = [0, 16]
    for (i, place) in places.enumerated() {
      #expect(close(learner.model.parameters[place], simulated.theta[i]))
      #expect(close(si.path[place], simulated.path[i]))
      #expect(close(si.importance[place], simulated.importance[i]))
      #expect(close(si.anchor[place], simulated.anchor[i]))
    }
  }

  private func close(_ a: Float, _ b: Double) -> Bool { abs(Double(a) - b) < 2e-4 * max(0.01, abs(b)) }

  private func run(_ strength: Float, _ norm: Float) throws -> ComposedLearner {
    var (si, clip, momentum) = (SynapticIntelligence(), GradientClip(), Momentum())
    (si.strength, clip.norm) = (strength, norm)
    (momentum.rate, momentum.momentum, momentum.decay) = (0.1, 0.5, 0.01)
    let setup = LearnerSetup(
      shape: TaskShape(inputs: 1, outputs: 1), hidden: [], optimizer: momentum, resetsOptimizer: false, seed: Seed(1))
    var learner = try ComposedLearner(setup, [si, clip])
    for (index, task) in tasks.enumerated() {
      let info = PenaltyWorld.info(index, outputs: 1)
      let rows = Rows(Matrix(task.x.map { [Float($0)] }), labels: task.y.map { Int32($0) }, experience: index)
      learner.begin(info)
      for step in 0..<6 { _ = learner.learn(rows.batch, StepContext(experience: info, epoch: 0, step: step)) }
      if index == 0 { learner.finish(info, revisiting: rows) }
    }
    return learner
  }

  private struct Simulation {
    var theta: [Double]
    var velocity = [0.0, 0.0]
    var path = [0.0, 0.0]
    var importance = [0.0, 0.0]
    var anchor = [0.0, 0.0]
  }

  private func simulate(_ strength: Double, _ norm: Double) -> Simulation {
    let setup = LearnerSetup(shape: TaskShape(inputs: 1, outputs: 1), hidden: [], seed: Seed(1))
    let start = setup.makeModel().parameters
    var s = Simulation(theta: [Double(start[0]), Double(start[16])])
    s.anchor = s.theta
    for (index, task) in tasks.enumerated() {
      for _ in 0..<6 { step(&s, task.x, task.y, strength, norm) }
      guard index == 0 else { continue }
      for i in 0..<2 {
        let d = s.theta[i] - s.anchor[i]
        s.importance[i] = max(0, s.importance[i] + s.path[i] / (d * d + 0.001))
      }
      (s.path, s.anchor) = ([0, 0], s.theta)
    }
    return s
  }

  private func step(_ s: inout Simulation, _ x: [Double], _ y: [Double], _ strength: Double, _ norm: Double) {
    var data = [0.0, 0.0]
    for (x, y) in zip(x, y) {
      let residual = (Elementary.logistic(s.theta[0] * x + s.theta[1]) - y) / 2
      data[0] += residual * x
      data[1] += residual
    }
    var whole = (0..<2).map { data[$0] + 2 * strength * s.importance[$0] * (s.theta[$0] - s.anchor[$0]) }
    let length = (whole[0] * whole[0] + whole[1] * whole[1]).squareRoot()
    if length > norm { whole = whole.map { $0 * norm / length } }
    for i in 0..<2 {
      s.velocity[i] = 0.5 * s.velocity[i] + whole[i] + 0.01 * s.theta[i]
      let update = -0.1 * s.velocity[i]
      s.path[i] -= data[i] * update
      s.theta[i] += update
    }
  }

  // MARK: - A task's end and the next task

  private static func penalties() -> [any Penalty] {
    var online = EWC()
    online.mode = .online
    return [EWC(), online, SynapticIntelligence()]
  }

  @Test(arguments: 0..<3)
  func `the penalty is 0 until the weights leave the anchor, then positive`(index: Int) throws {
    var learner = try ComposedLearner(setup, [Self.penalties()[index]])
    #expect(penaltiesOfTask(0, &learner).allSatisfy { $0 == 0 })
    let second = penaltiesOfTask(1, &learner)
    #expect(second[0] == 0 && second[1...].allSatisfy { $0 > 0 })
  }

  @Test(arguments: 0..<3)
  func `a task's end changes no byte of the network`(index: Int) throws {
    var learner = try ComposedLearner(setup, [Self.penalties()[index]])
    learner.begin(PenaltyWorld.info(0, outputs: 3))
    _ = learner.learn(rows(0).batch, StepContext(experience: PenaltyWorld.info(0, outputs: 3), epoch: 0, step: 0))
    let before = learner.model
    learner.finish(PenaltyWorld.info(0, outputs: 3), revisiting: rows(0))
    #expect(learner.model.parameters == before.parameters && learner.model.layout == before.layout)
  }

  @Test(arguments: 0..<3)
  func `a new head is not pulled while its own task is learned`(index: Int) throws {
    var learner = try ComposedLearner(setup, [Heads(), Self.penalties()[index]])
    _ = penaltiesOfTask(0, &learner)
    let old = learner.model.parameters.count
    learner.begin(PenaltyWorld.info(1, outputs: 3))
    var penalty = try #require(learner.parts.compactMap { $0 as? any Penalty }.first)
    let moved = FloatBuffer(learner.model.parameters.array.map { $0 + 1 })
    var gradient = FloatBuffer(count: moved.count)
    _ = penalty.add(at: moved, to: &gradient)
    #expect(gradient.array[..<old].contains { $0 > 0 } && gradient.count > old)
    #expect(gradient.array[old...].allSatisfy { $0 == 0 })
  }

  @Test(arguments: [(OutputRule.all, 0..<6), (.seen, 0..<2), (.current, 0..<2)])
  func `importance covers the outputs that took part in the loss`(rule: OutputRule, taking: Range<Int>) throws {
    // Six classes, two of them in the first task: an output whose logit no loss has seen has no importance.
    let setup = LearnerSetup(
      shape: TaskShape(inputs: 4, outputs: 6), hidden: [], outputRule: rule, seed: Seed(2))
    var learner = try ComposedLearner(setup, [EWC()])
    let rows = PenaltyWorld.rows(16, inputs: 4, labels: 0..<2)
    let info = ExperienceInfo(index: 0, name: "task", outputs: 0..<2, seenOutputs: 0..<2, rows: 16)
    learner.begin(info)
    _ = learner.learn(rows.batch, StepContext(experience: info, epoch: 0, step: 0))
    learner.finish(info, revisiting: rows)
    let ewc = try #require(learner.parts.compactMap { $0 as? EWC }.first)
    let bias = try #require(learner.model.layers[0].bias)
    for output in 0..<6 { #expect((ewc.importance[bias + output] > 0) == taking.contains(output)) }
  }

  @Test func `the memory of importance does not grow with the tasks`() throws {
    for penalty in Self.penalties() {
      var learner = try ComposedLearner(setup, [penalty])
      _ = penaltiesOfTask(0, &learner)
      let first = learner.cost.bytesImportance
      for task in 1..<20 { _ = penaltiesOfTask(task, &learner) }
      #expect(first > 0 && learner.cost.bytesImportance == first)
    }
  }

  private let setup = LearnerSetup(shape: TaskShape(inputs: 4, outputs: 3), hidden: [6], seed: Seed(2))

  private func rows(_ task: Int) -> Rows {
    PenaltyWorld.rows(16, inputs: 4, labels: 0..<3, seed: UInt64(task))
  }

  private func penaltiesOfTask(_ index: Int, _ learner: inout ComposedLearner) -> [Float] {
    let info = PenaltyWorld.info(index, outputs: 3)
    learner.begin(info)
    let penalties = (0..<5).map { step in
      learner.learn(rows(index).batch, StepContext(experience: info, epoch: 0, step: step)).penalty
    }
    learner.finish(info, revisiting: rows(index))
    return penalties
  }
}
