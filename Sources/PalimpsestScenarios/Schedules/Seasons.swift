import PalimpsestCore

/// Shares swing with the seasons: of n concepts concept k has the share (1 + A cos 2π(t / period − k / n)) / n at row t. Two of them
/// change places altogether with A = 1; with more the largest share is 2/n.
public struct Seasons: ConceptSchedule {
  public let concepts: Int
  /// Rows of a year.
  public let period: Int
  /// A, in 0...1.
  public let amplitude: Double

  /// - Parameter period: at least as many rows as there are concepts.
  public init(_ concepts: Int, period: Int, amplitude: Double) {
    precondition(concepts > 0 && period >= concepts && (0...1).contains(amplitude), "seasons of \(period) rows")
    (self.concepts, self.period, self.amplitude) = (concepts, period, amplitude)
  }

  public func shares(at row: Int) -> [Double] {
    if concepts == 1 { return [1] }
    let (n, turn) = (Double(concepts), Double(row % period) / Double(period))
    let shares = (0..<concepts).map { concept in
      (1 + amplitude * Elementary.cos(2 * Double.pi * (turn - Double(concept) / n))) / n
    }
    return shares.map { max(0, $0) }
  }

  /// From a concept's strongest row the world changes to the next one, all the time.
  public func events(in rows: Int) -> [DriftEvent] {
    if concepts == 1 || amplitude == 0 { return [] }
    let seasons = (rows * concepts + period - 1) / period
    return (0..<seasons).compactMap { season in
      let (first, next) = (firstRow(of: season), firstRow(of: season + 1))
      guard first < rows else { return nil }
      return DriftEvent(
        .change, first...min(rows, next) - 1, before: season % concepts, behind: (season + 1) % concepts)
    }
  }

  private func firstRow(of season: Int) -> Int { (season * period + concepts - 1) / concepts }
}
