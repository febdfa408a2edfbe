import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

extension Comparison {
  /// What a pair says: `replay-200 keeps 14.3 points more than naive; 10 of 10 seeds; p .002`.
  func sentence(_ pair: Pair) -> String {
    let (a, b) = sides(pair)
    guard let difference = pair.difference else { return "\(a) and \(b) have no seed in common that has a number." }
    let seeds = "\(difference.differences.count == 1 ? "the one seed" : "all \(difference.differences.count) seeds")"
    if difference.ties == difference.differences.count { return "\(a) and \(b) are equal on \(seeds)." }
    let isEquivalent = pair.isEquivalent(within: margin)
    let test = pair.adjusted.map { "p \(sentenceP($0))" } ?? "too few seeds for a p"
    if isOpen(pair, difference) {
      return (isEquivalent ? equivalence(a, b) : undecided(pair, difference)) + "; \(test)."
    }
    return [claim(pair, difference), test].joined(separator: "; ")
      + (isEquivalent ? "; equivalent within ±\(shortNumber(margin ?? 0))." : ".")
  }

  /// Neither is to be called the better: by the adjusted p, or where there is none by the interval.
  private func isOpen(_ pair: Pair, _ difference: PairedDifference) -> Bool {
    if let p = pair.adjusted { return p > Comparison.level }
    guard let low = difference.interval.lower, let high = difference.interval.upper else { return false }
    return low <= 0 && high >= 0
  }

  /// What the two are called.
  private func sides(_ pair: Pair) -> (String, String) {
    form.files == nil ? (pair.a.label, pair.b.label) : ("new \(pair.a.label)", "old \(pair.b.label)")
  }

  /// The better first; where neither end is good, the one with more.
  private func claim(_ pair: Pair, _ difference: PairedDifference) -> String {
    let (a, b) = sides(pair)
    let isLower = metric.direction == .lower
    let leads = isLower ? difference.interval.mean < 0 : difference.interval.mean > 0
    let (first, second) = leads ? (a, b) : (b, a)
    let count = difference.differences.count
    let wins = leads ? difference.wins : count - difference.wins - difference.ties
    let distance = distance(abs(difference.interval.mean), isLower)
    return "\(first) \(distance) \(second); \(wins) of \(count) \(count == 1 ? "seed" : "seeds")"
  }

  private func distance(_ x: Double, _ isLower: Bool) -> String {
    if metric.name == Metric.averageAccuracy.name { return "keeps \(points(x)) more than" }
    return "is \(amount(x)) \(isLower ? "lower" : "higher") in \(metric.shortName) than"
  }

  /// Hundredths of accuracies, else in the metric's unit.
  private func amount(_ x: Double) -> String {
    metric.subject == .accuracy ? points(x) : metric.text(x) + (metric.unit == "1" ? "" : " " + metric.unit)
  }

  private func equivalence(_ a: String, _ b: String) -> String {
    "\(a) and \(b) are equivalent: the 90 % interval of their difference lies within ±\(shortNumber(margin ?? 0))"
  }

  private func undecided(_ pair: Pair, _ difference: PairedDifference) -> String {
    let (a, b) = sides(pair)
    let ends = [difference.interval.lower, difference.interval.upper].map { $0.map { signed($0) } ?? "–" }
    let count = difference.differences.count
    return "These \(count) seeds do not tell \(a) and \(b) apart: \(signed(difference.interval.mean)), "
      + "95 % interval \(ends[0]) to \(ends[1])"
  }

  /// `+0.143`.
  func signed(_ x: Double) -> String {
    let text = metric.text(x)
    return x > 0 && !text.hasPrefix("+") ? "+" + text : text
  }
}

/// `14.3 points`.
private func points(_ x: Double) -> String {
  let text = oneDecimal(100 * x)
  return text + (text == "1.0" ? " point" : " points")
}

/// A p as tables have it: `0.002`, `<0.001`.
func tableP(_ p: Double) -> String { p < 0.0005 ? "<0.001" : threeDecimals(p) }

/// A p as sentences have it: `.002`, `.25`, `1`.
func sentenceP(_ p: Double) -> String {
  if p < 0.0005 { return "< .001" }
  var text = threeDecimals(p)
  while text.hasSuffix("0") { text.removeLast() }
  return text.hasPrefix("1") ? "1" : String(text.dropFirst())
}
