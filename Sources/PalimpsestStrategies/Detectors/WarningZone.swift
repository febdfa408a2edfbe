import PalimpsestCore

/// Rows in a row that a detector would warn at. The first of them warns, the others say nothing: a zone is one warning.
struct WarningZone: Sendable, Codable {
  private var isInside = false

  /// - Parameter warns: the row lies in such a zone.
  /// - Returns: what is said of the row.
  mutating func signal(_ warns: Bool) -> DriftSignal {
    let isFirst = warns && !isInside
    isInside = warns
    return isFirst ? .warning : .none
  }
}
