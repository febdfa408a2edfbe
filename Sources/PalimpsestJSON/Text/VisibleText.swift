// Names and texts of files and command lines may hold what a terminal obeys, hides or turns around instead of showing it:
// whatever is printed for people goes through `visible` or `visibleLines`.

/// A text as it is shown on one line: what cannot be seen stands as its code point, `\u{1B}`. Letters of all scripts,
/// combining marks and emoji stay.
public func visible(_ text: String) -> String { escaped(text, keepsLineEnds: false) }

/// The same for a text whose line ends are the program's own.
public func visibleLines(_ text: String) -> String { escaped(text, keepsLineEnds: true) }

private func escaped(_ text: String, keepsLineEnds: Bool) -> String {
  func isPlain(_ byte: UInt8) -> Bool { 0x20..<0x7F ~= byte || (keepsLineEnds && byte == 0x0A) }
  if text.utf8.allSatisfy(isPlain) { return text }
  var out = ""
  text.visitScalars { scalar, isVisible in
    if isVisible || (keepsLineEnds && scalar == "\n") {
      out.unicodeScalars.append(scalar)
    } else {
      out += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
    }
  }
  return out
}

extension String {
  /// The first scalar that cannot be seen; nil where all can.
  public var firstHiddenScalar: Unicode.Scalar? {
    var first: Unicode.Scalar?
    visitScalars { scalar, isVisible in if !isVisible && first == nil { first = scalar } }
    return first
  }

  /// Calls `body` with every scalar and whether it can be seen where it stands.
  fileprivate func visitScalars(_ body: (Unicode.Scalar, Bool) -> Void) {
    var (before, scalars) = (Unicode.Scalar?.none, unicodeScalars[...])
    while let scalar = scalars.popFirst() {
      body(scalar, scalar.isPrintable || scalar.joins(before, scalars.first))
      before = scalar
    }
  }
}

extension Unicode.Scalar {
  /// False for what has no shape of its own or moves what is around it: control characters, line and paragraph
  /// separators, marks of the direction of writing, joiners and fillers without width.
  public var isPrintable: Bool {
    if isASCII { return 0x20..<0x7F ~= value }
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: return false
    default: return !properties.isDefaultIgnorableCodePoint || properties.isVariationSelector
    }
  }

  /// A joiner between two pictures makes one of them: 👩‍💻.
  fileprivate func joins(_ before: Unicode.Scalar?, _ after: Unicode.Scalar?) -> Bool {
    guard self == "\u{200D}", let before, let after else { return false }
    return (before.isPicture || before.properties.isVariationSelector) && after.isPicture
  }

  private var isPicture: Bool { !isASCII && properties.isEmoji }
}
