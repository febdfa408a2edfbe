import Palimpsest

/// A one-sided cumulative sum: S ← max(0, S + x − m − δ), an alarm where S > λ; m is the mean of the first `least` values.
///
/// It is shown what predictions were worth, row by row.
/// - Memory: three numbers.
public struct Cusum: DriftDetector {
  public static let name = "cusum"
  public static let summary = "Alarms when errors have long been above their mean in the beginning."
  public static let source = "Page, \"Continuous inspection schemes\", Biometrika 1954."

  @Parameter("Rows that the mean is taken of.", .count) public var least: Int = 100
  @Parameter("Rise of the mean that counts as none, δ.", .atLeast(0)) public var delta: Double = 0.05
  @Parameter("What the sum must reach for an alarm, λ.", .above(0)) public var threshold: Double = 10

  private var count = 0
  private var mean = 0.0
  private var sum = 0.0

  public init() {}

  public var bytes: Int { 24 }

  public mutating func observe(_ outcome: Outcome) -> DriftSignal {
    count += 1
    if count <= least {
      mean += (outcome.error - mean) / Double(count)
      return .none
    }
    sum = max(0, sum + outcome.error - mean - delta)
    guard sum > threshold else { return .none }
    (count, mean, sum) = (0, 0, 0)
    return .alarm
  }
}
