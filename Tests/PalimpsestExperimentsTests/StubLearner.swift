import PalimpsestCore
import PalimpsestScenarios

/// A learner whose logits are its inputs: what a test writes into the rows is what it answers.
struct StubLearner: Learner {
  var predictable = 0..<Int.max
  /// Added to every logit where the task is told.
  var shift: Float = 0
  /// What a prediction takes.
  var delay = Duration.zero

  mutating func begin(_ experience: ExperienceInfo) {}
  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    StepReport(loss: 0, penalty: 0, rows: batch.count)
  }
  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}

  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
    let end = ContinuousClock.now + delay
    while delay > .zero && ContinuousClock.now < end {}
    var logits = inputs
    if let experience {
      for row in 0..<logits.rows { logits[row, 0] += shift * Float(experience + 1) }
    }
    return logits
  }

  func predictableOutputs(knowing experience: Int?) -> Range<Int> { predictable }
  var cost: LearnerCost { LearnerCost() }
  var isFinite: Bool { true }
}

/// Learns nothing, and takes a millisecond for each prediction.
struct SlowPredictor: WholeLearner {
  static let name = "slow-predictor"
  static let summary = "Learns nothing and predicts slowly."
  static let source = "For tests."

  func makeLearner(_ setup: LearnerSetup) -> any Learner { StubLearner(delay: .milliseconds(1)) }
}

/// A stream of one task that is only evaluated.
struct StubStream: DriftStream {
  let shape: TaskShape
  let set: EvaluationSet

  /// - Parameter logits: one row a test row.
  init(
    _ logits: [[Float]], labels: [Int32], truth: [Float]? = nil, candidates: Range<Int>? = nil, known: Int? = nil
  ) {
    shape = TaskShape(inputs: logits.first?.count ?? 1, outputs: logits.first?.count ?? 1)
    let inputs = logits.isEmpty ? Matrix(rows: 0, columns: 1) : Matrix(logits)
    set = EvaluationSet(
      rows: Rows(inputs, labels: labels, experience: 0, truth: truth), knownExperience: known,
      candidates: candidates ?? 0..<shape.outputs)
  }

  var experiences: [ExperienceInfo] {
    [ExperienceInfo(index: 0, name: "one", outputs: 0..<shape.outputs, seenOutputs: 0..<shape.outputs, rows: 1)]
  }

  func trainingRows(for experience: Int) -> Rows { set.rows }
  func evaluationSet(for experience: Int) -> EvaluationSet { set }
}
