/// The exact value of a JSON number's text: ±0.d₁d₂d₃… × 10^`exponent`, where neither d₁ nor the last digit is 0.
///
/// Zero has no digits. Two texts of one value give the same digits, however they are written.
package struct DecimalNumber {
  let isNegative: Bool
  /// Without leading and trailing zeros.
  let digits: Substring
  /// How many digits stand before the point; negative if zeros follow it.
  let exponent: Int

  /// Nil if the text is no number. An exponent beyond ±10⁹ is taken as that.
  package init?(_ text: String) {
    let magnitude = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let halves = magnitude.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == "e" || $0 == "E" }
    let parts = halves[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let written = parts.joined()
    guard parts.allSatisfy({ !$0.isEmpty }), written.utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let power = halves.count == 1 ? 0 : Self.power(halves[1])
    else { return nil }
    let significant = written.drop { $0 == "0" }
    digits = significant.dropLast(while: { $0 == "0" })
    exponent = digits.isEmpty ? 0 : parts[0].utf8.count - (written.utf8.count - significant.utf8.count) + power
    isNegative = text.hasPrefix("-") && !digits.isEmpty
  }

  private static func power(_ text: Substring) -> Int? {
    let magnitude = text.first == "+" || text.first == "-" ? text.dropFirst() : text
    guard !magnitude.isEmpty, magnitude.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    let value = min(Int(magnitude) ?? .max, 1_000_000_000)
    return text.first == "-" ? -value : value
  }

  var isInteger: Bool { digits.utf8.count <= exponent || digits.isEmpty }

  /// All digits of an integer below 10²¹, as `I.init(_:)` takes them; nil for anything else.
  var integerText: String? { isInteger && exponent <= 21 ? text : nil }

  /// As ECMAScript and RFC 8785 write numbers: in full from 10⁻⁶ up to 10²¹, else as `1.5e-7` or `1.5e+21`.
  var text: String {
    (isNegative ? "-" : "") + (digits.isEmpty ? "0" : -6 < exponent && exponent <= 21 ? plain : scientific)
  }

  private var plain: String {
    if exponent <= 0 { return "0." + String(repeating: "0", count: -exponent) + digits }
    if isInteger { return digits + String(repeating: "0", count: exponent - digits.utf8.count) }
    return digits.prefix(exponent) + "." + digits.dropFirst(exponent)
  }

  private var scientific: String {
    let fraction = digits.utf8.count > 1 ? "." + digits.dropFirst() : ""
    return digits.prefix(1) + fraction + (exponent > 0 ? "e+" : "e") + String(exponent - 1)
  }
}

extension Substring {
  fileprivate func dropLast(while predicate: (Character) -> Bool) -> Substring {
    self[..<(lastIndex { !predicate($0) }.map(index(after:)) ?? startIndex)]
  }
}
