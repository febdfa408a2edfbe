import Synchronization

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
      halfWidth = KnownQuantiles.twoSided(level, degrees: n - 1) * deviation / n.squareRoot()
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

/// Quantiles of Student's t that were asked for before: one takes fifty microseconds, and a table of thousands of intervals
/// asks for the same few again and again.
private enum KnownQuantiles {
  private struct Key: Hashable {
    let level: Double
    let degrees: Double
  }

  private static let known = Mutex<[Key: Double]>([:])

  static func twoSided(_ level: Double, degrees: Double) -> Double {
    let key = Key(level: level, degrees: degrees)
    if let value = known.withLock({ $0[key] }) { return value }
    let value = StudentT.twoSided(level, degrees: degrees)
    known.withLock { $0[key] = value }
    return value
  }
}
