/// Right answers among rows that have something in common: a label, a user.
public struct Slice: Sendable, Equatable, Codable {
  public var rows = 0
  public var right = 0
  /// Σ of what the best rule expects; NaN where p* is not known.
  public var best = 0.0

  public init() {}

  /// NaN without a row.
  public var accuracy: Double { Double(right) / Double(rows) }
  public var bayesAccuracy: Double { best / Double(rows) }

  /// Slices of fewer rows are stored, and say nothing of the worst.
  public static let fewestRows = 30

  /// The least accuracy; NaN where no slice has enough rows.
  public static func worst(_ slices: [Slice]) -> Double { judged(slices).min() ?? .nan }

  /// The 10th percentile of the accuracies, between two of them linearly (NumPy's default); NaN where no slice has enough rows.
  public static func tenthPercentile(_ slices: [Slice]) -> Double {
    quantile(judged(slices).sorted(), 0.1) ?? .nan
  }

  private static func judged(_ slices: [Slice]) -> [Double] {
    slices.filter { $0.rows >= fewestRows }.map(\.accuracy)
  }
}
