/// How p-values of several comparisons are adjusted, so that the chance of any false claim among them is no more than the level.
public enum Adjustment: String, Sendable, CaseIterable {
  /// Step-down max-T over the sign flips: it knows how comparisons that share runs go together, and its least p does not grow with their number.
  case maxT = "max-t"
  /// Holm 1979: valid whatever the dependence, and blind where the least p times the number of comparisons is above the level.
  case holm
  case none

  public func adjusted(_ test: SignFlips) -> [Double] {
    switch self {
    case .maxT: test.adjusted
    case .holm: holmAdjusted(test.p)
    case .none: test.p
    }
  }
}

/// p-values times the number of those not smaller, made monotone, at most 1.
///
/// - Source: Holm 1979; equals `statsmodels.stats.multitest.multipletests(p, method="holm")`.
public func holmAdjusted(_ p: [Double]) -> [Double] {
  let order = p.indices.sorted { (p[$0], $0) < (p[$1], $1) }
  var least = 0.0
  return order.enumerated().reduce(into: p) { adjusted, place in
    least = max(least, min(1, p[place.element] * Double(p.count - place.offset)))
    adjusted[place.element] = least
  }
}
