/// The number that bytes spell, by the very rounding of `Float(String)`: the nearest float.
///
/// Up to 2⁵³ as digits and powers of ten up to 22 are exact in double precision, so their product or quotient is the
/// nearest double; rounding that again is wrong only where it lies halfway between two floats. Those, and whatever else
/// `Float` takes (`1.`, `.5`, `0x1p3`), are left to it.
///
/// - Source: Clinger 1990, "How to read floating point numbers accurately".
func decimal(_ bytes: [UInt8], _ range: Range<Int>) -> Float? {
  let end = withoutBlanks(bytes, range)
  if let number = plainDecimal(bytes, range.lowerBound..<end) { return number }
  let number = Float(String(decoding: bytes[range.lowerBound..<end], as: UTF8.self))
  return number.flatMap { $0.isFinite ? $0 : nil }
}

/// The end without white space.
private func withoutBlanks(_ bytes: [UInt8], _ range: Range<Int>) -> Int {
  var end = range.upperBound
  while end > range.lowerBound && (bytes[end - 1] == 32 || (9...13).contains(bytes[end - 1])) { end -= 1 }
  return end
}

private let tens: [Double] = (0...22).map { exponent in (0..<exponent).reduce(1.0) { power, _ in power * 10 } }

private func plainDecimal(_ bytes: [UInt8], _ range: Range<Int>) -> Float? {
  var place = range.lowerBound
  let isNegative = place < range.upperBound && bytes[place] == UInt8(ascii: "-")
  if place < range.upperBound && (isNegative || bytes[place] == UInt8(ascii: "+")) { place += 1 }
  var digits: UInt64 = 0
  let whole = takeDigits(bytes, &place, range.upperBound, &digits)
  var fraction = 0
  if place < range.upperBound && bytes[place] == UInt8(ascii: ".") {
    place += 1
    fraction = takeDigits(bytes, &place, range.upperBound, &digits)
    if fraction == 0 { return nil }
  }
  guard place == range.upperBound, whole > 0, whole + fraction <= 19, fraction <= 22, digits < 1 << 53 else {
    return nil
  }
  let value = Double(digits) / tens[fraction]
  if value.bitPattern & 0x1fff_ffff == 0x1000_0000 { return nil }
  return isNegative ? -Float(value) : Float(value)
}

/// Appends digits to a number.
/// - Returns: how many there were.
private func takeDigits(_ bytes: [UInt8], _ place: inout Int, _ end: Int, _ number: inout UInt64) -> Int {
  let start = place
  while place < end {
    let digit = bytes[place] &- UInt8(ascii: "0")
    if digit > 9 { break }
    number = number &* 10 &+ UInt64(digit)
    place += 1
  }
  return place - start
}
