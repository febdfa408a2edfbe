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
    func share(_ isSuch: (Int) -> Bool) -> Double { Double(labels.indices.count(where: isSuch)) / Double(labels.count) }
    negative = share { before[$0] == labels[$0] && now[$0] != labels[$0] }
    positive = share { before[$0] != labels[$0] && now[$0] == labels[$0] }
    churn = share { before[$0] != now[$0] }
  }
}
