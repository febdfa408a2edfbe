import PalimpsestCore

/// How one concept gives way to the next.
public enum Transition: String, ParameterChoice {
  /// From one row to the next.
  case abrupt
  /// P(new) = σ(4 (t − at) / width), t from 1: MOA's and River's joiner.
  case sigmoid
  /// P(new) rises from 0 to 1 over `width` rows, the middle of them at the boundary: CapyMOA's present one.
  case linear

  /// - Parameters:
  ///   - width: rows that are said to be taken; nil: none are said.
  ///   - most: what the most rows are called.
  /// - Throws: ``ScenarioError`` where it is given to an abrupt transition, or missing for another.
  func check(width: Int?, most: String) throws(ScenarioError) {
    if width == nil && self != .abrupt {
      throw ScenarioError(
        parameter: "width", "a \(rawValue) transition takes some rows. Say how many, at most \(most).")
    }
    if let width, self == .abrupt {
      throw ScenarioError(
        parameter: "width",
        "\(width) is given, and an abrupt transition has no width. Leave it out, or take \"sigmoid\".")
    }
  }
}

/// Concepts in order, each of which gives way to the next at a boundary.
///
/// With P_k the new concept's probability at boundary k, concept k has the share P_k · Π_{i>k} (1 − P_i): joiners nested as
/// join(join(1, 2), 3). At the boundary's last old row P is ½, and all later ones lie above it; a transition that is as wide as
/// the time between two boundaries has .018 of it left at the other one (`sigmoid`), or nothing (`linear`).
///
/// - Source: `sigmoid` Bifet et al. 2010 (MOA), where t counts from 1 and `at` is the number of rows before the boundary.
public struct Transitions: ConceptSchedule {
  /// Rows before each concept's boundary; the first is 0.
  public let starts: [Int]
  public let transition: Transition
  /// Rows; 0 where the transition is abrupt.
  public let width: Int

  /// - Parameters:
  ///   - starts: the number of each concept's first row, ascending from 0.
  ///   - width: above 0 unless the transition is abrupt.
  public init(starts: [Int], _ transition: Transition = .abrupt, width: Int = 0) {
    precondition(starts.first == 0 && zip(starts, starts.dropFirst()).allSatisfy { $0 < $1 }, "starts \(starts)")
    precondition(transition == .abrupt || width > 0, "a transition of \(width) rows")
    self.starts = starts
    self.transition = transition
    self.width = transition == .abrupt ? 0 : width
  }

  public var concepts: Int { starts.count }

  public func shares(at row: Int) -> [Double] {
    var shares = [Double](repeating: 0, count: concepts)
    forEachShare(at: row) { concept, share in
      shares[concept] = share
      return true
    }
    return shares
  }

  /// - Cost: one step for each boundary that lies less than ten widths ahead or behind.
  public func concept(at row: Int, drawing u: Double) -> Int {
    var (sum, found) = (0.0, 0)
    forEachShare(at: row) { concept, share in
      sum += share
      found = concept
      return u >= sum
    }
    return found
  }

  /// Calls the body with concepts from the last one on that has a share, until it returns false or nothing is left.
  func forEachShare(at row: Int, _ body: (_ concept: Int, _ share: Double) -> Bool) {
    var concept = latest(at: row)
    var rest = 1.0
    while concept > 0 {
      let share = rest * chance(ofNew: row + 1 - starts[concept])
      if share > 0 && !body(concept, share) { return }
      rest -= share
      if rest <= 0 { return }
      concept -= 1
    }
    _ = body(0, rest)
  }

  /// A transition is a change from where 5 to where 95 % of the rows are the new concept's.
  public func events(in rows: Int) -> [DriftEvent] {
    if transition == .abrupt { return [DriftEvent](changesAt: starts).filter { $0.rows.lowerBound < rows } }
    let half = (transition == .sigmoid ? changeOdds / 4 : 0.45) * Double(width)
    return [DriftEvent](
      starts.indices.dropFirst().map { concept in
        let middle = Double(starts[concept] - 1)
        return (middle - half, middle + half, concept - 1, concept)
      }, in: rows)
  }

  /// The last concept whose share can be told from 0: σ(−40) is.
  private func latest(at row: Int) -> Int {
    let horizon = row + 10 * width
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= horizon { low = middle } else { high = middle }
    }
    return low
  }

  /// - Parameter distance: t − at.
  private func chance(ofNew distance: Int) -> Double {
    switch transition {
    case .abrupt: distance > 0 ? 1 : 0
    case .sigmoid: Elementary.logistic(4 * Double(distance) / Double(width))
    case .linear: min(1, max(0, 0.5 + Double(distance) / Double(width)))
    }
  }
}
