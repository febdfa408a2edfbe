import PalimpsestCore

/// Rows that are taken one after the other, none twice.
struct RemainingRows {
  private var isGone: [Bool]
  /// In order.
  private(set) var taken: [Int] = []

  init(_ rows: Int) { isGone = Array(repeating: false, count: rows) }

  /// Takes the row that scores highest, the first one on a tie; a score that is no number is lowest.
  mutating func takeLargest(_ score: (Int) -> Double) -> Int {
    let row = removeLargest(score)
    taken.append(row)
    return row
  }

  /// Puts aside the row that scores highest: it is never taken.
  mutating func leaveOutLargest(_ score: (Int) -> Double) { _ = removeLargest(score) }

  private mutating func removeLargest(_ score: (Int) -> Double) -> Int {
    guard var best = isGone.firstIndex(of: false) else { preconditionFailure("no row is left of \(isGone.count)") }
    var highest = -Double.infinity
    for row in best..<isGone.count where !isGone[row] {
      let value = score(row)
      if value > highest { (best, highest) = (row, value) }
    }
    isGone[best] = true
    return best
  }
}

extension Matrix {
  /// The rows at length 1; a row of zeros stays as it is.
  func withUnitRows() -> Matrix {
    let zero = FloatBuffer(count: columns)
    var unit = self
    for row in 0..<rows {
      let length = squaredDistance(row: row, to: zero).squareRoot()
      if length > 0 { for c in 0..<columns { unit[row, c] = Float(Double(self[row, c]) / length) } }
    }
    return unit
  }

  /// The mean over rows: one number a column.
  func meanRow() -> [Double] {
    var sum = Array(repeating: 0.0, count: columns)
    values.withSpan { x in
      for row in 0..<rows {
        for c in 0..<columns { sum[c] += Double(x[row * columns + c]) }
      }
    }
    return sum.map { $0 / Double(rows) }
  }
}
