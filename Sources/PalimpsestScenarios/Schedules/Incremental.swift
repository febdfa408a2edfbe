import PalimpsestCore

/// Concepts in turn for equally many rows, with parameters that move in a straight line from those of the concept before: the
/// concepts themselves are reached, and what lies between them makes rows too.
public struct Incremental: ConceptSchedule {
  public let concepts: Int
  /// Rows of each concept's part.
  public let part: Int
  /// Rows of a part before which its parameters are still those of the concept before, and behind which they are its own. The
  /// first part has its own throughout.
  public let moving: Range<Int>

  public init(_ concepts: Int, part: Int, moving: Range<Int>) {
    precondition(concepts > 0 && !moving.isEmpty && moving.lowerBound >= 0 && moving.upperBound <= part, "\(moving)")
    (self.concepts, self.part, self.moving) = (concepts, part, moving)
  }

  /// How much of a row's parameters are its own concept's.
  public func shares(at row: Int) -> [Double] {
    var shares = [Double](repeating: 0, count: concepts)
    let concept = concept(at: row, drawing: 0)
    shares[concept] = way(at: row)
    if concept > 0 { shares[concept - 1] = 1 - shares[concept] }
    return shares
  }

  public func concept(at row: Int, drawing u: Double) -> Int { min(concepts - 1, row / part) }

  public func moment(at row: Int, drawing u: Double) -> ConceptMoment {
    let (concept, way) = (concept(at: row, drawing: u), way(at: row))
    let blend = way < 1 ? ConceptBlend(concept: concept - 1, share: 1 - way) : nil
    return ConceptMoment(concept: concept, row: row, blend: blend)
  }

  /// One law makes each row.
  public func parts(at row: Int) -> [ConceptPart] { [ConceptPart(moment: moment(at: row, drawing: 0), share: 1)] }

  /// From 0 to 1: the first moving row has made the first step, the last one has arrived.
  private func way(at row: Int) -> Double {
    if row < part { return 1 }
    let steps = row - min(concepts - 1, row / part) * part + 1 - moving.lowerBound
    return min(1, max(0, Double(steps) / Double(moving.count)))
  }

  public func events(in rows: Int) -> [DriftEvent] {
    (1..<max(1, concepts)).compactMap { concept in
      let first = concept * part + moving.lowerBound
      guard first < rows else { return nil }
      let last = min(rows, concept * part + moving.upperBound) - 1
      return DriftEvent(.change, first...last, before: concept - 1, behind: concept)
    }
  }
}
