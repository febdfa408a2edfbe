/// The mean of a few runs and how sure it is: Student's t interval.
public struct Interval: Sendable, Equatable {
  /// Number of values, n.
  public let count: Int
  public let mean: Double
  /// Sample standard deviation, n − 1 in the divisor; nil for one value.
  public let deviation: Double?
  /// Half of the interval's width, t · s / √n; nil for one value, which gives no interval.
  public let halfWidth: Double?

  /// - Parameters:
  ///   - values: finite numbers of independent runs.
  ///   - level: the share of such intervals that hold the true mean, in 0..<1.
  /// - Returns: nil where there are no values.
  /// - Source: Student 1908; equals `scipy.stats.t.interval(level, n - 1, mean, sem)`.
  public init?(_ values: [Double], level: Double = 0.95) {
    guard let first = values.first else { return nil }
    let n = Double(values.count)
    let mean = first + values.reduce(0) { $0 + ($1 - first) } / n
    count = values.count
    self.mean = mean
    if values.count > 1 {
      let squares = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      let deviation = (squares / (n - 1)).squareRoot()
      self.deviation = deviation
      halfWidth = StudentT.twoSided(level, degrees: n - 1) * deviation / n.squareRoot()
    } else {
      deviation = nil
      halfWidth = nil
    }
  }

  /// s / √n; nil for one value.
  public var standardError: Double? { deviation.map { $0 / Double(count).squareRoot() } }
  public var lower: Double? { halfWidth.map { mean - $0 } }
  public var upper: Double? { halfWidth.map { mean + $0 } }
}
