import PalimpsestCore
import Testing

/// What a network predicts for a row is a matter of that row alone.
@Suite struct PredictionTests {
  static let nets = [BenchmarkNet.tiny, .small, .large]

  private func inputs(_ count: Int, _ net: BenchmarkNet) -> Matrix {
    var batch = Batch(columns: net.inputs)
    let rows = net.rows(0)
    batch.append(rows, range: 0..<count)
    return batch.inputs
  }

  private func learner(_ net: BenchmarkNet) throws -> ComposedLearner { try net.train(SGD(), [], steps: 4) }

  @Test(arguments: nets)
  func `a row's logits do not depend on the rows beside it`(net: BenchmarkNet) throws {
    let learner = try learner(net)
    let all = inputs(40, net)
    let together = learner.predict(all, knowing: 0)
    for row in [0, 1, 7, 15, 16, 31, 38, 39] {
      #expect(learner.predict(Matrix([all.row(row)]), knowing: 0).row(0) == together.row(row), "row \(row)")
    }
    for count in [2, 3, 6, 9, 17, 33] {
      let part = learner.predict(Matrix((0..<count).map { all.row(39 - $0) }), knowing: 0)
      for row in 0..<count { #expect(part.row(row) == together.row(39 - row), "row \(row) of \(count)") }
    }
  }

  @Test(arguments: nets)
  func `rows predicted in blocks equal rows predicted at once`(net: BenchmarkNet) throws {
    // 999 rows make three whole blocks and a part of one.
    let learner = try learner(net)
    let all = inputs(999, net)
    let together = learner.predict(all, knowing: 0)
    for range in [0..<256, 256..<300, 300..<999, 998..<999] {
      let part = learner.predict(Matrix(range.map { all.row($0) }), knowing: 0)
      #expect((0..<range.count).allSatisfy { part.row($0) == together.row(range.lowerBound + $0) }, "\(range)")
    }
  }

  @Test func `features are what enters the output layer`() throws {
    let learner = try learner(.small)
    let (all, model) = (inputs(300, .small), learner.model)
    var network = Network(model)
    let features = network.features(all, model.plainProgram)
    #expect(features.rows == 300 && features.columns == 64)
    var head = Program(inputs: 64, outputs: 0..<8)
    head.dense(model.layers[2], from: 0)
    #expect(model.logits(features, head) == model.logits(all, model.plainProgram))
  }
}
