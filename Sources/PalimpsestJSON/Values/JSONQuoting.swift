/// The text as a JSON string with its quotes, escaping no more than JSON demands: the quote, the backslash and U+0000
/// to U+001F, the latter by their short names where they have one and as `\u001f` where not.
package func jsonQuoted(_ text: String) -> String {
  var out = "\""
  appendEscaped(text, to: &out)
  out += "\""
  return out
}

private func appendEscaped(_ text: String, to out: inout String) {
  guard text.utf8.contains(where: needsEscape) else { return out += text }
  for scalar in text.unicodeScalars {
    if scalar.isASCII, needsEscape(UInt8(scalar.value)) {
      out += escape(scalar)
    } else {
      out.unicodeScalars.append(scalar)
    }
  }
}

private func needsEscape(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

private func escape(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\"": "\\\""
  case "\\": "\\\\"
  case "\u{8}": "\\b"
  case "\u{C}": "\\f"
  case "\n": "\\n"
  case "\r": "\\r"
  case "\t": "\\t"
  default: "\\u" + codePoint(scalar).dropFirst(2).lowercased()
  }
}

/// A name from a file inside a message: in quotes, on one line, and no longer than 60 characters.
package func quotedForMessage(_ text: String) -> String {
  text.count <= 60 ? jsonQuoted(text) : jsonQuoted(text.prefix(57) + "…")
}

/// One character inside a message; what can't be seen, or may look like something else, with its code point.
func display(_ scalar: Unicode.Scalar) -> String {
  if scalar.isASCII { return scalar.isPrintable ? "\"\(scalar)\"" : codePoint(scalar) }
  let isVisible: Bool =
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .unassigned, .privateUse: false
    default: scalar.isPrintable
    }
  return isVisible ? "\"\(scalar)\" (\(codePoint(scalar)))" : codePoint(scalar)
}
