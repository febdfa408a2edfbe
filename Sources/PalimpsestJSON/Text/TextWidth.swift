extension String {
  /// How many columns of a terminal the text takes: two for a wide character, none for what combines with the one before.
  ///
  /// - Source: East Asian Width (UAX #11), wide and full-width blocks as ranges; emoji are wide.
  public var displayWidth: Int {
    if utf8.allSatisfy({ $0 < 0x80 }) { return utf8.count }
    return reduce(0) { $0 + $1.displayWidth }
  }
}

extension Character {
  fileprivate var displayWidth: Int {
    guard let first = unicodeScalars.first else { return 0 }
    if first.isWide || unicodeScalars.contains("\u{FE0F}") { return 2 }
    return first.isCombining ? 0 : 1
  }
}

extension Unicode.Scalar {
  private static let wideBlocks: [ClosedRange<UInt32>] = [
    0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
    0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
    0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x20000...0x3FFFD,
  ]

  fileprivate var isWide: Bool {
    guard value >= 0x1100 else { return false }
    return properties.isEmojiPresentation || Unicode.Scalar.wideBlocks.contains { $0.contains(value) }
  }

  fileprivate var isCombining: Bool {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: true
    default: false
    }
  }
}
