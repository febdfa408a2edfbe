extension JSONValue {
  /// One text for everything that means the same, on every platform: what a run's identity is the hash of.
  ///
  /// Keys sorted by their UTF-8 bytes, no whitespace, numbers by `canonicalNumber(_:)`, strings with the fewest
  /// escapes. Strings are not normalised: é as one scalar differs from é as two. As RFC 8785, save for the order of
  /// keys beyond U+FFFF and for integers beyond 2⁵³, which keep their digits.
  public var canonicalText: String {
    var out = ""
    appendCanonical(to: &out)
    return out
  }

  private func appendCanonical(to out: inout String) {
    switch content {
    case .number(let text): out += canonicalNumber(text)
    case .array(let elements):
      out.appendList(elements, "[", ",", "]") { $1.appendCanonical(to: &$0) }
    case .object(let object):
      let members = object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      out.appendList(members, "{", ",", "}") { out, member in
        out += jsonQuoted(member.key) + ":"
        member.value.value.appendCanonical(to: &out)
      }
    default: out += scalarText
    }
  }
}

/// The one text of a number: `1` for 1.0, 1 and 1e0; `0.1` for 0.10; `0` for −0.
///
/// An integer is exact, whatever its size. Anything else is the shortest text that reads back as the same `Double`, or
/// its own digits if it is too large for one. In full from 10⁻⁶ up to 10²¹, else `1.5e-7` and `1.5e+21`.
///
/// - Precondition: `text` is a JSON number.
public func canonicalNumber(_ text: String) -> String {
  guard let exact = DecimalNumber(text) else { preconditionFailure("\"\(text)\" is not the text of a JSON number") }
  if exact.isInteger { return exact.text }
  guard let nearest = Double(text), nearest.isFinite else { return exact.text }
  return DecimalNumber(nearest.description)?.text ?? exact.text
}
