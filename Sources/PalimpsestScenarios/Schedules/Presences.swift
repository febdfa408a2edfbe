import PalimpsestCore

/// Each concept has a presence in time, strongest in its middle and normal about it: concept k makes row t with a probability ∝
/// e^(−d²/2w²), d the rows between t and its middle. With a period presences come again and again, and d is that to the nearest
/// of its middles.
///
/// Between two middles c < c′ the odds of the later one are e^((t − (c + c′)/2)(c′ − c)/w²): it takes over as a sigmoid does.
///
/// - Source: Gaussian presences of classes in time, as in Shanahan et al. 2021 and Koh et al. 2023 (there of classes).
public struct Presences: ConceptSchedule {
  /// The row in which each is strongest.
  public let middles: [Double]
  /// Standard deviation in rows.
  public let width: Double
  /// Rows until all come again; nil: none does.
  public let period: Double?

  /// - Parameters:
  ///   - middles: one a concept, no two the same.
  ///   - width: above 0.
  public init(middles: [Double], width: Double, period: Double? = nil) {
    precondition(!middles.isEmpty && width > 0 && period ?? 1 > 0, "presences of width \(width)")
    (self.middles, self.width, self.period) = (middles, width, period)
  }

  public var concepts: Int { middles.count }

  public func shares(at row: Int) -> [Double] {
    let distances = middles.map { distance(Double(row) - $0) }
    let logs = distances.map { -$0 * $0 / (2 * width * width) }
    let most = logs.max() ?? 0
    guard most > -.infinity && logs.allSatisfy({ !$0.isNaN }) else { return Presences.nearest(distances) }
    let weights = logs.map { Elementary.exp($0 - most) }
    let sum = weights.reduce(0, +)
    return weights.map { $0 / sum }
  }

  /// The limit of narrow presences: the row is that of the nearest middle, or of several in equal parts.
  private static func nearest(_ distances: [Double]) -> [Double] {
    let least = distances.map(\.magnitude).min() ?? 0
    let near = distances.count { $0.magnitude == least }
    return distances.map { $0.magnitude == least ? 1 / Double(near) : 0 }
  }

  private func distance(_ d: Double) -> Double {
    guard let period else { return d }
    return d - period * (d / period).rounded()
  }

  /// Changes are those from the presence of one middle to that of the next.
  public func events(in rows: Int) -> [DriftEvent] {
    let all = visits(in: rows)
    return [DriftEvent](
      zip(all, all.dropFirst()).map { a, b in
        let (middle, gap) = ((a.middle + b.middle) / 2, b.middle - a.middle)
        let half = min(gap / 2, changeOdds * width * width / gap)
        return (middle - half, middle + half, a.concept, b.concept)
      }, in: rows)
  }

  /// Middles in order of time, with the last ones before the rows and the first ones behind them.
  private func visits(in rows: Int) -> [(middle: Double, concept: Int)] {
    let own = middles.enumerated().map { (middle: $1, concept: $0) }.sorted { $0.middle < $1.middle }
    guard let period, concepts > 1 else { return own }
    let folded = own.map { ($0.middle - period * ($0.middle / period).rounded(.down), $0.concept) }
      .sorted { $0.0 < $1.0 }
    return (-1...Int((Double(rows) / period).rounded(.up))).flatMap { round in
      folded.map { (middle: $0.0 + period * Double(round), concept: $0.1) }
    }
  }
}
