/// The characters of plots in a terminal: Unicode's blocks and lines, or plain ASCII where a terminal has no more. No colour.
public enum TerminalMarks: Sendable {
  case unicode, ascii

  /// From the lowest to the highest.
  var levels: [Character] { Array(self == .unicode ? "▁▂▃▄▅▆▇█" : ".:-=+*#") }
  var left: Character { self == .unicode ? "├" : "|" }
  var right: Character { self == .unicode ? "┤" : "|" }
  var line: Character { self == .unicode ? "─" : "-" }
  var mean: Character { self == .unicode ? "●" : "o" }
  var reference: Character { self == .unicode ? "┊" : ":" }
  var plusMinus: String { self == .unicode ? "±" : "+-" }
  var cut: String { self == .unicode ? "…" : "~" }
  var nothing: String { self == .unicode ? "–" : "-" }

  /// ASCII where it is asked for, where `TERM` is `dumb`, or where the locale says no UTF-8 (`LC_ALL`, `LC_CTYPE`, `LANG`: the first
  /// that is set).
  public init(isASCII: Bool, environment: [String: String]) {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    let name = locale.lowercased()
    let isUnicode = name.contains("utf-8") || name.contains("utf8")
    self = isASCII || environment["TERM"] == "dumb" || !isUnicode ? .ascii : .unicode
  }
}

/// Two ends between which numbers are drawn.
package struct PlotScale: Sendable, Equatable {
  package let low: Double
  package let high: Double

  /// From the smallest to the largest, both rounded outward to hundredths; nil where no number is finite.
  package init?(_ numbers: [Double]) {
    let finite = numbers.filter(\.isFinite)
    guard let least = finite.min(), let most = finite.max() else { return nil }
    // A hair within: 0.29 is 28.999… hundredths, and stays 0.29.
    low = (least * 100 + 1e-9).rounded(.down) / 100
    high = max((most * 100 - 1e-9).rounded(.up) / 100, low + 0.01)
  }

  package init(low: Double, high: Double) { (self.low, self.high) = (low, high) }

  /// The nearest of so many places, the ends included; a number beyond an end lies at it.
  func place(_ x: Double, of count: Int) -> Int {
    let share = min(1, max(0, (x - low) / (high - low)))
    return Int((share * Double(count - 1)).rounded())
  }
}

/// One character a number: how high it lies on the scale. A space where it is not finite.
package func sparkline(_ numbers: [Double], _ scale: PlotScale, _ marks: TerminalMarks) -> String {
  let levels = marks.levels
  return String(numbers.map { $0.isFinite ? levels[scale.place($0, of: levels.count)] : " " })
}

/// The rates of the last looks, from 0 to the largest: `▁▄█  0 to 3.5 runs/s`.
public func rateLine(_ rates: [Double], _ marks: TerminalMarks) -> String? {
  guard let most = rates.max(), most > 0, most.isFinite else { return nil }
  return sparkline(rates, PlotScale(low: 0, high: most), marks) + "  0 to " + threeDecimals(most) + " runs/s"
}

/// Mean and interval on a line of cells, the references behind them: `  ├─●──┤   ┊  `.
package func intervalBar(
  mean: Double, halfWidth: Double?, references: [Double], _ scale: PlotScale, cells: Int, _ marks: TerminalMarks
) -> String {
  var line = [Character](repeating: " ", count: cells)
  for reference in references where reference.isFinite { line[scale.place(reference, of: cells)] = marks.reference }
  if let halfWidth {
    let ends = (scale.place(mean - halfWidth, of: cells), scale.place(mean + halfWidth, of: cells))
    for cell in ends.0...ends.1 { line[cell] = marks.line }
    line[ends.0] = marks.left
    line[ends.1] = marks.right
  }
  line[scale.place(mean, of: cells)] = marks.mean
  return String(line)
}

/// As many means of neighbours as there is room for; the numbers themselves where they fit.
package func fitted(_ numbers: [Double], _ room: Int) -> [Double] {
  guard numbers.count > room, room > 0 else { return numbers }
  return (0..<room).map { place in
    let part = numbers[place * numbers.count / room..<(place + 1) * numbers.count / room].filter(\.isFinite)
    return part.isEmpty ? .nan : part.reduce(0, +) / Double(part.count)
  }
}
