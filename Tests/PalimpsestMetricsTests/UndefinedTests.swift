import PalimpsestCore
import PalimpsestMetrics
import Testing

/// A metric that has no value says why, in whole sentences that the results carry.
@Suite struct UndefinedTests {
  func reason(_ metric: Metric, _ record: RunRecord, _ context: MetricContext = MetricContext()) -> String? {
    metric.value(of: record, kind: .sampled, context: context).reason
  }

  @Test func `one task neither forgets nor transfers`() {
    let run = record([[0.8]])
    for metric in standardMetrics where metric.needs.contains(.severalTasks) {
      #expect(reason(metric, run) == "there is only one task", "\(metric.name)")
    }
    #expect(number(.averageAccuracy, run) == 0.8)
    #expect(number(.averageIncrementalAccuracy, run) == 0.8)
    #expect(number(.averageLowerTriangle, run) == 0.8)
    #expect(number(.learningAccuracy, run) == 0.8)
  }

  @Test(arguments: [
    (RunRecord.Status.diverged, "", "the run diverged"),
    (.cancelled, "", "the run was cancelled"),
    (.failed, "the file is empty", "the run failed: the file is empty"),
    (.failed, "", "the run failed"),
  ])
  func `a run that did not complete has no metrics`(status: RunRecord.Status, error: String, why: String) {
    var run = example
    run.status = status
    run.error = error
    for metric in standardMetrics { #expect(reason(metric, run) == why) }
  }

  @Test func `masked future classes leave forward transfer undefined and the rest as it is`() {
    var run = example
    for (i, j) in [(0, 1), (0, 2), (1, 2)] { run.accuracy[i, j] = .nan }
    run.accuracyBefore = [.nan, .nan, .nan]
    run.zeroShotUnmeasured = "future classes are masked"
    for metric in standardMetrics where metric.needs.contains(.zeroShot) {
      #expect(reason(metric, run) == "future classes are masked", "\(metric.name)")
    }
    #expect(close(number(.forgetting, run), 0.225))
    run.zeroShotUnmeasured = nil
    #expect(reason(.forwardTransfer, run) == "the accuracy on tasks not yet learned was not measured")
  }

  @Test func `an untrained network that was not evaluated leaves forward transfer undefined`() {
    var run = example
    run.accuracyBefore = [0.1, .nan, 0.1]
    #expect(reason(.forwardTransfer, run) == "the untrained network was not evaluated")
    run.accuracyBefore = [.nan, 0.1, 0.1]
    #expect(close(number(.forwardTransfer, run), 0.15))  // The first task's is not read.
    #expect(close(number(.forwardTransferWithoutBaseline, run), 0.25))
  }

  @Test func `an accuracy that was not measured is named`() {
    var run = example
    run.accuracy[2, 1] = .nan
    let why = "the accuracy on \"task 1\" after \"task 2\" was not measured"
    for metric in [Metric.averageAccuracy, .forgetting, .forgettingAllRows, .backwardTransfer, .backwardTransferPlus] {
      #expect(reason(metric, run) == why, "\(metric.name)")
    }
    #expect(close(number(.learningAccuracy, run), 2.57 / 3))
    run = example
    run.accuracy[0, 2] = .nan
    #expect(reason(.forwardTransferUpper, run) == "the accuracy on \"task 2\" after \"task 0\" was not measured")
    #expect(close(number(.forwardTransfer, run), 0.15))
  }

  @Test func `a maximum over a missing accuracy is missing, wherever it stands`() {
    for row in 0..<3 {
      var run = record([[0.9, 0, 0, 0], [0.5, 0.9, 0, 0], [0.7, 0.5, 0.9, 0], [0.6, 0.7, 0.4, 0.9]])
      run.accuracy[row, 0] = .nan
      #expect(number(.forgetting, run).isNaN)
      #expect(number(.forgettingAllRows, run).isNaN)
    }
  }

  @Test func `noise-free metrics need p* and say so`() {
    var run = example
    run.expectedAccuracy = nil
    for metric in standardMetrics {
      #expect(metric.value(of: run, kind: .expected).reason == "p* is not known: there is no noise-free accuracy")
    }
    run.expectedAccuracy = run.accuracy
    run.expectedAccuracyBefore = nil
    #expect(
      Metric.forwardTransfer.value(of: run, kind: .expected).reason == "the untrained network was not evaluated")
  }

  @Test func `intransigence needs a reference that fits`() {
    let missing = "there is no joint run of the same scenario and seed to compare with"
    #expect(reason(.intransigence, example) == missing)
    #expect(reason(.intransigence, example, MetricContext(scratch: example)) == missing)
    #expect(number(.intransigence, example, MetricContext(joint: example)) == 0)
    let other = MetricContext(joint: record([[0.8, 0.2], [0.9, 0.85]]))
    #expect(reason(.intransigence, example, other) == "the joint run has other tasks")
    var diverged = example
    diverged.status = .diverged
    #expect(
      reason(.intransigence, example, MetricContext(joint: diverged)) == "of the joint run: the run diverged")
    #expect(
      reason(.forwardTransferIndependent, example)
        == "there is no scratch run of the same scenario and seed to compare with")
  }

  @Test func `what needs the truth of the scenario says so`() {
    for metric in [Metric.driftImpliedForgetting, .interference, .underfit, .normalisedRetention, .intransigenceBayes] {
      #expect(reason(metric, example) == "the best rules of the scenario are not known", "\(metric.name)")
    }
    var run = example
    let cross = [[0.9, 0.5, 0.5], [0.5, 0.9, 0.5], [0.5, 0.5, 0.9]]
    run.truth = truth(cross, ceiling: .nan)
    #expect(reason(.normalisedRetention, run) == "the joint ceiling of the scenario is not known")
    run.truth = truth(cross, ceiling: 1.9 / 3)
    let nothing = "the joint ceiling is not above the tracker by more than 0.03: nothing to retain"
    #expect(reason(.normalisedRetention, run) == nothing)
  }

  /// With dose 0 the best rule of the last task is that of every task: 0.86 here, and the test rows' luck.
  @Test(arguments: [(0.0, false), (0.005, false), (0.0299, false), (0.0301, true), (0.11, true)])
  func `retention is undefined where ceiling and tracker differ by chance alone`(gap: Double, isDefined: Bool) {
    var run = record([[0.8, 0.8], [0.75, 0.8]])
    run.truth = truth([[0.86, 0.86], [0.86, 0.86]], ceiling: 0.86 + gap)
    #expect((reason(.normalisedRetention, run) == nil) == isDefined)
    run = record([[0.8]])
    run.truth = truth([[0.86]], ceiling: 0.86 + min(gap, 0.005))
    #expect(reason(.normalisedRetention, run)?.hasSuffix("nothing to retain") == true)
  }

  @Test func `what needs the curve says which part of it is missing`() {
    for metric in standardMetrics where metric.needs.contains(.curve) {
      #expect(reason(metric, example) == "nothing was evaluated within tasks", "\(metric.name)")
    }
    var run = example
    run.curve = [CurvePoint(task: 1, examples: 10, accuracy: [0.5, 0.5, 0.5], expectedAccuracy: nil)]
    #expect(reason(.stabilityGap, run) == "nothing was evaluated while \"task 2\" was learned")
    #expect(run.switches(.sampled).isEmpty)
  }

  /// Records come from files: nothing in them may stop the program.
  @Test func `a record that does not fit together has no metrics`() {
    var run = example
    run.accuracy = AccuracyMatrix([[0.8, 0.2], [0.9, 0.85]])
    #expect(reason(.forgetting, run) == "the matrix of accuracies is not tasks × tasks")
    run.accuracy = AccuracyMatrix([[0.8], [0.9, 0.85], []])
    #expect(reason(.forgetting, run) == "the matrix of accuracies is not tasks × tasks")
    #expect(reason(.forgetting, RunRecord(status: .completed, tasks: [])) == "there are no tasks")
    run = example
    run.accuracyBefore = []
    #expect(reason(.forwardTransfer, run) == "the untrained network was not evaluated")
    run.truth = truth([[0.9]], ceiling: 0.9)
    #expect(reason(.interference, run) == "the best rules of the scenario are not known")
    run.curve = (1...2).map { CurvePoint(task: $0, examples: 1, accuracy: [0.5], expectedAccuracy: nil) }
    for metric in standardMetrics {
      #expect(!metric.value(of: run, kind: .sampled).number.isInfinite)
      #expect(!metric.needs.contains(.curve) || reason(metric, run) != nil)
    }
  }

  @Test func `an undefined value is NaN as a number`() {
    #expect(MetricValue.undefined("x").number.isNaN)
    #expect(MetricValue.undefined("x").reason == "x")
    #expect(MetricValue.number(0.5).number == 0.5)
    #expect(MetricValue.number(0.5).reason == nil)
  }
}
