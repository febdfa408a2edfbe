/// The shortest decimal number that reads back as a given `Double`, the nearest of these where there are several: digits
/// and a power of ten, without an intermediate text.
///
/// Lines are written with it as they are read with ``NearestDouble``: 32 ns a number, `description` 103 and a text to copy from.
///
/// - Source: Giulietti 2020, "The Schubfach way to render doubles".
package struct ShortestDecimal: Equatable {
  /// Without trailing zeros.
  package var digits: UInt64
  /// The power of ten that the digits are multiplied with.
  package var exponent: Int

  /// - Parameter number: its sign is not looked at.
  /// - Returns: nil for zero, subnormal and non-finite numbers, and outside about 10⁻³⁸ to 10⁷¹: the caller takes the
  ///   general way.
  package init?(_ number: Double) {
    guard number.isNormal else { return nil }
    let fraction = number.significandBitPattern
    let power = Int(number.exponentBitPattern) - 1075
    let isLowest = fraction == 0  // Below a power of 2 numbers lie twice as close.
    // 1262611 / 2²² is log₁₀ 2, 524031 / 2²² is log₁₀ ¾ with its sign turned: near enough for all doubles.
    let ten = (power * 1_262_611 - (isLowest ? 524_031 : 0)) >> 22
    guard abs(ten) <= PowerOfFive.reach else { return nil }
    let interval = Interval(1 << 52 | fraction, power, ten, isLowest: isLowest)
    (digits, exponent) = interval.shortest(ten)
    while digits % 10 == 0 {
      digits /= 10
      exponent += 1
    }
  }
}

/// Four times the number and four times the bounds between which a decimal reads back as it, in units of a power of ten. What
/// is cut off shows in the lowest bit.
private struct Interval {
  let middle: UInt64
  let lower: UInt64
  let upper: UInt64

  init(_ significand: UInt64, _ power: Int, _ ten: Int, isLowest: Bool) {
    // The power of 5 rounded up; 1741647 / 2¹⁹ is log₂ 10.
    let five = PowerOfFive.significands[PowerOfFive.reach - ten] + (ten > 0 ? 1 : 0)
    let shift = UInt64(power + (-ten * 1_741_647) >> 19 + 1)
    let four = significand << 2
    let excluded: UInt64 = significand & 1  // Bounds belong to numbers with an even significand.
    middle = Interval.scaled(four << shift, five)
    lower = Interval.scaled((four - (isLowest ? 1 : 2)) << shift, five) + excluded
    upper = Interval.scaled((four + 2) << shift, five) - excluded
  }

  /// The highest 64 bits of the product; the lowest of these is set where any bit below is.
  private static func scaled(_ value: UInt64, _ five: UInt128) -> UInt64 {
    let below = value.multipliedFullWidth(by: UInt64(truncatingIfNeeded: five)).high
    var (high, low) = value.multipliedFullWidth(by: UInt64(five >> 64))
    let carry: Bool
    (low, carry) = low.addingReportingOverflow(below)
    if carry { high += 1 }
    return low > 1 ? high | 1 : high
  }

  func shortest(_ ten: Int) -> (digits: UInt64, exponent: Int) {
    let whole = middle / 4
    if whole >= 10, let digits = only(whole / 10, step: 40) { return (digits, ten + 1) }
    if let digits = only(whole, step: 4) { return (digits, ten) }
    let half = whole * 4 + 2
    let roundsUp = middle > half || middle == half && whole % 2 == 1
    return (whole + (roundsUp ? 1 : 0), ten)
  }

  /// Of two neighbours the one inside the interval; nil where none or both are.
  private func only(_ digits: UInt64, step: UInt64) -> UInt64? {
    let isBelowInside = lower <= digits * step
    let isAboveInside = digits * step + step <= upper
    return isBelowInside == isAboveInside ? nil : digits + (isAboveInside ? 1 : 0)
  }
}
