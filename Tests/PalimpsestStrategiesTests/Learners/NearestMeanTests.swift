import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

@Suite struct NearestMeanTests {
  private func part(
    _ distance: NearestMean.Distance = .euclid, _ space: NearestMean.Space = .input, decay: Double = 0
  ) -> NearestMean {
    var part = NearestMean()
    (part.distance, part.space, part.decay) = (distance, space, decay)
    return part
  }

  private func learner(_ part: NearestMean, inputs: Int = 2, outputs: Int = 1) throws -> NearestMeanLearner {
    let setup = LearnerSetup(shape: TaskShape(inputs: inputs, outputs: outputs), hidden: [5], seed: Seed(2))
    var learner = try #require(part.makeLearner(setup) as? NearestMeanLearner)
    learner.begin(info(outputs))
    return learner
  }

  private func info(_ outputs: Int) -> ExperienceInfo {
    ExperienceInfo(index: 0, name: "a", outputs: 0..<outputs, seenOutputs: 0..<outputs, rows: 1)
  }

  private func learn(
    _ learner: inout NearestMeanLearner, _ rows: [[Float]], _ labels: [Int32], weights: [Float]? = nil, epoch: Int = 0
  ) {
    var batch = Rows(Matrix(rows), labels: labels, experience: 0).batch
    if let weights { batch.weights = weights }
    _ = learner.learn(batch, StepContext(experience: info(1), epoch: epoch, step: 0))
  }

  private func logits(_ learner: NearestMeanLearner, _ row: [Float]) -> [Float] {
    learner.predict(Matrix([row]), knowing: nil).row(0)
  }

  /// Rows 0,0 and 2,0 of class 0, row 0,4 of class 1: means 1,0 and 0,4. From 1,1 the halved squares are ½·1 and ½·(1 + 9).
  @Test func `the logit is the difference of the halved squared distances`() throws {
    var learner = try learner(part())
    learn(&learner, [[0, 0], [2, 0], [0, 4]], [0, 0, 1])
    #expect(learner.mean(of: 0) == [1, 0] && learner.mean(of: 1) == [0, 4])
    #expect(logits(learner, [1, 1]) == [-4.5])
    #expect(logits(learner, [0, 4]) == [8.5])
  }

  /// From 3,4 the cosine with 1,0 is ⅗, with 0,4 ⅘; what has no length has the cosine 0 with all.
  @Test func `the cosine does not ask how long a row is`() throws {
    var learner = try learner(part(.cosine))
    learn(&learner, [[0, 0], [2, 0], [0, 4]], [0, 0, 1])
    #expect(abs(logits(learner, [3, 4])[0] - 0.2) < 1e-6)
    #expect(abs(logits(learner, [300, 400])[0] - 0.2) < 1e-6)
    #expect(logits(learner, [0, 0]) == [0])
  }

  /// Class 0 has seen 0, 2 and 4: (0 + 2)/2 = 1 by shares of ½, then 1 + ½(4 − 1); without decay it is the mean, 2.
  @Test func `decay keeps the newest row's share`() throws {
    var (fading, lasting) = (try learner(part(decay: 0.5), inputs: 1), try learner(part(), inputs: 1))
    learn(&fading, [[0], [2], [4]], [0, 0, 0])
    learn(&lasting, [[0], [2], [4]], [0, 0, 0])
    #expect(fading.mean(of: 0) == [2.5] && lasting.mean(of: 0) == [2])
  }

  /// Published as a bug of others: the mean of two batches' means, (0 + 4)/2.
  @Test func `a batch counts by its rows, a row by its weight`() throws {
    var learner = try learner(part(), inputs: 1)
    learn(&learner, [[0], [0], [0]], [0, 0, 0])
    learn(&learner, [[4]], [0])
    #expect(learner.mean(of: 0) == [1])
    learn(&learner, [[5], [100]], [0, 0], weights: [4, 0])
    #expect(learner.mean(of: 0) == [3])
  }

  @Test func `later passes over a task count no row again`() throws {
    var learner = try learner(part(), inputs: 1)
    learn(&learner, [[1]], [0], epoch: 7)
    learn(&learner, [[9]], [0], epoch: 8)
    #expect(learner.mean(of: 0) == [1])
    learner.begin(info(1))
    learn(&learner, [[9]], [0], epoch: 9)
    #expect(learner.mean(of: 0) == [5])
  }

  @Test func `a class without rows is never the answer, and before any row all are alike`() throws {
    var learner = try learner(part(), outputs: 3)
    #expect(logits(learner, [1, 2]) == [0, 0, 0])
    learn(&learner, [[5, 5], [1, 1]], [1, 2])
    #expect(logits(learner, [5, 5]) == [-36, 0, -16])
    #expect(logits(learner, [1, 1]) == [-36, -16, 0])
  }

  @Test func `any order of rows and batches gives the means of all rows`() throws {
    var rng = Seed(8).stream("rows")
    let rows = (0..<300).map { _ in (0..<6).map { _ in Float(rng.normal() * 10 + 3) } }
    let labels = (0..<300).map { _ in Int32(rng.index(below: 4)) }
    let expected = (0..<4).map { label -> [Double] in
      let own = rows.indices.filter { labels[$0] == label }
      return (0..<6).map { column in own.reduce(0) { $0 + Double(rows[$1][column]) } / Double(own.count) }
    }
    for batch in [1, 7, 300] {
      var order = Array(rows.indices)
      rng.shuffle(&order)
      var learner = try learner(part(), inputs: 6, outputs: 4)
      for first in stride(from: 0, to: 300, by: batch) {
        let chosen = order[first..<min(first + batch, 300)]
        learn(&learner, chosen.map { rows[$0] }, chosen.map { labels[$0] })
      }
      for label in 0..<4 {
        #expect(zip(learner.mean(of: label), expected[label]).allSatisfy { abs($0 - $1) < 1e-9 })
      }
    }
  }

  @Test func `means of untrained features are those of the seed's network`() throws {
    var learner = try learner(part(.euclid, .features))
    learn(&learner, [[1, 2], [3, -1]], [0, 1])
    let setup = LearnerSetup(shape: TaskShape(inputs: 2, outputs: 1), hidden: [5], seed: Seed(2))
    let model = setup.makeModel()
    var network = Network(model)
    let features = network.features(Matrix([[1, 2]]), model.plainProgram).row(0)
    #expect(learner.mean(of: 0) == features.map(Double.init))
    #expect(learner.cost.bytesModel == 8 * (2 + 2 * 5) + 4 * model.parameterCount)
  }

  @Test(arguments: [NearestMean.Distance.euclid, .cosine], [NearestMean.Space.input, .features])
  func `it keeps the laws of learners and of checkpoints`(distance: NearestMean.Distance, space: NearestMean.Space) {
    for decay in [0, 0.1] {
      #expect(LearnerLaws.violations(of: [part(distance, space, decay: decay)]) == [])
      #expect(CheckpointLaws.violations(of: [part(distance, space, decay: decay)]) == [])
    }
  }

  @Test func `a state of other settings is refused`() throws {
    var small = try learner(part())
    let state = try StateEncoder.bytes { try learner(part(), inputs: 3).saveState(to: $0) }
    #expect(throws: StateError.self) {
      try StateDecoder.read(state, limits: StateLimits()) { try small.restoreState(from: $0) }
    }
  }
}
