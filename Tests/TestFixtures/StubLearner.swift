import PalimpsestCore
import PalimpsestScenarios

/// A learner whose logits are its inputs: what a test writes into the rows is what it answers.
package struct StubLearner: Learner {
  package var predictable = 0..<Int.max
  /// Added to every logit where the task is told.
  package var shift: Float = 0
  /// What a prediction takes.
  package var delay = Duration.zero
  /// Logits of a row; nil: as many as inputs.
  package var columns: Int?

  package init(predictable: Range<Int> = 0..<Int.max, shift: Float = 0, delay: Duration = .zero) {
    (self.predictable, self.shift, self.delay) = (predictable, shift, delay)
  }

  package mutating func begin(_ experience: ExperienceInfo) {}
  package mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    StepReport(loss: 0, penalty: 0, rows: batch.count)
  }
  package mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}

  package func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
    let end = ContinuousClock.now + delay
    while delay > .zero && ContinuousClock.now < end {}
    var logits = columns.map { Matrix(rows: inputs.rows, columns: $0) } ?? inputs
    if let experience {
      for row in 0..<logits.rows { logits[row, 0] += shift * Float(experience + 1) }
    }
    return logits
  }

  package func predictableOutputs(knowing experience: Int?) -> Range<Int> { predictable }
  package var cost: LearnerCost { LearnerCost() }
  package var isFinite: Bool { true }
}

/// Learns nothing, and takes a millisecond for each prediction.
package struct SlowPredictor: WholeLearner {
  package static let name = "slow-predictor"
  package static let summary = "Learns nothing and predicts slowly."
  package static let source = "For tests."

  package init() {}

  package func makeLearner(_ setup: LearnerSetup) -> any Learner {
    var learner = StubLearner(delay: .milliseconds(1))
    learner.columns = setup.shape.outputs
    return learner
  }
}

/// A stream of one task that is only evaluated.
package struct StubStream: DriftStream {
  package let shape: TaskShape
  package var set: EvaluationSet

  /// - Parameter logits: one row a test row.
  package init(
    _ logits: [[Float]], labels: [Int32], truth: [Float]? = nil, candidates: Range<Int>? = nil, known: Int? = nil
  ) {
    shape = TaskShape(inputs: logits.first?.count ?? 1, outputs: logits.first?.count ?? 1)
    let inputs = logits.isEmpty ? Matrix(rows: 0, columns: 1) : Matrix(logits)
    set = EvaluationSet(
      rows: Rows(inputs, labels: labels, experience: 0, truth: truth), knownExperience: known,
      candidates: candidates ?? 0..<shape.outputs)
  }

  package var experiences: [ExperienceInfo] {
    [ExperienceInfo(index: 0, name: "one", outputs: 0..<shape.outputs, seenOutputs: 0..<shape.outputs, rows: 1)]
  }

  package func trainingRows(for experience: Int) -> Rows { set.rows }
  package func evaluationSet(for experience: Int) -> EvaluationSet { set }
}
