import PalimpsestCore

/// Equal bins of each column.
struct ColumnBins {
  static let count = 20
  private var lowest: [Float]
  private var widths: [Float]

  init(_ inputs: [Matrix], columns: Int) {
    lowest = [Float](repeating: .infinity, count: columns)
    var highest = [Float](repeating: -.infinity, count: columns)
    for matrix in inputs {
      for row in 0..<matrix.rows {
        for column in 0..<columns {
          lowest[column] = min(lowest[column], matrix[row, column])
          highest[column] = max(highest[column], matrix[row, column])
        }
      }
    }
    widths = zip(highest, lowest).map { $0 - $1 }
  }

  /// One a column.
  func places(of inputs: [Float]) -> [Int] { inputs.indices.map { place(of: inputs[$0], in: $0) } }

  func place(of value: Float, in column: Int) -> Int {
    guard widths[column] > 0 else { return 0 }
    let share = (value - lowest[column]) / widths[column]
    return min(ColumnBins.count - 1, max(0, Int(share * Float(ColumnBins.count))))
  }
}

/// What a law's columns show, of all rows and of those of each label.
struct JointHistogram {
  private let columns: Int
  /// P(label).
  private(set) var rates: [Double]
  /// The first of all rows, then one a label: columns × bins each.
  private var masses: [[Double]]

  init(columns: Int, labels: Int) {
    self.columns = columns
    rates = [Double](repeating: 0, count: labels)
    masses = [[Double]](repeating: [Double](repeating: 0, count: columns * ColumnBins.count), count: 1 + labels)
  }

  /// Of rows with two labels, each row alike.
  /// - Parameter truth: p*(1), one a row.
  init(_ inputs: Matrix, truth: [Float], _ bins: ColumnBins) {
    self.init(columns: inputs.columns, labels: 2)
    for column in 0..<columns {
      var (all, yes) = (
        [Double](repeating: 0, count: ColumnBins.count), [Double](repeating: 0, count: ColumnBins.count)
      )
      for row in truth.indices {
        let bin = bins.place(of: inputs[row, column], in: column)
        all[bin] += 1
        yes[bin] += Double(truth[row])
      }
      for bin in 0..<ColumnBins.count {
        let place = column * ColumnBins.count + bin
        masses[0][place] = all[bin] / Double(truth.count)
        masses[1][place] = (all[bin] - yes[bin]) / Double(truth.count)
        masses[2][place] = yes[bin] / Double(truth.count)
      }
    }
    let rate = truth.reduce(0.0) { $0 + Double($1) } / Double(truth.count)
    rates = [1 - rate, rate]
  }

  mutating func add(_ bins: [Int], _ p: [Double], _ weight: Double) {
    for (label, p) in p.enumerated() { rates[label] += weight * p }
    for (column, bin) in bins.enumerated() {
      let place = column * ColumnBins.count + bin
      masses[0][place] += weight
      for (label, p) in p.enumerated() { masses[1 + label][place] += weight * p }
    }
  }

  /// Square roots of shares: of all rows, and of the rows of a label.
  var normalised: JointHistogram {
    var copy = self
    for (part, sum) in ([1] + rates).enumerated() {
      copy.masses[part] = masses[part].map { sum > 0 ? ($0 / sum).squareRoot() : 0 }
    }
    return copy
  }

  func inputDistance(to other: JointHistogram) -> Double { distance(to: other, part: 0) }

  /// The mean over labels, each as often as it comes under both; a label that never comes under one of them has nothing to compare.
  func conditionalDistance(to other: JointHistogram, _ own: [Double], _ others: [Double]) -> Double {
    var (sum, total) = (0.0, 0.0)
    for label in rates.indices where rates[label] > 0 && other.rates[label] > 0 {
      let share = (own[label] + others[label]) / 2
      sum += share * distance(to: other, part: 1 + label)
      total += share
    }
    return total > 0 ? sum / total : 1
  }

  /// √(½ Σ (√p − √q)²): of equal ones 0 to the last bit, where 1 − Σ √(p q) has its square root's error.
  private func distance(to other: JointHistogram, part: Int) -> Double {
    var largest = 0.0
    for column in 0..<columns {
      let range = column * ColumnBins.count..<(column + 1) * ColumnBins.count
      let square = range.reduce(0.0) { sum, place in
        let difference = masses[part][place] - other.masses[part][place]
        return sum + difference * difference
      }
      largest = max(largest, square / 2)
    }
    return largest.squareRoot()
  }
}
