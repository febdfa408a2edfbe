import PalimpsestCore
import PalimpsestStrategies
import PalimpsestTesting
import Testing

/// Bounds, detectors and whole learners that do what none may do: the laws say who did what, and go on.
struct BrokenLearnerTests {
  @Test func `a bound with batches of no rows is named`() {
    #expect(
      LearnerLaws.violations(of: [EmptyBatches()]).first
        == "binary, empty-batches: task 1: batches of 0 times their rows")
  }

  @Test func `a detector that cannot be quiet is named`() {
    #expect(
      DetectorLaws.violations(of: Nervous()).first == "nervous: value 0 of a constant 0.0 raises an alarm")
  }

  @Test func `a whole learner with answers of another form is named`() {
    let said = LearnerLaws.violations(of: [Sideways()])
    #expect(said.first == "sideways, binary: predictions of 1 × 8 for 8 rows")
  }
}

private struct EmptyBatches: Bound {
  static let name = "empty-batches"
  static let summary = "Trains on batches of no rows."
  static let source = "For tests."

  func plan(for experience: Int) -> TrainingPlan { TrainingPlan(batchFactor: 0) }
}

private struct Nervous: DriftDetector {
  static let name = "nervous"
  static let summary = "Always alarmed."
  static let source = "For tests."

  mutating func observe(_ outcome: Outcome) -> DriftSignal { .alarm }
}

private struct Sideways: WholeLearner {
  static let name = "sideways"
  static let summary = "Answers column by column."
  static let source = "For tests."

  func makeLearner(_ setup: LearnerSetup) -> any Learner { SidewaysLearner(outputs: setup.shape.outputs) }
}

private struct SidewaysLearner: Learner, Codable {
  let outputs: Int
  var cost: LearnerCost { LearnerCost() }
  var isFinite: Bool { true }

  mutating func begin(_ experience: ExperienceInfo) {}
  mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
    StepReport(loss: 0, penalty: 0, rows: batch.count)
  }
  mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
  func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix { Matrix(rows: outputs, columns: inputs.rows) }
  func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<outputs }
}
