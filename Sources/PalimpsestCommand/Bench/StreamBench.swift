import Palimpsest
import PalimpsestBench

/// What a run through a stream takes a row.
extension Bench {
  /// A 16-8 network that predicts, records and learns row by row, alone and with the parts that streams are about.
  func streams(_ report: (BenchLine) -> Void) throws {
    let variants: [(String, [any StrategyPart])] = [
      ("naive", []), ("adwin", [ADWIN()]), ("page-hinkley", [PageHinkley()]), ("reservoir", [Reservoir()]),
    ]
    let entries = try variants.map { (variant: $0.0, work: try StreamWork($0.1)) }
    time(.streams, "16-8", unit: "rows/s", entries, report)
  }
}

/// A stream of SEA's rows, gone through again and again from a fresh learner; a unit is a row.
private struct StreamWork: TimedWork {
  private let fresh: StreamRun
  private var run: StreamRun

  init(_ parts: [any StrategyPart]) throws {
    var scenario = SEA()
    scenario.rows.rowsPerTask = 5000
    let stream = try scenario.prepare(from: EmptyLibrary()).makeStream(seed: Seed(1))
    let setup = LearnerSetup(shape: stream.shape, hidden: [16, 8], seed: Seed(1))
    fresh = StreamRun(StreamSettings(), stream, learner: try setup.makeLearner(parts), seed: Seed(1))
    run = fresh
  }

  mutating func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    for _ in 0..<count where !run.advance() { run = fresh }
    return ThreadClock.seconds - start
  }
}
