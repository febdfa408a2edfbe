/// A share of a few, and how sure it is: Wilson's score interval.
public struct WilsonInterval: Sendable, Equatable {
  public let share: Double
  public let lower: Double
  public let upper: Double

  /// - Parameters:
  ///   - count: how many of them, 0...`of`.
  ///   - of: how many in all; of none nothing is known, and all three numbers are NaN.
  ///   - z: quantile of the normal law: 1.96 for 95 %.
  /// - Source: Wilson 1927; equals `statsmodels` `proportion_confint(method="wilson")`.
  public init(_ count: Int, of total: Int, z: Double = 1.959963984540054) {
    let n = Double(total)
    let p = Double(count) / n
    share = p
    let centre = p + z * z / (2 * n)
    let reach = z * (p * (1 - p) / n + z * z / (4 * n * n)).squareRoot()
    let scale = 1 + z * z / n
    lower = count == 0 ? (total == 0 ? .nan : 0) : (centre - reach) / scale
    upper = count == total ? (total == 0 ? .nan : 1) : (centre + reach) / scale
  }
}

/// What numbers of people say beyond their mean.
public struct PeopleSummary: Sendable, Equatable {
  public let mean: Double
  public let median: Double
  /// 10th percentile, linear between neighbours.
  public let tenth: Double
  /// Mean of the ⌈n/10⌉ smallest (CVaR at 10 %).
  public let worstTenth: Double
  public let worst: Double
  /// Those below 0, and those below −.01.
  public let worse: WilsonInterval
  public let worseByPoint: WilsonInterval

  /// - Parameter values: finite numbers, one a person; of nobody all is NaN.
  public init(_ values: [Double]) {
    let sorted = values.sorted()
    let n = sorted.count
    mean = values.reduce(0, +) / Double(n)
    median = quantile(sorted, 0.5) ?? .nan
    tenth = quantile(sorted, 0.1) ?? .nan
    let tail = sorted.prefix((n + 9) / 10)
    worstTenth = tail.reduce(0, +) / Double(tail.count)
    worst = sorted.first ?? .nan
    worse = WilsonInterval(sorted.count { $0 < 0 }, of: n)
    worseByPoint = WilsonInterval(sorted.count { $0 < -0.01 }, of: n)
  }
}
