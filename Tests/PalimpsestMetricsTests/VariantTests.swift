import PalimpsestMetrics
import Testing

/// One matrix, every published formula: the values are worked out by hand.
@Suite struct VariantTests {
  @Test(
    arguments: [
      (.averageAccuracy, 0.740),  // (0.70 + 0.60 + 0.92) / 3
      (.averageIncrementalAccuracy, 0.805),  // (0.80 + 0.875 + 0.74) / 3
      (.averageLowerTriangle, 0.795),  // (0.80 + 0.90 + 0.85 + 0.70 + 0.60 + 0.92) / 6
      (.learningAccuracy, 0.856_666_666_666_666_7),  // (0.80 + 0.85 + 0.92) / 3
    ] as [(Metric, Double)])
  func `averages of the example`(metric: Metric, value: Double) {
    #expect(close(number(metric, example), value))
  }

  @Test(
    arguments: [
      (.forgetting, 0.225),  // ((0.90 − 0.70) + (0.85 − 0.60)) / 2
      (.forgettingFirstLast, 0.175),  // ((0.80 − 0.70) + (0.85 − 0.60)) / 2
      (.forgettingAllRows, 0.225),
      (.forgettingDividedByAll, 0.150),  // 0.45 / 3
      (.forgettingWithoutNewest, 0.050),  // (0.80 − 0.70) / 2
      (.forgettingWithCurrent, -0.056_666_666_666_666_67),  // ((0.90 − 0.70) + (0.85 − 0.60) + (0.30 − 0.92)) / 3
    ] as [(Metric, Double)])
  func `forgetting of the example`(metric: Metric, value: Double) {
    #expect(close(number(metric, example), value))
  }

  @Test(
    arguments: [
      (.backwardTransfer, -0.175),  // ((0.70 − 0.80) + (0.60 − 0.85)) / 2
      (.backwardTransferPlus, 0),
      (.backwardTransferDividedByAll, -0.116_666_666_666_666_67),  // −0.35 / 3
      (.backwardTransferAllPairs, -0.083_333_333_333_333_33),  // (0.10 − 0.10 − 0.25) / 3
      (.backwardTransferAllPairsPlus, 0),
      (.backwardTransferConsecutive, -0.116_666_666_666_666_67),  // (0.10 − 0.20 − 0.25) / 3
      (.backwardTransferDistantPairs, -0.033_333_333_333_333_33),  // (0.70 − 0.80) / 3
    ] as [(Metric, Double)])
  func `backward transfer of the example`(metric: Metric, value: Double) {
    #expect(close(number(metric, example), value))
  }

  @Test(
    arguments: [
      (.forwardTransfer, 0.150),  // ((0.20 − 0.10) + (0.30 − 0.10)) / 2
      (.forwardTransferWithoutBaseline, 0.250),
      (.forwardTransferUpper, 0.200),  // (0.20 + 0.10 + 0.30) / 3
    ] as [(Metric, Double)])
  func `forward transfer of the example`(metric: Metric, value: Double) {
    #expect(close(number(metric, example), value))
  }

  /// Four tasks, where the maximum lies in the middle, in the last row, on the diagonal, and before the task was learned.
  @Test func `the rows that the maximum of forgetting runs over`() {
    let run = record([
      [0.5, 0.99, 0.1, 0.1],
      [0.9, 0.6, 0.1, 0.1],
      [0.7, 0.5, 0.8, 0.1],
      [0.6, 0.7, 0.4, 0.9],
    ])
    // From learning to the row before the last: 0.9 − 0.6, 0.6 − 0.7, 0.8 − 0.4.
    #expect(close(number(.forgetting, run), 0.2))
    // With the last row: 0.9 − 0.6, 0, 0.8 − 0.4.
    #expect(close(number(.forgettingAllRows, run), 0.7 / 3))
    // Every row before the last, zero-shot ones too: 0.3, 0.99 − 0.7, 0.4, 0.1 − 0.9.
    #expect(close(number(.forgettingWithCurrent, run), 0.19 / 4))
    // All but the newest old task: (0.5 − 0.6) + (0.6 − 0.7), over 3.
    #expect(close(number(.forgettingWithoutNewest, run), -0.2 / 3))
  }

  @Test func `the positive part of a positive backward transfer is itself`() {
    let run = record([[0.5, 0.1], [0.8, 0.9]])
    #expect(close(number(.backwardTransferPlus, run), 0.3))
    #expect(close(number(.backwardTransferAllPairsPlus, run), 0.3))
  }

  @Test func `intransigence against each reference`() {
    var run = example
    run.truth = truth([[0.9, 0.5, 0.5], [0.5, 0.95, 0.5], [0.5, 0.5, 0.97]], ceiling: 0.8)
    // Only the diagonals count; each line: the sum of the reference's 0.85, 0.85, 0.91 (0.80, 0.90, 0.95; 0.90, 0.95, 0.97)
    // minus 0.80, 0.85, 0.92.
    let joint = record([[0.85, 0, 0], [0, 0.85, 0], [0, 0, 0.91]])
    let scratch = record([[0.80, 0, 0], [0, 0.90, 0], [0, 0, 0.95]])
    let context = MetricContext(joint: joint, scratch: scratch)
    #expect(close(number(.intransigence, run, context), 0.04 / 3))
    #expect(close(number(.intransigenceScratch, run, context), 0.08 / 3))
    #expect(close(number(.intransigenceBayes, run, context), 0.25 / 3))
    #expect(close(number(.forwardTransferIndependent, run, context), -0.04))
  }

  @Test func `expected metrics come from the noise-free accuracies, sampled ones do not`() {
    var run = example
    run.expectedAccuracy = AccuracyMatrix([[0.6, 0.5, 0.5], [0.5, 0.6, 0.5], [0.4, 0.5, 0.6]])
    run.expectedAccuracyBefore = [0.3, 0.4, 0.4]
    let forgetting = Metric.forgetting.value(of: run, kind: .expected).number
    #expect(close(forgetting, 0.15))  // ((0.6 − 0.4) + (0.6 − 0.5)) / 2
    #expect(close(Metric.forwardTransfer.value(of: run, kind: .expected).number, 0.1))
    #expect(close(number(.forgetting, run), 0.225))
    var joint = record([[0, 0, 0], [0, 0, 0], [0, 0, 0]])
    joint.expectedAccuracy = AccuracyMatrix([[0.7, 0, 0], [0, 0.7, 0], [0, 0, 0.7]])
    let context = MetricContext(joint: joint)
    #expect(close(Metric.intransigence.value(of: run, kind: .expected, context: context).number, 0.1))
  }
}
