import PalimpsestCore

/// Visits to concepts one after the other, each of which may be visited again, with transitions between them.
public struct Visits: ConceptSchedule {
  public let concepts: Int
  /// The concept of each visit.
  public let order: [Int]
  private let joined: Transitions
  /// Visits that are blips: what was before comes back.
  private let blips: Set<Int>

  /// - Parameters:
  ///   - order: the concept of each visit, each below `concepts`.
  ///   - starts: the number of each visit's first row, ascending from 0.
  ///   - blips: places in `order`, neither the first nor two in a row.
  public init(
    _ order: [Int], starts: [Int], of concepts: Int, _ transition: Transition = .abrupt, width: Int = 0,
    blips: Set<Int> = []
  ) {
    precondition(order.count == starts.count && order.allSatisfy { (0..<concepts).contains($0) }, "visits to \(order)")
    self.order = order
    self.concepts = concepts
    self.blips = blips
    joined = Transitions(starts: starts, transition, width: width)
  }

  public func shares(at row: Int) -> [Double] {
    var shares = [Double](repeating: 0, count: concepts)
    joined.forEachShare(at: row) { visit, share in
      shares[order[visit]] += share
      return true
    }
    return shares
  }

  public func concept(at row: Int, drawing u: Double) -> Int { order[joined.concept(at: row, drawing: u)] }

  /// A visit to the concept that is there already is no change.
  public func events(in rows: Int) -> [DriftEvent] {
    joined.events(in: rows).compactMap { change in
      guard let visit = change.behind, order[visit] != order[visit - 1], !blips.contains(visit - 1) else { return nil }
      let (before, behind) = (order[visit - 1], order[visit])
      guard blips.contains(visit) else { return DriftEvent(.change, change.rows, before: before, behind: behind) }
      let end = visit + 1 < order.count ? joined.starts[visit + 1] : rows
      return DriftEvent(.blip, joined.starts[visit]...min(end, rows) - 1, before: before, behind: behind)
    }
  }
}

extension Visits {
  /// Concepts that come round and round.
  /// - Parameters:
  ///   - order: the concepts of a round.
  ///   - period: rows of a round, at least as many as it has visits; visit i of n begins ⌊i · period / n⌋ rows behind the round.
  public static func recurring(
    _ order: [Int], period: Int, rows: Int, of concepts: Int, _ transition: Transition = .abrupt, width: Int = 0
  ) -> Visits {
    let starts = (0..<rounds(order, period, rows)).flatMap { round in
      order.indices.map { round * period + $0 * period / order.count }
    }.filter { $0 < rows }
    return Visits(
      starts.indices.map { order[$0 % order.count] }, starts: starts, of: concepts, transition, width: width)
  }

  private static func rounds(_ order: [Int], _ period: Int, _ rows: Int) -> Int { (rows + period - 1) / period }

  /// A chain that stays with a concept from row to row with one probability, and else goes on to another, each as likely as any.
  /// It begins with the first concept; a visit takes 1 / (1 − stay) rows in the mean.
  /// - Parameter seed: decides the path.
  /// - Cost: one number a row.
  public static func markov(stay: Double, rows: Int, of concepts: Int, seed: Seed) -> Visits {
    var (order, starts) = ([0], [0])
    for row in 1..<max(1, rows) where concepts > 1 && seed.uniform(row, 0, 0) >= stay {
      let step = 1 + min(concepts - 2, Int(seed.uniform(row, 1, 0) * Double(concepts - 1)))
      order.append((order[order.count - 1] + step) % concepts)
      starts.append(row)
    }
    return Visits(order, starts: starts, of: concepts)
  }

  /// The last concept for some rows now and then, the others in turn for equal parts of the rows.
  /// - Parameters:
  ///   - blips: the number of each one's first row, ascending.
  ///   - length: of a blip; each ends with or before the part that it begins in, and before the next one.
  public static func blips(at blips: [Int], length: Int, rows: Int, of concepts: Int) -> Visits {
    let parts = concepts - 1
    var visits = (0..<parts).map { (start: $0 * rows / parts, concept: $0, isBlip: false) }
    for blip in blips {
      let part = visits.last { $0.start <= blip && !$0.isBlip }?.concept ?? 0
      visits.removeAll { $0.start == blip }
      visits.append((blip, concepts - 1, true))
      let end = blip + length
      if end < rows && !visits.contains(where: { $0.start == end }) { visits.append((end, part, false)) }
      visits.sort { $0.start < $1.start }
    }
    return Visits(
      visits.map(\.concept), starts: visits.map(\.start), of: concepts,
      blips: Set(visits.indices.filter { visits[$0].isBlip }))
  }
}
