/// What users call things: scenarios, strategies, data sets, experiments.
public enum Label {
  /// Characters are counted as Unicode scalars, as JSON Schema counts them.
  public static let mostCharacters = 200

  /// What is wrong with a label; nil where nothing is.
  public static func problem(_ text: String) -> String? {
    let wanted = "a label has 1 to \(mostCharacters) printable characters"
    if text.isEmpty { return "\(wanted), this one has none" }
    let count = text.unicodeScalars.count
    if count > mostCharacters { return "\(wanted), this one has \(count)" }
    if let hidden = text.firstHiddenScalar {
      return "\(wanted), this one has \(codePoint(hidden)), which cannot be seen"
    }
    return text.allSatisfy(\.isWhitespace) ? "\(wanted), this one has only spaces" : nil
  }
}

/// `U+202E`.
public func codePoint(_ scalar: Unicode.Scalar) -> String {
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}
