import ArgumentParser
import Palimpsest

/// `palimpsest bench`.
struct BenchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "This machine's peak, and how many training steps a second one core does.",
    discussion: """
      The whole trainer is timed: batches are drawn and gathered, a composed learner learns. The clock is the thread's \
      processor time; each figure is the median of the repeats. The share of the peak counts useful operations alone.
      """)

  @Option(help: "Nets, with commas between them: tiny, small, medium, large (default: all).") var net: String?
  @Option(help: "Variants, with commas between them: sgd, momentum, adam, ewc, si (default: all).") var variant: String?
  @Option(help: "Repeats of at least 50 ms; the variants of a net take turns.") var repeats = 7
  @Flag(help: "Print one JSON object a line.") var json = false

  func validate() throws {
    if repeats < 1 { throw ValidationError("--repeats: \(repeats) repeats are too few; at least 1.") }
  }

  func run() throws {
    let nets = try chosen(net, of: BenchNet.all, "--net", \.name)
    let variants = try chosen(variant, of: BenchVariant.allCases, "--variant", \.rawValue)
    let peak = MachinePeak.gigaflops(repeats: repeats)
    if json {
      print(BenchLine.peak(peak).compactText)
    } else {
      print("peak \(oneDecimal(peak)) GFLOP/s on one core, \(KernelTable.name), thread processor time\n")
      print("net     variant    steps/s  (lowest–highest)           GFLOP/s   % of peak")
    }
    for net in nets { try measure(net, variants, peak) }
  }

  private func measure(_ net: BenchNet, _ variants: [BenchVariant], _ peak: Double) throws {
    var benchmark = try Benchmark(net, variants, repeats: repeats)
    for (variant, rates) in benchmark.rates() {
      let line = BenchLine(net: net, variant: variant, rates: rates, peak: peak)
      print(json ? line.json.compactText : line.text)
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

/// One measured rate as a line of the output.
struct BenchLine {
  let net: BenchNet
  let variant: BenchVariant
  let rates: Rates
  let peak: Double

  private var gigaflops: Double { rates.median * net.usefulOperations / 1e9 }

  var text: String {
    let range = "(\(Int(rates.lowest))–\(Int(rates.highest)))"
    return [
      padded(net.name, 8), padded(variant.rawValue, 8), padded(String(Int(rates.median)), -10), "  ",
      padded(range, 22), padded(oneDecimal(gigaflops), -12), padded(oneDecimal(100 * gigaflops / peak), -12),
    ].joined()
  }

  var json: JSONValue {
    [
      "peer": "palimpsest", "net": JSONValue(net.name), "variant": JSONValue(variant.rawValue),
      "steps_per_s": JSONValue(rates.median), "min": JSONValue(rates.lowest), "max": JSONValue(rates.highest),
      "clock": "thread_cpu", "gflops": JSONValue(gigaflops), "percent_of_peak": JSONValue(100 * gigaflops / peak),
      "isa": JSONValue(KernelTable.name),
    ]
  }

  /// The machine's peak in the same fields.
  static func peak(_ gigaflops: Double) -> JSONValue {
    [
      "peer": "palimpsest", "net": "none", "variant": "peak", "steps_per_s": nil, "min": nil, "max": nil,
      "clock": "thread_cpu", "gflops": JSONValue(gigaflops), "percent_of_peak": 100, "isa": JSONValue(KernelTable.name),
    ]
  }

  /// Filled with spaces behind, or before where the width is negative.
  private func padded(_ text: String, _ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? space + text : text + space
  }
}
