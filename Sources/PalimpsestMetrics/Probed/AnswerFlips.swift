/// What became of answers to the same rows, as shares of the rows.
public struct AnswerFlips: Sendable, Equatable {
  /// Right before, wrong now.
  public let negative: Double
  /// Wrong before, right now.
  public let positive: Double
  /// Another answer, right or wrong.
  public let churn: Double

  /// - Returns: nil where there is no row, or the lists are not of one length.
  public init?(before: [Int32], now: [Int32], labels: [Int32]) {
    guard !labels.isEmpty, before.count == labels.count, now.count == labels.count else { return nil }
    var (lost, won, turned) = (0, 0, 0)
    for row in labels.indices {
      let (was, isNow) = (before[row] == labels[row], now[row] == labels[row])
      lost += was && !isNow ? 1 : 0
      won += !was && isNow ? 1 : 0
      turned += before[row] != now[row] ? 1 : 0
    }
    let rows = Double(labels.count)
    (negative, positive, churn) = (Double(lost) / rows, Double(won) / rows, Double(turned) / rows)
  }
}
