import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import TestFixtures
import Testing

/// Windows of a learner whose logits are no numbers: a run that diverges ends, and does not hang.
@Suite struct WindowTests {
  private struct Lost: Learner {
    mutating func begin(_ experience: ExperienceInfo) {}
    mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
      StepReport(loss: 0, penalty: 0, rows: batch.count)
    }
    mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
    func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
      Matrix([[Float]](repeating: [.nan], count: inputs.rows))
    }
    func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<1 }
    var cost: LearnerCost { LearnerCost() }
    var isFinite: Bool { true }
  }

  @Test func `logits that are no numbers have no area and end`() {
    var run = StreamRun(StreamSettings(block: 1, window: 20), TurningStream(), learner: Lost(), seed: Seed(0))
    run.finish()
    #expect(run.windows.windows.count == 4 && run.windows.windows.allSatisfy(\.area.isNaN))
  }
}
