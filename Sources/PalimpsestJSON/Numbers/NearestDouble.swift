/// The `Double` nearest to a decimal number, without an intermediate text.
///
/// A journal line has some hundred numbers of 16 digits, and `collect` reads a line in about 50 µs. In place this takes 83 ns a number,
/// `strtod` 252, `Double(String)` 396 (10⁶ numbers, one core): the standard library's way would make `collect` a third to a half slower.
///
/// - Source: Clinger 1990 for small numbers, where one operation rounds once; else Lemire 2021, "Number parsing at a
///   gigabyte per second" (the Eisel–Lemire algorithm), which says so where 128 bits do not decide.
package enum NearestDouble {
  /// - Parameters:
  ///   - digits: the number's digits as an integer.
  ///   - exponent: the power of ten it is multiplied with.
  /// - Returns: nil where it is not certain: the caller takes the exact way.
  package static func of(_ digits: UInt64, exponent: Int) -> Double? {
    if digits <= 1 << 53 && abs(exponent) <= 22 {
      return exponent < 0 ? Double(digits) / powers[-exponent] : Double(digits) * powers[exponent]
    }
    return abs(exponent) <= PowerOfFive.reach ? eiselLemire(digits, exponent) : nil
  }

  /// 10ⁿ, exact up to 10²².
  private static let powers: [Double] = (0...22).map { n in (0..<n).reduce(1) { power, _ in power * 10 } }

  private static func eiselLemire(_ digits: UInt64, _ exponent: Int) -> Double? {
    guard digits != 0 else { return 0 }
    let shift = digits.leadingZeroBitCount
    let wide = digits << UInt64(shift)
    guard let (high, low) = product(wide, PowerOfFive.significands[exponent + PowerOfFive.reach]) else { return nil }
    let top = high >> 63
    var significand = high >> (top + 9)
    if low == 0 && high & 0x1FF == 0 && significand & 3 == 1 { return nil }  // Halfway between two numbers.
    significand = (significand + (significand & 1)) >> 1
    // 217706 / 2¹⁶ is log₂ 10, near enough for these exponents.
    var power = (217706 * exponent) >> 16 + 64 + 1023 - shift - Int(1 ^ top)
    if significand >> 53 > 0 {
      significand >>= 1
      power += 1
    }
    guard (1..<0x7FF).contains(power) else { return nil }
    return Double(bitPattern: UInt64(power) << 52 | significand & (1 << 52 - 1))
  }

  /// The upper 128 bits of `digits` × `five`; nil where what was cut off from `five` could change the upper 55.
  private static func product(_ digits: UInt64, _ five: UInt128) -> (high: UInt64, low: UInt64)? {
    var (high, low) = digits.multipliedFullWidth(by: UInt64(five >> 64))
    guard high & 0x1FF == 0x1FF, low > ~digits else { return (high, low) }
    let (lowHigh, lowLow) = digits.multipliedFullWidth(by: UInt64(truncatingIfNeeded: five))
    let carry: Bool
    (low, carry) = low.addingReportingOverflow(lowHigh)
    if carry { high &+= 1 }
    return high & 0x1FF == 0x1FF && low == .max && lowLow > ~digits ? nil : (high, low)
  }
}
