import PalimpsestCore

/// Where numbers lie on an axis of a drawing.
package struct Scale: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case linear, log
  }

  package let kind: Kind
  /// Numbers at the two ends.
  package let low: Double
  package let high: Double
  /// Pixels there.
  package let start: Double
  package let end: Double

  /// An axis that contains all numbers, with air of 4 % at each end.
  /// - Returns: nil where no number is finite; of a logarithmic one where none is above 0.
  package init?(holding numbers: [Double], from start: Double, to end: Double, kind: Kind = .linear) {
    let usable = numbers.filter { $0.isFinite && (kind == .linear || $0 > 0) }
    guard let least = usable.min(), let most = usable.max() else { return nil }
    self.kind = kind
    (self.start, self.end) = (start, end)
    if kind == .log {
      (low, high) = (least / 1.35, most * 1.35)
    } else {
      let span = most - least
      // What six decimals do not tell apart is one number.
      let isOne = span <= 1e-5 * max(1, abs(least), abs(most))
      let air = isOne ? max(0.02, 0.04 * abs(least)) : 0.04 * span
      (low, high) = (least - air, most + air)
    }
  }

  /// Exactly from one number to another.
  package init(low: Double, high: Double, from start: Double, to end: Double) {
    kind = .linear
    (self.low, self.high, self.start, self.end) = (low, high, start, end)
  }

  package func place(_ x: Double) -> Double {
    let share: Double
    switch kind {
    case .linear: share = (x - low) / (high - low)
    case .log: share = x > 0 ? Elementary.log(x / low) / Elementary.log(high / low) : .nan
    }
    return start + share * (end - start)
  }

  /// Round numbers within the axis, about so many.
  package func ticks(about count: Int) -> [Double] { kind == .log ? logTicks(count) : linearTicks(count) }

  private func linearTicks(_ count: Int) -> [Double] {
    let step = Scale.step((high - low) / Double(max(1, count)))
    guard step > 0, step.isFinite else { return [low] }
    let (first, last) = ((low / step - 1e-9).rounded(.up), (high / step + 1e-9).rounded(.down))
    guard last >= first, last - first < 100 else { return [] }
    return stride(from: first, through: last, by: 1).map { $0 * step }
  }

  /// 1, 2 or 5 times a power of ten, the next above.
  private static func step(_ rough: Double) -> Double {
    guard rough > 0, rough.isFinite else { return 0 }
    var unit = 1.0
    while unit > rough { unit /= 10 }
    while unit * 10 <= rough { unit *= 10 }
    return [1, 2, 5, 10].map { $0 * unit }.first { $0 >= rough * (1 - 1e-9) } ?? 10 * unit
  }

  /// Decades; with their halves and fifths where there are few.
  private func logTicks(_ count: Int) -> [Double] {
    var decade = 1.0
    while decade > low { decade /= 10 }
    while decade * 10 <= low { decade *= 10 }
    var decades: [Double] = []
    var fine: [Double] = []
    while decade <= high {
      decades.append(decade)
      fine += [1, 2, 5].map { $0 * decade }
      decade *= 10
    }
    let within = decades.filter { $0 >= low && $0 <= high }
    if within.count < 3 {
      let few = fine.filter { $0 >= low && $0 <= high }
      return few.count < 2 ? linearTicks(count) : few
    }
    let every = (within.count + count - 1) / max(1, count)
    return within.enumerated().filter { $0.offset % every == 0 }.map(\.element)
  }
}

/// Numbers beside the ticks of an axis, all alike: as many decimals as they need, thousands and millions with their letter.
package func tickTexts(_ ticks: [Double]) -> [String] {
  let most = ticks.map(abs).max() ?? 0
  let (unit, letter): (Double, String) =
    most >= 1e9 ? (1e9, "G") : most >= 1e6 ? (1e6, "M") : most >= 1e4 ? (1e3, "k") : (1, "")
  let isLog = ticks.count > 1 && ticks[0] > 0 && ticks[ticks.count - 1] / ticks[0] >= 100
  if isLog { return ticks.map { tickText($0) } }
  let decimals = (0...6).first { places in
    let power = [1.0, 10, 100, 1e3, 1e4, 1e5, 1e6][places] / unit
    return ticks.allSatisfy { abs(($0 * power).rounded() - $0 * power) < 1e-6 * max(1, abs($0 * power)) }
  }
  return ticks.map { decimalText($0 / unit, places: decimals ?? 6) + ($0 == 0 ? "" : letter) }
}

/// One number with its own letter: `500`, `20k`, `1M`.
package func tickText(_ x: Double) -> String {
  let (unit, letter): (Double, String) =
    abs(x) >= 1e9 ? (1e9, "G") : abs(x) >= 1e6 ? (1e6, "M") : abs(x) >= 1e3 ? (1e3, "k") : (1, "")
  let y = x / unit
  let places = (0...6).first { places in
    let z = y * [1, 10, 100, 1e3, 1e4, 1e5, 1e6][places]
    return abs(z.rounded() - z) < 1e-6 * max(1, abs(z))
  }
  return decimalText(y, places: places ?? 6) + letter
}

/// Rounded to so many places, with a true minus sign.
package func decimalText(_ x: Double, places: Int) -> String {
  guard x.isFinite, abs(x) < 1e12 else { return x.isNaN ? "–" : "\(x)" }
  let power = [1.0, 10, 100, 1e3, 1e4, 1e5, 1e6][min(6, max(0, places))]
  let units = Int((abs(x) * power).rounded())
  let sign = x < 0 && units > 0 ? "\u{2212}" : ""
  let (whole, rest) = units.quotientAndRemainder(dividingBy: Int(power))
  if places == 0 { return "\(sign)\(whole)" }
  let fraction = String(rest)
  return "\(sign)\(whole)." + String(repeating: "0", count: places - fraction.count) + fraction
}

/// Three decimals, as shares of right answers are printed.
package func shareText(_ x: Double) -> String { decimalText(x, places: 3) }

/// A difference of shares in points: `+14.3`.
package func pointsText(_ x: Double) -> String {
  let text = decimalText(100 * x, places: 1)
  return x.isFinite && !text.hasPrefix("\u{2212}") && text != "0.0" ? "+" + text : text
}
