import Palimpsest
import PalimpsestCore

extension Bench {
  /// The products of each layer, at the net's batch.
  func kernels(_ report: (BenchLine) -> Void) {
    for net in nets {
      let widths = [net.inputs] + net.hidden + [net.outputs]
      let entries = zip(widths, widths.dropFirst()).flatMap { inputs, outputs in
        KernelTrial.Operation.allCases.map { operation in
          (
            variant: "\(operation.rawValue) \(inputs)x\(outputs)",
            work: KernelWork(KernelTrial(operation, rows: net.batch, inputs: inputs, outputs: outputs))
          )
        }
      }
      time(.kernels, net.name, unit: "products/s", entries, operations: { entries[$0].work.trial.operations }, report)
    }
  }
}

private struct KernelWork: TimedWork {
  private(set) var trial: KernelTrial

  init(_ trial: KernelTrial) { self.trial = trial }

  mutating func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    trial.run(count)
    return ThreadClock.seconds - start
  }
}
