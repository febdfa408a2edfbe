import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// What a renewal is told of hidden units.
@Suite struct UnitActivityTests {
  private let setup = LearnerSetup(
    shape: TaskShape(inputs: 3, outputs: 2), hidden: [4, 2], activation: .tanh, optimizer: SGD(), seed: Seed(5))

  private func info(_ task: Int) -> ExperienceInfo {
    ExperienceInfo(index: task, name: "task", outputs: 0..<2, seenOutputs: 0..<2, rows: 8)
  }

  private func way(_ task: Int, _ learner: ComposedLearner) -> Program {
    let isolation = learner.parts.lazy.compactMap { $0 as? any Isolation }.first
    return isolation?.program(for: task, in: learner.model) ?? learner.model.plainProgram
  }

  /// Means of |h| of each layer, from the activations asked for by rows.
  private func expected(_ model: MLP, _ way: Program, _ rows: Batch) -> [[Float]] {
    var network = Network(model)
    return way.hiddenSlots.map { slot in
      let values = network.activations(rows.inputs, way, of: slot)
      return (0..<values.columns).map { unit in
        Float((0..<values.rows).reduce(0.0) { $0 + Double(values[$1, unit].magnitude) } / Double(values.rows))
      }
    }
  }

  @Test(arguments: [false, true])
  func `the mean magnitude of each unit over the step's rows, before its update`(ownHeads: Bool) throws {
    let parts: [any StrategyPart] = [Watcher()] + (ownHeads ? [Heads()] : [])
    var learner = try ComposedLearner(setup, parts)
    for task in 0..<2 {
      learner.begin(info(task))
      for step in 0..<3 {
        let rows = PenaltyWorld.rows(step == 1 ? 5 : 8, inputs: 3, labels: 0..<2, seed: UInt64(10 * task + step))
        var batch = rows.batch
        batch.setExperience(task)
        let before = learner.model
        _ = learner.learn(batch, StepContext(experience: info(task), epoch: 0, step: step))
        let seen = try #require(learner.parts.compactMap { $0 as? Watcher }.first)
        let way = way(task, learner)
        #expect(seen.slots == way.hiddenSlots && seen.slots.count == 2)
        #expect(seen.means.map { means in (0..<means.count).map { means[$0] } } == expected(before, way, batch))
      }
    }
  }

  @Test func `stored rows of the same way are among them, those of other ways are not`() throws {
    for (ownHeads, count) in [(false, 12), (true, 8)] {
      var reservoir = Reservoir()
      (reservoir.limits.capacity, reservoir.replay.draw) = (4, 4)
      let parts: [any StrategyPart] = [Watcher(), reservoir] + (ownHeads ? [Heads()] : [])
      var learner = try ComposedLearner(setup, parts)
      learner.begin(info(0))
      // All rows alike: the memory gives that row back, whichever it draws.
      let first = Rows(Matrix(Array(repeating: [1, 2, 3], count: 4)), labels: [0, 0, 0, 0], experience: 0).batch
      _ = learner.learn(first, StepContext(experience: info(0), epoch: 0, step: 0))
      learner.begin(info(1))
      var batch = PenaltyWorld.rows(8, inputs: 3, labels: 0..<2).batch
      batch.setExperience(1)
      var joined = batch
      joined.append(first)
      let before = learner.model
      _ = learner.learn(batch, StepContext(experience: info(1), epoch: 0, step: 0))
      let seen = try #require(learner.parts.compactMap { $0 as? Watcher }.first)
      let rows = count == 12 ? joined : batch
      for (means, expected) in zip(seen.means, expected(before, way(1, learner), rows)) {
        for unit in 0..<means.count { #expect(abs(means[unit] - expected[unit]) < 1e-6) }
      }
    }
  }
}

/// Looks at what it is told and renews nothing.
struct Watcher: Renewal {
  static let name = "watcher"
  static let summary = "Looks at hidden units."
  static let source = "For tests."
  var observesActivity: Bool { true }
  /// False: only ``sum`` is kept, so a step makes no copy.
  var keeps = true
  private(set) var slots: [Int] = []
  private(set) var means: [FloatBuffer] = []
  private(set) var sum: Float = 0

  mutating func renew(
    _ model: inout MLP, within mask: ParameterMask, _ moment: RenewalMoment, using rng: inout Random
  ) -> [Range<Int>] {
    guard case .step(_, let activity) = moment else { return [] }
    if keeps { (slots, means) = (activity.way?.hiddenSlots ?? [], activity.means) }
    for means in activity.means { for unit in 0..<means.count { sum += means[unit] } }
    return []
  }
}
