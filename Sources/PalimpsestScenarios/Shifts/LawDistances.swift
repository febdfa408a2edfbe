import PalimpsestCore

/// How far the laws of tasks lie apart in what rows show, how often labels come, and what the rows of a label show.
///
/// Inputs are compared column by column: histograms of 20 equal bins from the least to the largest value of any task, the Hellinger
/// distance of two of them, the largest of all columns. The numbers are those of laws at 8,192 points: where tasks share one law
/// of inputs, up to weights that are known, they share the points, and what is equal is 0 whatever the points are. Else each task has
/// points of its own, drawn from the same numbers; what is equal then is about .01.
struct LawDistances {
  let distances: DriftDistances

  /// Bins of a histogram are counted for every task, column and label.
  private static let mostHistograms = 20_000

  /// - Parameter moments: one a task.
  /// - Returns: nil where p* of rows is not known, or tasks, columns and labels are more than can be compared.
  /// - Cost: 8,192 rows of each task and their p*.
  init?(_ generator: any ConceptGenerator, _ moments: [ConceptMoment]) {
    let (columns, labels) = (generator.columns.count, generator.labels.count)
    guard moments.count * columns * (labels + 1) <= LawDistances.mostHistograms else { return nil }
    let points = LawDistances.points(generator, moments)
    let bins = ColumnBins(points.map(\.inputs), columns: columns)
    var laws: [JointHistogram] = []
    for (points, moment) in zip(points, moments) {
      var law = JointHistogram(columns: columns, labels: labels)
      for (row, weight) in points.weights.enumerated() {
        let inputs = Array(points.inputs.row(row))
        guard let p = generator.probabilities(inputs, moment) else { return nil }
        law.add(bins.places(of: inputs), p, weight)
      }
      laws.append(law.normalised)
    }
    let rates = LawDistances.rates(generator, moments) ?? laws.map(\.rates)
    func pairs(_ distance: (Int, Int) -> Double) -> [[Double]] {
      moments.indices.map { j in moments.indices.map { k in distance(j, k) } }
    }
    distances = DriftDistances(
      inputs: pairs { laws[$0].inputDistance(to: laws[$1]) },
      labels: pairs { Distance.totalVariation(rates[$0], rates[$1]) },
      inputsOfLabels: pairs { laws[$0].conditionalDistance(to: laws[$1], rates[$0], rates[$1]) })
  }

  /// One a task; tasks that share their law of inputs share the points.
  private static func points(_ generator: any ConceptGenerator, _ moments: [ConceptMoment]) -> [InputPoints] {
    if let shifted = generator as? ShiftedLaw { return moments.map { shifted.points(at: $0) } }
    if generator is any RuleGenerator {
      return [InputPoints](repeating: InputPoints(generator, moments[0]), count: moments.count)
    }
    return moments.map { InputPoints(generator, $0) }
  }

  /// Of rules: how often each label comes.
  private static func rates(_ generator: any ConceptGenerator, _ moments: [ConceptMoment]) -> [[Double]]? {
    guard let rule = generator as? any RuleGenerator else { return nil }
    let cells = rule.cells
    return moments.map { moment in
      let positive = cells.reduce(0) { $0 + ($1.answers[moment.concept] ? $1.weight : 0) }
      let yes = rule.noise + (1 - 2 * rule.noise) * positive
      return [1 - yes, yes]
    }
  }
}

/// Equal bins of each column.
private struct ColumnBins {
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
  func places(of inputs: [Float]) -> [Int] {
    inputs.indices.map { column in
      guard widths[column] > 0 else { return 0 }
      let share = (inputs[column] - lowest[column]) / widths[column]
      return min(ColumnBins.count - 1, max(0, Int(share * Float(ColumnBins.count))))
    }
  }
}

/// What a law's columns show, of all rows and of those of each label.
private struct JointHistogram {
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
