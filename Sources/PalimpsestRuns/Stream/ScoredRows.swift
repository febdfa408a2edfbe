import PalimpsestCore

/// The answers of a window that is not over, for what takes all of them: the area under the curve and the error of calibration.
struct ScoredRows: Sendable, Equatable, Codable {
  private struct Row: Sendable, Equatable, Codable {
    let score: Float
    /// The label is 1; where there are more than two labels: the answer is right.
    let isOne: Bool
  }

  private static let bins = 15

  private var rows: [Row] = []
  private var isBinary = true

  var count: Int { rows.count }

  mutating func append(_ row: PrequentialWindows.Answered) {
    isBinary = row.isBinary
    rows.append(Row(score: row.score, isOne: isBinary ? row.label == 1 : row.outcome.error == 0))
  }

  mutating func removeAll() { rows.removeAll(keepingCapacity: true) }

  /// The window with what all of its rows tell.
  func judged(_ window: PrequentialWindows.Window) -> PrequentialWindows.Window {
    var window = window
    guard rows.allSatisfy({ !$0.score.isNaN }) else { return window }
    let sorted = rows.sorted { $0.score < $1.score }
    if isBinary { window.area = ScoredRows.area(sorted) }
    window.calibrationError = calibrationError(sorted)
    return window
  }

  /// By the sum of ranks, equal scores with their mean rank; NaN where one of the labels is not there.
  private static func area(_ sorted: [Row]) -> Double {
    let ones = sorted.count { $0.isOne }
    let zeros = sorted.count - ones
    guard ones > 0, zeros > 0 else { return .nan }
    var (sum, first) = (0.0, 0)
    while first < sorted.count {
      let end = sorted[first...].firstIndex { $0.score != sorted[first].score } ?? sorted.count
      let rank = Double(first + 1 + end) / 2
      sum += rank * Double(sorted[first..<end].count { $0.isOne })
      first = end
    }
    return (sum - Double(ones) * Double(ones + 1) / 2) / Double(ones) / Double(zeros)
  }

  /// Bins of equal mass; the first ones hold one row more where they cannot be equal.
  private func calibrationError(_ sorted: [Row]) -> Double {
    let (each, more) = sorted.count.quotientAndRemainder(dividingBy: ScoredRows.bins)
    var (sum, first) = (0.0, 0)
    for bin in 0..<ScoredRows.bins {
      let rows = sorted[first..<first + each + (bin < more ? 1 : 0)]
      let distance = rows.reduce(0.0) { $0 + ($1.isOne ? 1 : 0) - probability($1) }
      sum += abs(distance)
      first += rows.count
    }
    return sum / Double(sorted.count)
  }

  private func probability(_ row: Row) -> Double {
    isBinary ? Elementary.logistic(Double(row.score)) : Double(row.score)
  }
}
