// Every sentence the parser says: what was expected, what is there instead, and a guess at the slip.

extension JSONParser {
  var nothingThere: SyntaxError {
    SyntaxError(offset: position, message: bytes.isEmpty ? "the file is empty" : "the file holds no value")
  }

  var moreAfterRoot: SyntaxError {
    let closes = current == "}" || current == "]"
    return expected("the end of the file", hint: closes ? "is there one too many?" : nil)
  }

  func noValue(_ role: Role) -> SyntaxError {
    switch role {
    case .root: expected("a value", hint: valueHint)
    case .member(let key): expected("a value for \(quotedForMessage(key))", hint: valueHint)
    case .element(0): expected("a value or \"]\"", hint: valueHint)
    case .element: expected("a value after \",\"", hint: valueHint)
    }
  }

  func noKey(isFirst: Bool) -> SyntaxError {
    let hint = wordAhead.isEmpty ? nil : "keys take double quotes"
    return expected(isFirst ? "a key or \"}\"" : "a key after \",\"", hint: hint)
  }

  func noColon(after key: String) -> SyntaxError {
    expected("\":\" after the key \(quotedForMessage(key))")
  }

  func noComma(after role: Role, close: Unicode.Scalar) -> SyntaxError {
    let what =
      switch role {
      case .member(let key): "after the value of \(quotedForMessage(key))"
      case .element(let number): "after element \(number)"
      case .root: "after the value"
      }
    return expected("\",\" or \"\(close)\" \(what)", hint: startsValue ? "is a comma missing?" : nil)
  }

  func trailingComma(at offset: Int, before close: Unicode.Scalar) -> SyntaxError {
    SyntaxError(offset: offset, message: "a comma before \"\(close)\" is not JSON; remove it")
  }

  func tooDeep(_ limit: Int) -> SyntaxError {
    SyntaxError(offset: position, message: "arrays and objects are nested more than \(limit) deep")
  }
}

// MARK: Comments and encoding

extension JSONParser {
  func openComment(at start: Int) -> SyntaxError {
    SyntaxError(offset: start, message: "the comment that starts here is not closed with \"*/\"")
  }

  func noComment(at start: Int) -> SyntaxError {
    SyntaxError(offset: start, message: "\"/\" alone is not JSON; a comment is written // or /* */")
  }

  var byteOrderMark: SyntaxError? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return SyntaxError(offset: 0, message: "the file starts with a byte order mark; save it as UTF-8 without one")
    }
    guard bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
    return SyntaxError(offset: 0, message: "the file is UTF-16; save it as UTF-8")
  }

  /// The first byte that no valid text could hold there.
  var notUTF8: SyntaxError {
    var (decoder, rest, offset) = (UTF8.ForwardParser(), bytes.makeIterator(), 0)
    while case .valid(let scalar) = decoder.parseScalar(from: &rest) { offset += scalar.count }
    let byte = offset < bytes.count ? String(bytes[offset], radix: 16, uppercase: true) : ""
    return SyntaxError(offset: offset, message: "the file is not UTF-8: no character has the byte 0x\(byte) here")
  }
}

// MARK: Strings and numbers

extension JSONParser {
  /// A string met a control character or the end of the file.
  func brokenString(from start: Int) -> SyntaxError {
    if isAtEnd {
      return SyntaxError(offset: start, message: "the string that starts here is not closed; is the file cut short?")
    }
    if current == "\n" || current == "\r" {
      return SyntaxError(offset: start, message: "the string that starts here is not closed on its line")
    }
    let escape = jsonQuoted(String(current)).dropFirst().dropLast()
    return SyntaxError(
      offset: position, message: "a string can't hold the control character \(codePoint(current)); write \(escape)")
  }

  func noEscape(at start: Int) -> SyntaxError {
    let shown = scalar(at: start + 1).map(display) ?? ""
    return SyntaxError(
      offset: start, message: "\"\\\" before \(shown) is no escape; a backslash itself is written \"\\\\\"")
  }

  var noHexDigit: SyntaxError { expected("four hexadecimal digits after \"\\u\"") }

  func halfPair(_ unit: UInt32, at start: Int) -> SyntaxError {
    let (name, rule) =
      unit < 0xDC00 ? ("first", "\\uDC00 to \\uDFFF must follow") : ("second", "\\uD800 to \\uDBFF must come before")
    let escape = "\\u" + String(unit, radix: 16, uppercase: true)
    return SyntaxError(offset: start, message: "\(escape) is the \(name) half of a surrogate pair; \(rule)")
  }

  func noDigit(of part: String) -> SyntaxError { expected("a digit of \(part)", hint: infinityHint) }

  func leadingZero(at start: Int) -> SyntaxError {
    let number = quotedForMessage(word(at: start))
    return SyntaxError(offset: start, message: "a number can't start with 0 and another digit: \(number)")
  }
}

// MARK: What is there, and a guess

extension JSONParser {
  private func expected(_ what: String, hint: String? = nil) -> SyntaxError {
    let hint = (generalHint ?? hint).map { "; " + $0 } ?? ""
    return SyntaxError(offset: position, message: "expected \(what), found \(found)\(hint)")
  }

  private var found: String {
    guard let scalar = scalar(at: position) else { return "the end of the file" }
    return wordAhead.isEmpty ? display(scalar) : quotedForMessage(wordAhead)
  }

  /// Slips that are the same wherever they are met.
  private var generalHint: String? {
    switch scalar(at: position) {
    case nil: notClosed
    case "#": "a comment is written // or /* */"
    case "'", "`", "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}": "strings and keys take straight double quotes"
    default: nil
    }
  }

  /// At the end of a file that is cut short: the innermost bracket that waits for its partner.
  private var notClosed: String? {
    guard let offset = open.last else { return nil }
    let place = Source(file: "", bytes: bytes).place(at: offset)
    return "the \"\(Unicode.Scalar(bytes[offset]))\" at \(place) is not closed"
  }

  private var valueHint: String? {
    let word = wordAhead
    return switch word.lowercased() {
    case "": nil
    case "true", "false", "null": "write \(word.lowercased())"
    case "none", "nil", "undefined": "write null"
    case "nan", "inf", "infinity", "+inf", "+infinity": "JSON has no NaN and no infinity"
    case let text where Double(text) != nil: "a number starts with a digit or \"-\""
    default: "strings take double quotes"
    }
  }

  private var infinityHint: String? {
    ["inf", "infinity"].contains(wordAhead.lowercased()) ? "JSON has no NaN and no infinity" : nil
  }

  /// A new key or value, not the rest of what came before as in `12px`.
  private var startsValue: Bool {
    if current == "\"" || current == "{" || current == "[" { return true }
    return !wordAhead.isEmpty && !isWord(Unicode.Scalar(bytes[position - 1]))
  }

  /// The letters, digits and signs at hand; empty if there is something else.
  var wordAhead: String { word(at: position) }

  private func word(at start: Int) -> String {
    var end = start
    while end < bytes.count, isWord(Unicode.Scalar(bytes[end])) { end += 1 }
    return text(start..<end)
  }

  private func isWord(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9", "_", "$", ".", "+", "-": true
    default: false
    }
  }

  private func scalar(at offset: Int) -> Unicode.Scalar? {
    guard offset < bytes.count else { return nil }
    return text(offset..<min(offset + 4, bytes.count)).unicodeScalars.first
  }
}
