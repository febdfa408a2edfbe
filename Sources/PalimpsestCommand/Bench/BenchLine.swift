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

  private var gigaflops: Double? { operations.map { rates.median * $0 / 1e9 } }
  /// Of the peak, repeat by repeat.
  private var percent: Rates? {
    guard let operations, let share = rates.share else { return nil }
    return share.scaled(by: 100 * operations / PeakWork.operations)
  }

  static let heading =
    "section    net     variant              median  (lowest–highest)        unit            % of peak (highest)"

  var text: String {
    let range = "(\(rounded(rates.lowest))–\(rounded(rates.highest)))"
    let share = percent.map { padded(oneDecimal($0.median), -9) + " (\(oneDecimal($0.highest)))" }
    return [
      padded(section, 11), padded(net == "none" ? "" : net, 8), padded(variant, 16), padded(rounded(rates.median), -12),
      "  ", padded(range, 24), padded(unit, 16), share ?? "",
    ].joined().trimmed
  }

  var json: JSONValue {
    let perSecond = unit == "steps/s"
    return [
      "peer": "palimpsest", "section": JSONValue(section), "net": JSONValue(net), "variant": JSONValue(variant),
      "steps_per_s": perSecond ? JSONValue(rates.median) : nil, "median": JSONValue(rates.median),
      "min": JSONValue(rates.lowest), "max": JSONValue(rates.highest), "unit": JSONValue(unit),
      "clock": JSONValue(clock), "gflops": gigaflops.map { JSONValue($0) } ?? nil,
      "percent_of_peak": percent.map { JSONValue($0.median) } ?? nil,
      "percent_of_peak_highest": percent.map { JSONValue($0.highest) } ?? nil, "isa": JSONValue(KernelTable.name),
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

/// Figures of the repeats: units a second, or shares.
struct Rates {
  private let values: [Double]
  /// Rounds a second of ``PeakWork`` beside each repeat; empty where they were not measured.
  private let peaks: [Double]

  /// - Parameter values: at least one.
  init(_ values: [Double], peaks: [Double] = []) { (self.values, self.peaks) = (values, peaks) }

  var median: Double {
    let sorted = values.sorted()
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
  var lowest: Double { values.min() ?? 0 }
  var highest: Double { values.max() ?? 0 }

  /// Each figure over the peak beside it; nil where that was not measured.
  var share: Rates? { peaks.isEmpty ? nil : Rates(zip(values, peaks).map { $0 / $1 }) }

  func scaled(by factor: Double) -> Rates { Rates(values.map { $0 * factor }) }
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

  /// Units a second of each work. They take turns, so that a disturbance hits all of them, and the peak is measured between
  /// them: a processor that others share has another one a moment later.
  static func rates(_ works: inout [some TimedWork], repeats: Int) -> [Rates] {
    let counts = works.indices.map { works[$0].count(taking: 1.2 * repeatSeconds) }
    var (values, peaks) = (works.map { _ in [Double]() }, works.map { _ in [Double]() })
    for _ in 0..<repeats {
      var before = PeakWork.reading
      for i in works.indices {
        values[i].append(Double(counts[i]) / works[i].seconds(for: counts[i]))
        let after = PeakWork.reading
        peaks[i].append((before + after) / 2)
        before = after
      }
    }
    return zip(values, peaks).map { Rates($0, peaks: $1) }
  }
}

/// The machine's peak on one core: independent chains of multiply-adds that touch no memory.
enum PeakWork {
  /// Floating-point operations of a round.
  static let operations = KernelTable.peakLoop(iterations: 1000) / 1000

  /// Rounds a second now; takes milliseconds.
  static var reading: Double {
    let count = Int(1e9 / operations)
    let start = ThreadClock.seconds
    _ = KernelTable.peakLoop(iterations: count)
    return Double(count) / (ThreadClock.seconds - start)
  }
}
