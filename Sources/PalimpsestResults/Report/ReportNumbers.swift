import PalimpsestJSON
import PalimpsestMetrics

extension Metric {
  /// A value, or half of an interval's width, as tables print it: shares, seconds and what else is not counted with three
  /// decimals, counts and bytes whole, large numbers with four digits: `1.260e6`.
  package func text(_ x: Double) -> String {
    if subject == .accuracy || !x.isFinite { return threeDecimals(x) }
    if abs(x) >= (isCount ? 1e6 : 1e4) { return fourDigits(x) }
    if !isCount { return threeDecimals(x) }
    return x == x.rounded() ? String(Int(x)) : oneDecimal(x)
  }

  /// Half of an interval's width as tables print it; nil of a single run, and of a count that is the same in all runs.
  package func halfWidthText(_ interval: Interval) -> String? {
    interval.halfWidth.flatMap { subject == .cost && isCount && $0 == 0 ? nil : text($0) }
  }

  /// A heading short enough for a table, with the unit where there is one that the name does not say: `average accuracy`, `NR`,
  /// `bytes memory`, `time total (s)`.
  package var heading: String { shortName + (unit == "1" || unit == "byte" ? "" : " (\(unit))") }

  /// `average accuracy`, `NR`.
  package var shortName: String {
    name == Metric.normalisedRetention.name ? "NR" : name == Metric.multiplyAdds.name ? "multiply-adds" : spaced(name)
  }
}

/// `expected_average_accuracy` as words.
package func spaced(_ name: String) -> String { name.split(separator: "_").joined(separator: " ") }

/// Three decimals, rounded to the nearest; no "-0.000".
func threeDecimals(_ x: Double) -> String {
  let thousandths = (abs(x) * 1000).rounded()
  guard thousandths < 1e15 else { return String(x) }
  let whole = Int(thousandths)
  let fraction = String(whole % 1000)
  let sign = x < 0 && whole > 0 ? "-" : ""
  return "\(sign)\(whole / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
}

/// Four significant digits and a power of ten, of a finite number: `8.736e7`.
private func fourDigits(_ x: Double) -> String {
  var (digits, exponent) = (abs(x), 0)
  while (digits * 1000).rounded() >= 10_000 { (digits, exponent) = (digits / 10, exponent + 1) }
  return (x < 0 ? "-" : "") + threeDecimals(digits) + "e\(exponent)"
}
