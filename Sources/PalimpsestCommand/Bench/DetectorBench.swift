import Palimpsest
import PalimpsestBench

/// What drift detectors take a row.
extension Bench {
  /// Rows that a detector observes, each detector in its defaults.
  func detectors(_ report: (BenchLine) -> Void) {
    let detectors = standardParts.compactMap { $0.init() as? any DriftDetector }
    let entries = detectors.map { (variant: type(of: $0).name, work: DetectorWork(detector: $0)) }
    time(.detectors, unit: "rows/s", entries, report)
  }
}

/// A detector that looks at errors, held as a learner holds it; a unit is a row.
private struct DetectorWork: TimedWork {
  let detector: any DriftDetector

  /// Shares of errors of .2, .4, .1 and .5, for 1,000 rows each.
  private static let outcomes: [Outcome] = {
    var rng = Seed(1).stream("errors")
    return (0..<4000).map { row in
      let isWrong = rng.uniform() < [0.2, 0.4, 0.1, 0.5][row / 1000]
      return Outcome(row: row, error: isWrong ? 1 : 0, loss: isWrong ? 1.5 : 0.2)
    }
  }()

  func seconds(for count: Int) -> Double {
    var detector = detector
    let outcomes = DetectorWork.outcomes
    let start = ThreadClock.seconds
    var row = 0
    for _ in 0..<count {
      _ = detector.observe(outcomes[row])
      row = row + 1 == outcomes.count ? 0 : row + 1
    }
    return ThreadClock.seconds - start
  }
}
