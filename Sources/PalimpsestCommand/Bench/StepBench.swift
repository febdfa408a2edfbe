import Palimpsest
import PalimpsestBench

extension Bench {
  /// The whole trainer, all variants of a net side by side.
  func steps(_ report: (BenchLine) -> Void) throws {
    for net in nets {
      let rows = BenchTrainer.tasks(net)
      let trainers = try variants.map { ($0.rawValue, try BenchTrainer(net, $0, rows)) }
      time(
        .steps, net.name, unit: "steps/s", trainers, operations: { variants[$0].batches * net.usefulOperations }, report
      )
    }
  }
}

extension BenchTrainer: TimedWork {
  /// Processor time of that many steps.
  mutating func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    step(count)
    return ThreadClock.seconds - start
  }
}
