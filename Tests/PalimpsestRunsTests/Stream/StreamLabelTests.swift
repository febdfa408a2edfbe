import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import PalimpsestScenarios
import PalimpsestStrategies
import TestFixtures
import Testing

/// Labels that come late, never, or wrong.
@Suite struct StreamLabelTests {
  private func settings(_ change: (inout StreamSettings) -> Void) -> StreamSettings {
    var settings = StreamSettings(block: 1, window: 20)
    change(&settings)
    return settings
  }

  /// What a learner is fed, row by row, and the row at which it is.
  private final class Fed: @unchecked Sendable {
    var labels: [(label: Int, predicted: Int)] = []
    var predicted = 0
  }

  private struct Spying: Learner {
    let fed: Fed

    mutating func begin(_ experience: ExperienceInfo) {}
    mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
      for label in batch.labels { fed.labels.append((Int(label), fed.predicted)) }
      return StepReport(loss: 0, penalty: 0, rows: batch.count)
    }
    mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
    func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
      fed.predicted += inputs.rows
      return Matrix([[Float]](repeating: [1], count: inputs.rows))
    }
    func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<1 }
    var cost: LearnerCost { LearnerCost() }
    var isFinite: Bool { true }
  }

  private func fed(_ settings: StreamSettings) -> (Fed, StreamRun) {
    let fed = Fed()
    var run = StreamRun(settings, TurningStream(), learner: Spying(fed: fed), seed: Seed(4))
    run.finish()
    return (fed, run)
  }

  private var truth: [Int] { (0..<3).flatMap { TurningStream().trainingRows(for: $0).labels.map(Int.init) } }

  /// The label of row t is learned when row t + delay has been predicted; of the last rows none arrives. Late rows are predicted twice.
  @Test(arguments: [0, 1, 7, 74, 75, 1000])
  func `a label arrives so many rows behind its own`(delay: Int) {
    let (fed, run) = fed(settings { $0.labels.delay = delay })
    #expect(fed.labels.map(\.label) == Array(truth.prefix(max(0, 75 - delay))))
    for (row, label) in fed.labels.enumerated() {
      let again = delay == 0 ? 0 : row + 1
      #expect(label.predicted == row + delay + 1 + again)
    }
    #expect(run.windows.rows == 75)
    #expect(run.finalWindows?.rows == (delay == 0 ? nil : max(0, 75 - delay)))
  }

  @Test func `a missing label is never learned, and counts all the same`() {
    let (none, run) = fed(settings { $0.labels.missing = 1 })
    #expect(none.labels.isEmpty && run.windows.rows == 75 && run.steps == 0)
    let (half, _) = fed(settings { $0.labels.missing = 0.5 })
    #expect((20...55).contains(half.labels.count))
    let (classes, _) = fed(settings { ($0.labels.missing, $0.labels.missingBy) = (0.5, .class) })
    #expect(Set(classes.labels.map(\.label)).count <= 2)
  }

  @Test func `a lost label arrives as 0, and the answer is judged by the right one`() {
    let (lost, run) = fed(settings { $0.labels.loss = 1 })
    #expect(lost.labels.count == 75 && lost.labels.allSatisfy { $0.label == 0 })
    let (plain, other) = fed(settings { _ in })
    #expect(plain.labels.map(\.label) == truth && run.windows.meanAccuracy == other.windows.meanAccuracy)
  }

  /// A row whose label never arrives is not predicted again.
  @Test(arguments: [0.4, 1]) func `final predictions are those of rows whose label arrives`(missing: Double) {
    let (fed, run) = fed(settings { ($0.labels.delay, $0.labels.missing) = (3, missing) })
    #expect(run.finalWindows?.rows == fed.labels.count && run.windows.rows == 75)
  }

  /// Rows of a task whose label comes in the next one are that task's: its head learns them, and answers them again.
  @Test func `late rows are rows of their own task where tasks are told`() throws {
    let stream = TwoHeadsStream()
    func heads(delay: Int) throws -> StreamRun {
      let learner = try LearnerSetup(shape: stream.shape, hidden: [8], seed: Seed(3))
        .makeLearner([Heads()])
      var run = StreamRun(
        settings { ($0.labels.delay, $0.window, $0.boundaries) = (delay, 200, .given) }, stream, learner: learner,
        seed: Seed(4))
      run.finish()
      return run
    }
    let run = try heads(delay: 150)
    // Rows 0 … 199 are task 0's: each is answered among 0 and 1, although it arrives in part in task 1.
    #expect(try #require(run.finalWindows).windows[0].accuracy > 0.8)
    #expect(run.finalWindows?.rows == 250)
  }

  /// Labels of rows from 40 on, turned over, change no prediction of a row up to 40.
  @Test(arguments: [0, 5])
  func `labels to come change no prediction`(delay: Int) throws {
    func accuracies(flippedFrom: Int) throws -> [Double] {
      let learner = try LearnerSetup(shape: TurningStream().shape, hidden: [8], seed: Seed(3)).makeLearner([])
      var run = StreamRun(
        settings { ($0.labels.delay, $0.window) = (delay, 1) }, TurningStream(flippedFrom: flippedFrom),
        learner: learner,
        seed: Seed(4))
      run.finish()
      return run.windows.windows.map(\.logLoss)
    }
    let (a, b) = (try accuracies(flippedFrom: 75), try accuracies(flippedFrom: 40))
    #expect(a.prefix(40) == b.prefix(40))
    #expect(a[(40 + delay + 2)...] != b[(40 + delay + 2)...])
  }
}
