import ArgumentParser
import Palimpsest
import PalimpsestBench

/// `palimpsest bench`.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "How fast this machine is: its peak, kernels, training steps, whole runs, memory.",
    discussion: """
      Sections: memory, kernels (matrix products of each layer), steps (the whole trainer: batches are drawn and gathered, \
      a composed learner learns), fisher (rows of the Fisher pass), core-sets (rows that are chosen from), \
      detectors (rows that a drift detector observes), streams (rows predicted, recorded and learned), evaluation (runs \
      without the making of their data, with no probe, each and all, and what they evaluate alone), habit (whole runs of a habit scenario), images (whole runs of Permuted-MNIST, where the data are there), jobs (habit runs at 1, \
      2, … at a time). The clock is the thread's processor time, but for jobs; each figure is the median of the repeats, \
      and the entries of a section take turns. The share of the peak counts useful operations alone, against the peak \
      measured right before and after each repeat: its median, and in brackets its highest, the nearest to a machine \
      that nobody else uses.
      """)

  @Option(help: "Sections, with commas between them (default: all).") var section: String?
  @Option(help: "Nets, with commas between them: tiny, small, medium, large (default: all).") var net: String?
  @Option(
    help: "Of the steps, with commas between them: sgd, momentum, adam, ewc, si, replay, ewc+replay (default: all).")
  var variant: String?
  @Option(help: "Repeats of at least 50 ms.") var repeats = 7
  @Flag(help: "Print one JSON object a line.") var json = false
  @Flag(help: "Print the loss after 64 steps on rows made by rule, to compare with other programs, and nothing else.")
  var check = false

  func validate() throws {
    if repeats < 1 { throw ValidationError("--repeats: \(repeats) repeats are too few; at least 1.") }
    if repeats > 10_000 { throw ValidationError("--repeats: \(repeats) repeats are too many; at most 10000.") }
  }

  func run() async throws {
    let nets = try chosen(net, of: BenchNet.all, "--net", \.name)
    let variants = try chosen(variant, of: BenchVariant.allCases, "--variant", \.rawValue)
    let sections = try chosen(section, of: BenchSection.allCases, "--section", \.rawValue)
    if check {
      for net in nets {
        for variant in variants where StepCheck.variants.contains(variant) {
          print(try StepCheck(net, variant).line().compactText)
        }
      }
      return
    }
    let bench = Bench(nets: nets, variants: variants, repeats: repeats)
    if json {
      print(bench.peakLine.json.compactText)
    } else {
      print("peak \(oneDecimal(bench.peak)) GFLOP/s on one core, \(KernelTable.name), thread processor time\n")
      print(BenchLine.heading)
    }
    for section in sections {
      try StandardOutput.check()
      try await bench.measure(section) { line in print(json ? line.json.compactText : line.text) }
    }
  }

  private func chosen<T>(_ names: String?, of all: [T], _ option: String, _ name: (T) -> String) throws -> [T] {
    guard let names else { return all }
    return try names.split(separator: ",").map { word in
      guard let found = all.first(where: { name($0) == word }) else {
        throw UsageError("\(option): \"\(word)\" is none of \(all.map(name).joined(separator: ", "))")
      }
      return found
    }
  }
}

/// In the order in which they are measured: memory while there are no data, and no thread of another section is ending.
enum BenchSection: String, CaseIterable {
  case memory, kernels, steps, fisher
  case coreSets = "core-sets"
  case detectors, streams, evaluation, habit, images, jobs
}

/// What is measured, and the machine's peak to compare with.
struct Bench {
  let nets: [BenchNet]
  let variants: [BenchVariant]
  let repeats: Int
  /// GFLOP/s of one core.
  let peak: Double
  private let peakRates: Rates

  init(nets: [BenchNet], variants: [BenchVariant], repeats: Int) {
    (self.nets, self.variants, self.repeats) = (nets, variants, repeats)
    peakRates = Rates((0..<10 * repeats).map { _ in PeakWork.reading })
    peak = peakRates.median * PeakWork.operations / 1e9
  }

  /// The machine's peak in the same fields.
  var peakLine: BenchLine {
    BenchLine(section: "peak", variant: "peak", unit: "rounds/s", rates: peakRates, operations: PeakWork.operations)
  }

  func measure(_ section: BenchSection, _ report: (BenchLine) -> Void) async throws {
    switch section {
    case .kernels: kernels(report)
    case .steps: try steps(report)
    case .fisher: fisher(report)
    case .coreSets: coreSets(report)
    case .detectors: detectors(report)
    case .streams: try streams(report)
    case .evaluation: try evaluation(report)
    case .habit: try habit(report)
    case .images: try images(report)
    case .jobs: try await jobs(report)
    case .memory: try memory(report)
    }
  }

  /// Times entries side by side.
  func time<W: TimedWork>(
    _ section: BenchSection, _ net: String = "none", unit: String, _ entries: [(variant: String, work: W)],
    operations: (Int) -> Double? = { _ in nil }, _ report: (BenchLine) -> Void
  ) {
    var works = entries.map(\.work)
    for (index, rates) in Timing.rates(&works, repeats: repeats).enumerated() {
      report(
        BenchLine(
          section: section.rawValue, net: net, variant: entries[index].variant, unit: unit, rates: rates,
          operations: operations(index)))
    }
  }
}
