import Foundation
import Palimpsest

extension Bench {
  /// Memory of the process, and what learners add to it that have taken steps.
  func memory(_ report: (BenchLine) -> Void) throws {
    guard let start = ProcessMemory.resident else { return }
    line("process", "none", Double(start) / 1e6, "MB", report)
    for net in nets {
      let rows = BenchTrainer.tasks(net)
      for variant in variants {
        // Small nets share pages, so many of them are made.
        let count = net.inputs > 100 ? 4 : 500
        let before = ProcessMemory.resident ?? 0
        let learners = try (0..<count).map { _ in try BenchTrainer(net, variant, rows).learner }
        let after = withExtendedLifetime(learners) { ProcessMemory.resident ?? before }
        line(variant.rawValue, net.name, Double(after - before) / Double(count) / 1e3, "KB a run", report)
      }
    }
  }

  private func line(_ variant: String, _ net: String, _ value: Double, _ unit: String, _ report: (BenchLine) -> Void) {
    report(
      BenchLine(
        section: "memory", net: net, variant: variant, unit: unit, rates: Rates([value]), clock: "none", peak: peak))
  }
}

/// Memory of this process that lies in the machine's.
private enum ProcessMemory {
  /// Bytes; nil where the system does not say.
  static var resident: Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) }
    return pages.map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) }
  }
}
