import Palimpsest

/// One measured rate as a line of the output.
struct BenchLine {
  var section: String
  var net = "none"
  var variant: String
  /// What is counted in a second, or in a minute.
  var unit: String
  var rates: Rates
  /// Floating-point operations of one unit; nil where they are not counted.
  var operations: Double?
  var clock = "thread_cpu"
  /// The machine's peak in GFLOP/s.
  var peak: Double

  private var gigaflops: Double? { operations.map { rates.median * $0 / 1e9 } }
  private var percent: Double? { gigaflops.map { 100 * $0 / peak } }

  static let heading =
    "section    net     variant              median  (lowest–highest)        unit            % of peak"

  var text: String {
    let range = "(\(rounded(rates.lowest))–\(rounded(rates.highest)))"
    return [
      padded(section, 11), padded(net == "none" ? "" : net, 8), padded(variant, 16), padded(rounded(rates.median), -12),
      "  ", padded(range, 24), padded(unit, 16), percent.map { padded(oneDecimal($0), -9) } ?? "",
    ].joined().trimmed
  }

  var json: JSONValue {
    let perSecond = unit == "steps/s"
    return [
      "peer": "palimpsest", "section": JSONValue(section), "net": JSONValue(net), "variant": JSONValue(variant),
      "steps_per_s": perSecond ? JSONValue(rates.median) : nil, "median": JSONValue(rates.median),
      "min": JSONValue(rates.lowest), "max": JSONValue(rates.highest), "unit": JSONValue(unit),
      "clock": JSONValue(clock), "gflops": gigaflops.map { JSONValue($0) } ?? nil,
      "percent_of_peak": percent.map { JSONValue($0) } ?? nil, "isa": JSONValue(KernelTable.name),
      "revision": JSONValue(Provenance.current.gitCommit),
    ]
  }

  /// Whole numbers from 100 on, three digits below.
  private func rounded(_ value: Double) -> String {
    value >= 100 ? String(Int(value.rounded())) : value >= 10 ? oneDecimal(value) : twoDecimals(value)
  }

  private func twoDecimals(_ value: Double) -> String {
    let hundredths = Int((value * 100).rounded())
    return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
  }

  /// Filled with spaces behind, or before where the width is negative.
  private func padded(_ text: String, _ width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - text.count))
    return width < 0 ? space + text : text + space
  }
}

extension String {
  /// Without spaces at the end.
  fileprivate var trimmed: String { String(reversed().drop { $0 == " " }.reversed()) }
}

/// Something done a second over the repeats.
struct Rates {
  private let sorted: [Double]

  /// - Parameter values: at least one.
  init(_ values: [Double]) { sorted = values.sorted() }

  var median: Double { (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2 }
  var lowest: Double { sorted[0] }
  var highest: Double { sorted[sorted.count - 1] }
}

/// Work that can be done any number of times.
protocol TimedWork {
  /// Processor time of that many units.
  mutating func seconds(for count: Int) -> Double
}

extension TimedWork {
  /// How many units take that long.
  mutating func count(taking seconds: Double) -> Int {
    var count = 1
    while true {
      let taken = self.seconds(for: count)
      if taken > seconds / 4 { return max(1, Int((Double(count) * seconds / taken).rounded(.up))) }
      count *= 2
    }
  }
}

enum Timing {
  /// Seconds a repeat takes at least.
  static let repeatSeconds = 0.05

  /// Units a second of each work. They take turns, so that a disturbance hits all of them.
  static func rates(_ works: inout [some TimedWork], repeats: Int) -> [Rates] {
    let counts = works.indices.map { works[$0].count(taking: 1.2 * repeatSeconds) }
    var values = works.map { _ in [Double]() }
    for _ in 0..<repeats {
      for i in works.indices { values[i].append(Double(counts[i]) / works[i].seconds(for: counts[i])) }
    }
    return values.map { Rates($0) }
  }
}

/// The machine's peak on one core: independent chains of multiply-adds that touch no memory.
struct PeakWork: TimedWork {
  /// Floating-point operations of a round.
  static let operations = KernelTable.peakLoop(iterations: 1000) / 1000

  func seconds(for count: Int) -> Double {
    let start = ThreadClock.seconds
    _ = KernelTable.peakLoop(iterations: count)
    return ThreadClock.seconds - start
  }
}
