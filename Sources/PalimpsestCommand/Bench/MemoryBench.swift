import Palimpsest
import PalimpsestBench

extension Bench {
  /// Memory of the process in the machine's, without shared code too, and what learners have allocated that have taken steps.
  func memory(_ report: (BenchLine) -> Void) throws {
    let process = (ProcessMemory.resident, ProcessMemory.own)
    if let resident = process.0 { line("process", "none", Double(resident) / 1e6, "MB", report) }
    if let own = process.1 { line("process, own", "none", Double(own) / 1e6, "MB", report) }
    for net in nets {
      let rows = BenchTrainer.tasks(net)
      for variant in variants {
        guard let before = AllocatedMemory.bytes else { return }
        let learners = try (0..<4).map { _ in try BenchTrainer(net, variant, rows).learner }
        let after = withExtendedLifetime(learners) { AllocatedMemory.bytes ?? before }
        line(variant.rawValue, net.name, Double(after - before) / Double(learners.count) / 1e3, "KB a run", report)
      }
    }
  }

  private func line(_ variant: String, _ net: String, _ value: Double, _ unit: String, _ report: (BenchLine) -> Void) {
    report(
      BenchLine(
        section: "memory", net: net, variant: variant, unit: unit, rates: Rates([value]), clock: "none"))
  }
}
