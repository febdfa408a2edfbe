/// How far stated probabilities are from what came true.
///
/// - Time: O(n log n), a stable sort by probability.
/// - Source: Naeini et al. 2015 (ECE) with bins of equal mass; Kumar et al. 2019 (debiased).
public struct Calibration: Sendable, Equatable {
  /// How probabilities are divided.
  public enum Division: Sendable {
    /// Sorted; the first n mod `bins` bins hold one more.
    case equalMass
    case equalWidth
  }

  /// Rows of like probability. Means are NaN where there is no row.
  public struct Bin: Sendable, Equatable {
    public let count: Int
    /// q̄.
    public let confidence: Double
    /// ȳ.
    public let frequency: Double

    init(_ rows: some Collection<Int>, _ q: [Double], _ y: [Double]) {
      count = rows.count
      confidence = rows.reduce(0) { $0 + q[$1] } / Double(rows.count)
      frequency = rows.reduce(0) { $0 + y[$1] } / Double(rows.count)
    }

    fileprivate var gap: Double { frequency - confidence }
    /// What the square of the gap has too much of in the mean: the variance of ȳ. NaN of one row.
    fileprivate var excess: Double { frequency * (1 - frequency) / Double(count - 1) }
  }

  public let bins: [Bin]
  /// mean (q − y)².
  public let brier: Double
  private let count: Int

  /// - Parameters:
  ///   - probabilities: q, finite.
  ///   - outcomes: y, 0 or 1, as many.
  /// - Returns: nil where there is no row, or a probability is no number.
  public init?(_ probabilities: [Double], _ outcomes: [Double], bins: Int = 15, _ division: Division = .equalMass) {
    guard !probabilities.isEmpty, probabilities.count == outcomes.count, bins > 0,
      probabilities.allSatisfy(\.isFinite)
    else { return nil }
    count = probabilities.count
    brier = zip(probabilities, outcomes).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Double(count)
    self.bins =
      switch division {
      case .equalMass: Calibration.equalMass(probabilities, outcomes, bins)
      case .equalWidth: Calibration.equalWidth(probabilities, bins).map { Bin($0, probabilities, outcomes) }
      }
  }

  private static func equalWidth(_ q: [Double], _ bins: Int) -> [[Int]] {
    var parts = [[Int]](repeating: [], count: bins)
    for row in q.indices { parts[max(0, min(bins - 1, Int(q[row] * Double(bins))))].append(row) }
    return parts
  }

  private static func equalMass(_ q: [Double], _ y: [Double], _ bins: Int) -> [Bin] {
    let order = stableOrder(q)
    var first = 0
    return (0..<bins).map { bin in
      let end = first + q.count / bins + (bin < q.count % bins ? 1 : 0)
      defer { first = end }
      return Bin(order[first..<end], q, y)
    }
  }

  private func mean(_ body: (Bin) -> Double) -> Double {
    bins.reduce(0) { $1.count == 0 ? $0 : $0 + Double($1.count) / Double(count) * body($1) }
  }

  /// ECE: Σ n_b/n |ȳ − q̄|.
  public var error: Double { mean { abs($0.gap) } }

  /// √Σ n_b/n (ȳ − q̄)².
  public var rootMeanSquare: Double { mean { $0.gap * $0.gap }.squareRoot() }

  /// Σ n_b/n [(ȳ − q̄)² − ȳ(1 − ȳ)/(n_b − 1)], the root of its size with its sign; NaN where a bin has one row.
  public var debiased: Double {
    let square = mean { $0.gap * $0.gap - $0.excess }
    return square < 0 ? -(-square).squareRoot() : square.squareRoot()
  }
}
