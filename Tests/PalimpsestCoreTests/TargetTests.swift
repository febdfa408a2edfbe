import PalimpsestCore
import PalimpsestTesting
import Testing

/// Targets other than one label a row: any number of labels, and values.
@Suite struct TargetTests {
  @Test func `the losses on values are the derivatives of their values`() {
    #expect(OutputLossLaws.violations(of: SquaredError()) == [])
    #expect(OutputLossLaws.violations(of: MultiLabelCrossEntropy()) == [])
  }

  private func target(_ values: Matrix, weights: [Float]) -> LossRows {
    LossRows(
      labels: weights.map { _ in -1 }, weights: weights, rows: 0..<weights.count, outputs: 0..<values.columns,
      values: values)
  }

  @Test func `squared error by hand`() {
    // Row 0, weight 1: ½ (1 − 3)² = 2, and nothing for the unknown. Row 1, weight ½: ½ · ½ (4 + 1) = 1.25.
    var (loss, gradient) = (SquaredError(), Matrix(rows: 2, columns: 2))
    let value = loss.add(
      Matrix([[1, 5], [2, 1]]), target(Matrix([[3, .nan], [0, 2]]), weights: [1, 0.5]), to: &gradient)
    #expect(value == 3.25 && gradient == Matrix([[-2, 0], [1, -0.5]]))
  }

  @Test func `the multi-label loss by hand`() {
    // z = 0: ln 2 for either label, slopes ½ − y. z = ln 3, σ = ¾: y = 1 gives −ln ¾, slope −¼; y = 0 gives −ln ¼, slope ¾.
    var (loss, gradient) = (MultiLabelCrossEntropy(), Matrix(rows: 2, columns: 2))
    let z = Float(Elementary.log(3))
    let value = loss.add(
      Matrix([[0, z], [z, 0]]), target(Matrix([[1, 1], [0, .nan]]), weights: [1, 2]), to: &gradient)
    let expected = Elementary.log(2) - Elementary.log(0.75) - 2 * Elementary.log(0.25)
    #expect(abs(value - expected) < 1e-6)
    for (slope, right) in zip(gradient.values.array, [-0.5, -0.25, 1.5, 0]) {
      #expect(abs(Double(slope) - right) < 1e-6)
    }
    // Far out nothing overflows: ln(1 + e¹⁰⁰) − 100 = 0 and 100.
    var far = Matrix(rows: 2, columns: 1)
    let sum = loss.add(Matrix([[100], [100]]), target(Matrix([[1], [0]]), weights: [1, 1]), to: &far)
    #expect(abs(sum - 100) < 1e-4 && far == Matrix([[0], [1]]))
  }

  @Test func `a step of regression by hand`() throws {
    // One linear output from zero weights, rows (1 | 2) and (3 | −1): residuals −2 and 1, mean loss ½ (½ · 4 + ½ · 1) = 1.25.
    // Gradient of the weight ½ (−2 · 1 + 1 · 3) = ½, of the bias ½ (−2 + 1) = −½; the step is 0.1.
    let setup = LearnerSetup(shape: TaskShape(inputs: 1, target: .values(1)), hidden: [], seed: Seed(1))
    var learner = try ComposedLearner(setup, [])
    learner.start(from: FloatBuffer(count: learner.model.parameters.count))
    let info = ExperienceInfo(index: 0, name: "line", outputs: 0..<1, seenOutputs: 0..<1, rows: 2)
    let rows = Rows(Matrix([[1], [3]]), .values(Matrix([[2], [-1]])), experience: 0)
    learner.begin(info)
    let report = learner.learn(rows.batch, StepContext(experience: info, epoch: 0, step: 0))
    #expect(report.loss == 1.25)
    let layer = learner.model.layers[0]
    let theta = learner.model.parameters
    #expect(abs(theta[layer.weight] + 0.05) < 1e-7 && abs(theta[layer.bias ?? 0] - 0.05) < 1e-7)
  }

  @Test(arguments: [TaskTarget.values(4), .multiLabel(4)])
  func `heads take the values of their outputs`(target: TaskTarget) throws {
    // Two tasks of two outputs each: the other outputs of a row are unknown, and a memory brings the first task's rows back.
    let setup = LearnerSetup(shape: TaskShape(inputs: 3, target: target), hidden: [7], seed: Seed(4))
    var learner = try ComposedLearner(setup, [TwoOutputHeads(), FirstRows()])
    var losses: [Double] = []
    for task in 0..<2 {
      let own = (2 * task)..<(2 * task + 2)
      let info = ExperienceInfo(index: task, name: "task", outputs: own, seenOutputs: 0..<own.upperBound, rows: 8)
      let rows = rows(task, own)
      learner.begin(info)
      for step in 0..<300 {
        losses.append(learner.learn(rows.batch, StepContext(experience: info, epoch: step, step: step)).loss)
      }
      learner.finish(info, revisiting: rows)
    }
    #expect(losses[299] < 0.3 * losses[0] && losses[599] < 0.5 * losses[300] && learner.isFinite)
    let logits = learner.predict(rows(0, 0..<2).batch.inputs, knowing: 0)
    #expect(logits[0, 0].isFinite && logits[0, 2] == -.infinity)
  }

  private func rows(_ task: Int, _ own: Range<Int>) -> Rows {
    var rng = Seed(9).stream("rows", task)
    let inputs = Matrix((0..<8).map { _ in (0..<3).map { _ in Float(rng.normal()) } })
    let values = Matrix(
      (0..<8).map { row in (0..<4).map { own.contains($0) ? (inputs[row, $0 % 2] > 0 ? 1 : 0) : .nan } })
    return Rows(inputs, .values(values), experience: task)
  }

  @Test func `shapes of labelled rows are kept as they were, others name their target`() throws {
    for shape in [
      TaskShape(inputs: 3, outputs: 1), TaskShape(inputs: 3, outputs: 5), TaskShape(inputs: 2, target: .values(1)),
      TaskShape(inputs: 2, target: .multiLabel(4)),
    ] {
      #expect(try StateDecoder.value(TaskShape.self, from: StateEncoder.bytes(of: shape)) == shape)
    }
    struct Earlier: Codable {
      var inputs = 3
      var outputs = 1
    }
    #expect(
      try StateDecoder.value(TaskShape.self, from: StateEncoder.bytes(of: Earlier()))
        == TaskShape(inputs: 3, target: .binary))
    #expect(TaskShape(inputs: 2, target: .values(1)).isBinary == false)
    // Inputs, label and task; inputs, task and three values.
    #expect(TaskShape(inputs: 7, outputs: 3).rowBytes == 36 && TaskShape(inputs: 7, target: .values(3)).rowBytes == 44)
  }
}
