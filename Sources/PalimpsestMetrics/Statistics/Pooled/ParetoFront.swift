/// Which of several candidates are beaten by none: no other costs as little and is worth as much, one of the two strictly better.
///
/// Candidates with a number that is not finite take no part. Of candidates that are equal in both all are on the front.
///
/// - Time: O(n²) for n candidates, which are strategies.
/// - Source: the hypervolume of two goals, Zitzler and Thiele 1998: the area that the front dominates up to a reference point.
public struct ParetoFront: Sendable, Equatable {
  /// What a candidate costs (less is better) and is worth (more is better).
  public struct Candidate: Sendable, Equatable {
    public let cost: Double
    public let worth: Double

    public init(cost: Double, worth: Double) {
      self.cost = cost
      self.worth = worth
    }

    var isFinite: Bool { cost.isFinite && worth.isFinite }

    /// At least as good in both and better in one.
    func dominates(_ other: Candidate) -> Bool {
      cost <= other.cost && worth >= other.worth && self != other
    }
  }

  public let candidates: [Candidate]
  /// One a candidate.
  public let isOnFront: [Bool]
  /// For each candidate that is beaten, the place of the one that beats it with the most worth, of equals the cheapest; else nil.
  public let beatenBy: [Int?]

  public init(_ candidates: [Candidate]) {
    self.candidates = candidates
    beatenBy = candidates.map { candidate in
      guard candidate.isFinite else { return nil }
      let better = candidates.indices.filter { candidates[$0].isFinite && candidates[$0].dominates(candidate) }
      return better.min {
        let (a, b) = (candidates[$0], candidates[$1])
        return a.worth == b.worth ? a.cost < b.cost : a.worth > b.worth
      }
    }
    isOnFront = zip(candidates, beatenBy).map { $0.isFinite && $1 == nil }
  }

  /// The area between the front and a reference point, which costs more and is worth less: what lies beyond the point adds nothing.
  public func hypervolume(cost reference: Double, worth least: Double) -> Double {
    let front = zip(candidates, isOnFront).filter(\.1).map(\.0)
      .filter { $0.cost < reference && $0.worth > least }.sorted { $0.cost < $1.cost }
    var area = 0.0
    for (place, candidate) in front.enumerated() {
      let next = place + 1 < front.count ? front[place + 1].cost : reference
      area += (next - candidate.cost) * (candidate.worth - least)
    }
    return area
  }
}
