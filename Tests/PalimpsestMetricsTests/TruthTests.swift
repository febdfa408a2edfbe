import PalimpsestCore
import PalimpsestMetrics
import Testing

/// Metrics that take the best rules of the scenario.
@Suite struct TruthTests {
  /// A run and a truth that are drawn.
  func drawnWithTruth(tasks: Int, seed: Int) -> RunRecord {
    var run = drawn(tasks: tasks, seed: seed)
    run.truth = truth(drawn(tasks: tasks, seed: seed + 1000).accuracy.rows, ceiling: 2)
    return run
  }

  @Test func `the parts of the forgetting identity by hand`() {
    var run = record([[0.8, 0.4], [0.5, 0.85]])
    run.truth = truth([[0.90, 0.55], [0.60, 0.88]], ceiling: 0.8)
    #expect(close(number(.driftImpliedForgetting, run), 0.30))  // 0.90 − 0.60
    #expect(close(number(.interference, run), 0.10))  // 0.60 − 0.50
    #expect(close(number(.underfit, run), 0.10))  // 0.90 − 0.80
    #expect(close(number(.forgettingFirstLast, run), 0.30))  // 0.80 − 0.50 = 0.30 + 0.10 − 0.10
  }

  @Test func `the identity adds up for every run`() {
    for seed in 0..<100 {
      let run = drawnWithTruth(tasks: 2 + seed % 6, seed: seed)
      let sum = number(.driftImpliedForgetting, run) + number(.interference, run) - number(.underfit, run)
      #expect(close(sum, number(.forgettingFirstLast, run), within: 1e-14 * 10))
    }
  }

  @Test func `a perfect tracker forgets what the drift implies and nothing else`() {
    for seed in 0..<20 {
      var run = drawnWithTruth(tasks: 4, seed: seed)
      run.accuracy = AccuracyMatrix(run.truth?.crossAccuracy ?? [])
      #expect(close(number(.driftImpliedForgetting, run), number(.forgettingFirstLast, run)))
      #expect(number(.interference, run) == 0)
      #expect(number(.underfit, run) == 0)
    }
  }

  @Test func `normalised retention is 0 for the tracker and 1 at the joint ceiling`() {
    let cross = [[0.9, 0.5, 0.6], [0.55, 0.85, 0.5], [0.6, 0.65, 0.95]]  // Tracker: 2.2 / 3.
    var run = record(cross)
    run.truth = truth(cross, ceiling: 0.8)
    #expect(close(number(.normalisedRetention, run), 0))
    run.accuracy.rows[2] = [0.8, 0.75, 0.85]
    #expect(close(number(.normalisedRetention, run), 1))
    run.accuracy.rows[2] = [0.8, 0.8, 0.8 + 0.2 - 2.2 / 3]  // Half a gap above the ceiling on average.
    let average = (1.6 + 1.0 - 2.2 / 3) / 3
    #expect(close(number(.normalisedRetention, run), (average - 2.2 / 3) / (0.8 - 2.2 / 3)))
  }
}
