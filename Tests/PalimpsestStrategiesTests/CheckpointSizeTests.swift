import PalimpsestCore
import PalimpsestStrategies
import Testing

/// What a checkpoint of a large learner weighs.
@Suite struct CheckpointSizeTests {
  /// 784-400-400-10 with SI, Adam and a reservoir of 2,000 rows: θ, path, importance, anchor and two moments, and the rows.
  @Test func `a checkpoint is no larger than its floats and a tenth`() throws {
    let shape = TaskShape(inputs: 784, outputs: 10)
    var reservoir = Reservoir()
    reservoir.limits.capacity = 2000
    let setup = LearnerSetup(shape: shape, hidden: [400, 400], optimizer: Adam(), seed: Seed(1))
    var learner = try ComposedLearner(setup, [SynapticIntelligence(), reservoir])
    let task = ExperienceInfo(index: 0, name: "one", outputs: 0..<10, seenOutputs: 0..<10, rows: 2000)
    var rng = Random(key: 3)
    let inputs = Matrix((0..<2000).map { _ in (0..<784).map { _ in rng.uniformFloat() } })
    let rows = Rows(inputs, labels: (0..<2000).map { Int32($0 % 10) }, experience: 0)
    learner.begin(task)
    _ = learner.learn(rows.batch, StepContext(experience: task, epoch: 0, step: 0))
    learner.finish(task, revisiting: rows)
    let cost = learner.cost
    let floats = cost.bytesModel + cost.bytesOptimizer + cost.bytesImportance + cost.bytesMemory
    let start = ContinuousClock.now
    let bytes = try StateEncoder.bytes { try learner.saveState(to: $0) }
    let written = ContinuousClock.now
    var copy = try ComposedLearner(setup, [SynapticIntelligence(), reservoir])
    try StateDecoder.read(bytes, limits: StateLimits(shape, tasks: 1)) { try copy.restoreState(from: $0) }
    let read = ContinuousClock.now
    print(
      "checkpoint: \(bytes.count) bytes for \(floats) of floats, made in \(written - start), read in \(read - written)")
    #expect(Double(bytes.count) <= 1.1 * Double(floats))
    #expect(copy.model.parameters == learner.model.parameters)
    #expect(try StateEncoder.bytes { try copy.saveState(to: $0) } == bytes)
  }
}
