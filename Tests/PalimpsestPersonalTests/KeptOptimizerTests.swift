import PalimpsestCore
import PalimpsestPersonal
import PalimpsestStrategies
import Testing

/// Updates whose optimiser keeps what it knows from the population's training and from the update before.
@Suite struct KeptOptimizerTests {
  private static func model(
    keeping: Bool, rate: Float = 0.02, _ change: (inout PersonalTraining) -> Void = { _ in }
  ) throws -> PersonalModel {
    try PersonalModelTests.model(policy: NeverUpdate(), safeguard: NoSafeguard()) {
      $0.training.resetOptimizer = !keeping
      $0.training.optimizer.rate = rate
      change(&$0)
    }
  }

  private static func observe(_ model: inout PersonalModel, _ days: Range<Int>) {
    for day in days {
      _ = model.observe(
        PersonalModelTests.row(day), label: Int(PersonalModelTests.own.labels[day]), at: 86_400 * Int64(day))
    }
  }

  /// Weights behind one update on the first twenty days, and behind a second one on all.
  private static func weights(_ model: PersonalModel) throws -> (first: [UInt8], second: [UInt8]) {
    var model = model
    observe(&model, 0..<20)
    model.learn(UpdateOrder(.rows), on: PersonalModelTests.own)
    let first = try StateEncoder.bytes { try model.personalWeights($0) }
    observe(&model, 20..<40)
    model.learn(UpdateOrder(.rows), on: PersonalModelTests.own)
    return (first, try StateEncoder.bytes { try model.personalWeights($0) })
  }

  /// The population's learner that goes on by itself, its optimiser never interrupted.
  private static func uninterrupted() throws -> [UInt8] {
    var adam = Adam()
    adam.rate = 0.02
    let setup = LearnerSetup(
      shape: TaskShape(inputs: 2, outputs: 1), hidden: [6], optimizer: adam, resetsOptimizer: false, seed: Seed(3))
    var learner = try ComposedLearner(setup, [])
    let rows =
      [PersonalModelTests.population] + [20, 40].map { PersonalModelTests.own.selecting((0..<$0).map(Int32.init)) }
    let seeds = [Seed(3).stream("order"), Seed(9).stream("update", 0), Seed(9).stream("update", 1)]
    for stage in rows.indices {
      if stage < 2 {
        let name = ["population", "person"][stage]
        learner.begin(
          ExperienceInfo(index: stage, name: name, outputs: 0..<1, seenOutputs: 0..<1, rows: rows[stage].count))
      }
      var settings = FeedSettings()
      settings.epochs = stage == 0 ? 20 : 10
      var feed = BatchFeed([rows[stage].with(owners: nil, times: nil)], settings, using: seeds[stage])
      while feed.advance() {
        let context = StepContext(
          experience: learner.experiences[min(stage, 1)], epoch: feed.epoch, step: feed.step - 1)
        _ = learner.learn(feed.batch, context)
      }
    }
    return try StateEncoder.bytes { try learner.model.parameters.encode(to: $0) }
  }

  @Test func `updates go on as if the optimiser had never been interrupted, bit for bit`() throws {
    let kept = try KeptOptimizerTests.weights(KeptOptimizerTests.model(keeping: true))
    #expect(try kept.second == KeptOptimizerTests.uninterrupted())
    #expect(try kept.first != KeptOptimizerTests.weights(KeptOptimizerTests.model(keeping: false)).first)
  }

  @Test func `an optimiser of other settings begins afresh, and keeps its own memory from then on`() throws {
    let kept = try KeptOptimizerTests.weights(KeptOptimizerTests.model(keeping: true, rate: 0.01))
    let fresh = try KeptOptimizerTests.weights(KeptOptimizerTests.model(keeping: false, rate: 0.01))
    #expect(kept.first == fresh.first && kept.second != fresh.second)
  }

  @Test func `saved between and within updates it goes on with the same bits`() throws {
    var whole = try KeptOptimizerTests.model(keeping: true)
    var restored = try KeptOptimizerTests.model(keeping: true)
    for day in stride(from: 10, through: 40, by: 10) {
      KeptOptimizerTests.observe(&whole, day - 10..<day)
      KeptOptimizerTests.observe(&restored, day - 10..<day)
      whole.learn(UpdateOrder(.rows), on: PersonalModelTests.own)
      let didBegin = restored.beginUpdate(UpdateOrder(.rows), on: PersonalModelTests.own)
      #expect(didBegin)
      while restored.advance(steps: 3, on: PersonalModelTests.own) {
        var next = try KeptOptimizerTests.model(keeping: true)
        try next.restore(restored.saved())
        restored = next
      }
      #expect(try restored.saved() == whole.saved(), "day \(day)")
    }
  }
}
