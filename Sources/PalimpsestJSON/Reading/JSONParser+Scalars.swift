// Strings and numbers.

extension JSONParser {
  mutating func string() throws(SyntaxError) -> String {
    let start = position
    position += 1
    skipPlainText()
    if current == "\"" {
      defer { position += 1 }
      return text(start + 1..<position)
    }
    return try stringWithEscapes(from: start)
  }

  /// The slow way: what has been read so far, then escapes and the plain text after each.
  private mutating func stringWithEscapes(from start: Int) throws(SyntaxError) -> String {
    var out = Array(bytes[start + 1..<position])
    while !skip("\"") {
      guard current == "\\" else { throw brokenString(from: start) }
      out.append(contentsOf: String(try escape(in: start)).utf8)
      let run = position
      skipPlainText()
      out.append(contentsOf: bytes[run..<position])
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Up to a quote, a backslash, a control character or the end.
  private mutating func skipPlainText() {
    while position < bytes.count {
      let byte = bytes[position]
      if byte < 0x20 || byte == 0x22 || byte == 0x5C { return }
      position += 1
    }
  }

  private mutating func escape(in string: Int) throws(SyntaxError) -> Unicode.Scalar {
    let start = position
    position += 1
    if isAtEnd { throw brokenString(from: string) }
    let name = current
    position += 1
    switch name {
    case "\"", "\\", "/": return name
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u": return try unicodeEscape(from: start)
    default: throw noEscape(at: start)
    }
  }

  /// After `\u`: four digits; two such escapes make a scalar beyond U+FFFF.
  private mutating func unicodeEscape(from start: Int) throws(SyntaxError) -> Unicode.Scalar {
    let unit = try fourHexDigits()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, skip("\\"), skip("u") else { throw halfPair(unit, at: start) }
    let second = try fourHexDigits()
    guard 0xDC00...0xDFFF ~= second,
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    else { throw halfPair(unit, at: start) }
    return scalar
  }

  private mutating func fourHexDigits() throws(SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = Character(current).hexDigitValue else { throw noHexDigit }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// The text of a number: `-`? (0 | [1-9][0-9]*) (`.` [0-9]+)? ([eE] [+-]? [0-9]+)?
  mutating func number() throws(SyntaxError) -> String {
    let start = position
    _ = skip("-")
    let leading = position
    try digits(of: "the number")
    if bytes[leading] == 0x30, position > leading + 1 { throw leadingZero(at: leading) }
    if skip(".") { try digits(of: "the fraction") }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      try digits(of: "the exponent")
    }
    return text(start..<position)
  }

  private mutating func digits(of part: StaticString) throws(SyntaxError) {
    guard "0"..."9" ~= current else { throw noDigit(of: "\(part)") }
    while "0"..."9" ~= current { position += 1 }
  }
}
