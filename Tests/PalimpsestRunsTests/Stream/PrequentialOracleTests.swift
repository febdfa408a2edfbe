import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import Testing

/// What prequential numbers must be, in closed form.
@Suite struct PrequentialOracleTests {
  /// Answers 1 with the logit z, whatever it is taught.
  private struct Constant: LabelLearner {
    let logit: Float

    mutating func learn(_ labels: [Int32]) {}
  }

  private func windows(_ learner: any Learner, block: Int, window: Int) -> PrequentialWindows {
    var run = StreamRun(StreamSettings(block: block, window: window), TurningStream(), learner: learner, seed: Seed(1))
    run.finish()
    return run.windows
  }

  private var labels: [Int] { (0..<3).flatMap { TurningStream().trainingRows(for: $0).labels.map(Int.init) } }

  /// Accuracy is the share of 1, the loss ln(1 + eᶻ) − z · (share of 1), whatever the blocks.
  @Test(arguments: [1, 4, 75], [10, 75, 1000])
  func `a constant learner has the share of its label`(block: Int, window: Int) {
    let ones = Double(labels.reduce(0, +))
    let result = windows(Constant(logit: 0.5), block: block, window: window)
    #expect(result.rows == 75 && result.meanAccuracy == ones / 75)
    let loss = result.windows.reduce(0) { $0 + $1.logLoss * Double($1.rows) } / 75
    #expect(abs(loss - (Elementary.log(1 + Elementary.exp(0.5)) - 0.5 * ones / 75)) < 1e-12)
    #expect(windows(Constant(logit: -0.5), block: block, window: window).meanAccuracy == 1 - ones / 75)
  }

  @Test(arguments: [1, 4])
  func `the majority so far is that of the rows before the block`(block: Int) {
    var hits = 0
    for (row, label) in labels.enumerated() {
      let before = labels[..<(row / block * block)]
      let ones = before.reduce(0, +)
      hits += (2 * ones > before.count ? 1 : 0) == label ? 1 : 0
    }
    #expect(windows(MostFrequent(), block: block, window: 20).meanAccuracy == Double(hits) / 75)
  }

  @Test(arguments: [1, 3, 10, 74, 75, 76])
  func `windows of any length add up to the same hits and loss`(window: Int) {
    let (fine, coarse) = (
      windows(MostFrequent(), block: 1, window: window), windows(MostFrequent(), block: 1, window: 75)
    )
    #expect(fine.windows.map(\.hits).reduce(0, +) == coarse.windows[0].hits)
    #expect(fine.rightEdges.last == 75 && fine.rows == 75)
    let loss = fine.windows.reduce(0) { $0 + $1.logLoss * Double($1.rows) }
    #expect(abs(loss - coarse.windows[0].logLoss * 75) < 1e-9)
  }
}
