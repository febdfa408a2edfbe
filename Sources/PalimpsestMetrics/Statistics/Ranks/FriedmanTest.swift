import PalimpsestCore

/// Ranks of several methods over several scenarios, and whether they differ (Friedman 1937; Iman & Davenport 1980).
///
/// N counts scenarios, whose seeds are averaged first: treated as scenarios of their own, seeds overstate N.
public struct FriedmanTest: Sendable, Equatable {
  /// Scenarios.
  public let count: Int
  /// One a method, 1 for the best, ties at their mean.
  public let meanRanks: [Double]
  /// What ties leave of the ranks' variance: 1 without any, 0 where all are equal everywhere.
  private let untied: Double

  /// - Parameter scores: scenarios × methods, higher is better.
  /// - Returns: nil for fewer than two methods, no scenarios, or rows of different length.
  public init?(_ scores: [[Double]]) {
    guard let methods = scores.first?.count, methods > 1, scores.allSatisfy({ $0.count == methods }) else { return nil }
    let sums = scores.reduce(into: [Double](repeating: 0, count: methods)) { sums, row in
      for (method, rank) in midRanks(row.map { -$0 }).enumerated() { sums[method] += rank }
    }
    let k = Double(methods)
    let ties = scores.reduce(0.0) { sum, row in
      Dictionary(grouping: row, by: { $0 }).values.reduce(sum) { $0 + Double($1.count * ($1.count * $1.count - 1)) }
    }
    untied = 1 - ties / (Double(scores.count) * k * (k * k - 1))
    count = scores.count
    meanRanks = sums.map { $0 / Double(scores.count) }
  }

  /// 12N/(k(k+1)) · Σ (R̄ − (k+1)/2)², over 1 − Σ(t³ − t)/(Nk(k² − 1)) for groups of t ties; NaN where all are equal everywhere.
  public var chiSquare: Double {
    let k = Double(meanRanks.count)
    let spread = meanRanks.reduce(0) { $0 + ($1 - (k + 1) / 2) * ($1 - (k + 1) / 2) }
    return untied > 0 ? 12 * Double(count) / (k * (k + 1)) * spread / untied : .nan
  }

  /// Iman and Davenport's F, of k − 1 and (k − 1)(N − 1) degrees; infinite where all scenarios agree on the order.
  public var f: Double {
    let (n, k) = (Double(count), Double(meanRanks.count))
    let rest = n * (k - 1) - chiSquare
    return chiSquare.isNaN ? .nan : rest > 1e-9 ? (n - 1) * chiSquare / rest : .infinity
  }

  /// P(χ² ≥ ``chiSquare``) of k − 1 degrees: Friedman's own p, which says too little where scenarios are few; ``p`` is the better one.
  public var chiSquareP: Double { chiSquareTail(chiSquare, degrees: meanRanks.count - 1) }

  /// P(F ≥ f).
  public var p: Double {
    let (n, k) = (Double(count), Double(meanRanks.count))
    let (d1, d2) = (k - 1, (k - 1) * (n - 1))
    if f == .infinity { return 0 }
    guard f.isFinite else { return .nan }
    guard d2 > 0 else { return .nan }
    return incompleteBeta(d2 / (d2 + d1 * f), complement: d1 * f / (d2 + d1 * f), d2 / 2, d1 / 2)
  }

  /// Nemenyi's critical difference at .05: mean ranks that lie closer are not told apart. Nil beyond 20 methods.
  public var criticalDifference: Double? {
    let k = meanRanks.count
    guard (2...20).contains(k) else { return nil }
    return FriedmanTest.q[k - 2] * (Double(k * (k + 1)) / Double(6 * count)).squareRoot()
  }

  /// q_.05 / √2 of the studentised range of k = 2…20 means, infinite degrees (`scipy.stats.studentized_range`, 1.17).
  private static let q = [
    1.959964, 2.343701, 2.569032, 2.727774, 2.849705, 2.948320, 3.030878, 3.101730, 3.163684, 3.218654, 3.268004,
    3.312739, 3.353618, 3.391230, 3.426041, 3.458425, 3.488685, 3.517073, 3.543799,
  ]
}

/// P(χ² ≥ x): the finite sums of whole degrees.
func chiSquareTail(_ x: Double, degrees: Int) -> Double {
  guard x > 0 else { return x.isNaN ? .nan : 1 }
  let (half, isOdd) = (x / 2, !degrees.isMultiple(of: 2))
  var tail = isOdd ? 2 * NormalArea.below(-x.squareRoot()) : 0
  var term = isOdd ? Elementary.exp(-half) * (2 * x / .pi).squareRoot() : Elementary.exp(-half)
  for i in 0..<(degrees / 2) {
    tail += term
    term *= half / (Double(i + 1) + (isOdd ? 0.5 : 0))
  }
  return tail
}
