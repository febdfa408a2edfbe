import PalimpsestCore

/// How well a classifier tells the rows of one law from those of another: its share of right answers to rows that it has not learned from, both laws
/// counted alike. ½ where nothing tells them apart; 1 where every row says whose it is.
///
/// The classifier is logistic in the columns and their squares, so it sees means and spreads and what several columns tell together; what lies in their
/// products alone it does not see. So it is a bound from below of ½ + ½ TV(p, q), which no rule exceeds. It learns from one half of the rows and answers
/// the other, then the other way round; a score of 0 counts ½. Where rows are people's, halves have different people. A law with a row alone has
/// nothing to be judged on: ½.
///
/// - Inputs: at most 2,048 rows of each law, taken in an order that is always the same.
/// - Cost: about six steps of Newton's method, rows × columns² each: a hundredth of a second a pair of laws of ten columns.
/// - Source: Lopez-Paz & Oquab 2017, "Revisiting classifier two-sample tests".
package struct TwoSample {
  /// In [0, 1]; a chance below ½ too, where the halves differ.
  package let accuracy: Double

  static let mostRows = 2048
  /// Weight of ½ |θ|² beside the mean log-loss: columns that tell the laws apart for certain leave θ finite.
  private static let ridge = 1e-3

  /// Rows of a law.
  package struct Sample: Equatable {
    /// Rows × columns.
    let inputs: Matrix
    /// One a row; nil: all alike.
    let weights: [Double]?
    /// Whose each row is, where rows are people's: nobody is in both halves, or who somebody is would tell the law. Nil: rows are nobody's.
    let owners: [Int32]?

    package init(_ inputs: Matrix, weights: [Double]? = nil, owners: [Int32]? = nil) {
      (self.inputs, self.weights, self.owners) = (inputs, weights, owners)
    }
  }

  /// - Parameter b: with as many columns.
  package init(_ a: Sample, _ b: Sample) {
    let halves = zip(LawHalves(a).halves, LawHalves(b).halves).map { [$0, $1] }
    if halves.joined().contains(where: \.rows.isEmpty) {
      accuracy = 0.5
      return
    }
    let scores = (0..<2).map { half in
      TellingRule(halves[half], ridge: TwoSample.ridge).accuracy(on: halves[1 - half])
    }
    accuracy = (scores[0] + scores[1]) / 2
  }
}

/// Rows of a law with weights.
private struct LawRows {
  var rows: [[Double]] = []
  /// They sum to 1, or are all 0.
  var weights: [Double] = []

  mutating func normalise() {
    let sum = weights.reduce(0, +)
    if sum > 0 { for i in weights.indices { weights[i] /= sum } }
  }
}

/// Two halves of a law's rows.
private struct LawHalves {
  let halves: [LawRows]

  init(_ sample: TwoSample.Sample) {
    let people = LawHalves.halfOfPeople(sample.owners)
    var order = (0..<Int32(sample.inputs.rows)).map { $0 }
    var rng = Seed(0x7477_6f2d_7361_6d70).stream("two-sample")
    rng.shuffle(&order)
    var halves = [LawRows(), LawRows()]
    for (place, row) in order.prefix(TwoSample.mostRows).enumerated() {
      let half = people.flatMap { half in sample.owners.flatMap { half[$0[Int(row)]] } } ?? place % 2
      halves[half].rows.append(sample.inputs.row(Int(row)).map(Double.init))
      halves[half].weights.append(sample.weights?[Int(row)] ?? 1)
    }
    for i in 0..<2 { halves[i].normalise() }
    self.halves = halves
  }

  /// Every other one, in the order of their first rows; nil where there is one alone, or nobody.
  private static func halfOfPeople(_ owners: [Int32]?) -> [Int32: Int]? {
    var halves: [Int32: Int] = [:]
    for owner in owners ?? [] where halves[owner] == nil { halves[owner] = halves.count % 2 }
    return halves.count > 1 ? halves : nil
  }
}

/// A rule that scores a row below 0 where it takes it for the first law's, above 0 for the second's.
private struct TellingRule {
  /// Of each column in both laws together.
  private var means: [Double] = []
  private var deviations: [Double] = []
  /// Constant, columns, squares.
  private var parameters: [Double] = []
  private var width: Int { 1 + 2 * means.count }

  init(_ laws: [LawRows], ridge: Double) {
    let columns = laws[0].rows.first?.count ?? 0
    for column in 0..<columns {
      let mean = TellingRule.mean(laws) { $0[column] }
      let variance = TellingRule.mean(laws) { ($0[column] - mean) * ($0[column] - mean) }
      means.append(mean)
      deviations.append(variance.squareRoot())
    }
    parameters = [Double](repeating: 0, count: width)
    let table = laws.map { law in law.rows.flatMap { features($0) } }
    for _ in 0..<30 where !step(table, laws.map(\.weights), ridge) { break }
  }

  private static func mean(_ laws: [LawRows], _ value: ([Double]) -> Double) -> Double {
    laws.reduce(0) { sum, law in sum + zip(law.rows, law.weights).reduce(0) { $0 + $1.1 * value($1.0) } } / 2
  }

  private func features(_ row: [Double]) -> [Double] {
    let z = row.indices.map { deviations[$0] > 0 ? (row[$0] - means[$0]) / deviations[$0] : 0 }
    return [1] + z + z.map { $0 * $0 - 1 }
  }

  /// A step of Newton's method on the mean log-loss with its ridge.
  /// - Returns: false where there is nothing left to gain.
  private mutating func step(_ features: [[Double]], _ weights: [[Double]], _ ridge: Double) -> Bool {
    var gradient = parameters.map { ridge * $0 }
    var curvature = [Double](repeating: 0, count: width * width)
    for i in 0..<width { curvature[i * width + i] = ridge }
    for law in 0..<2 {
      for (row, weight) in weights[law].enumerated() where weight > 0 {
        let first = row * width
        let p = Elementary.logistic(score(features[law], first))
        let (slope, bend) = (weight / 2 * (p - Double(law)), weight / 2 * p * (1 - p))
        for i in 0..<width {
          let f = features[law][first + i]
          gradient[i] += slope * f
          for j in 0...i { curvature[i * width + j] += bend * f * features[law][first + j] }
        }
      }
    }
    guard let change = solved(curvature, gradient) else { return false }
    let gain = zip(change, gradient).reduce(0) { $0 + $1.0 * $1.1 }
    if gain < 1e-12 { return false }
    // Where rows lie far out a whole step may go too far.
    let (start, before) = (parameters, loss(features, weights, ridge))
    var share = 1.0
    while share > 1e-6 {
      for i in parameters.indices { parameters[i] = start[i] - share * change[i] }
      if loss(features, weights, ridge) <= before { return true }
      share /= 2
    }
    parameters = start
    return false
  }

  private func loss(_ features: [[Double]], _ weights: [[Double]], _ ridge: Double) -> Double {
    var sum = ridge / 2 * parameters.reduce(0) { $0 + $1 * $1 }
    for law in 0..<2 {
      for (row, weight) in weights[law].enumerated() where weight > 0 {
        let z = score(features[law], row * width) * (law == 0 ? 1 : -1)
        // ln(1 + e^z) without its overflow.
        sum += weight / 2 * (max(z, 0) + Elementary.log(1 + Elementary.exp(-abs(z))))
      }
    }
    return sum
  }

  private func score(_ features: [Double], _ first: Int) -> Double {
    var sum = 0.0
    for i in 0..<width { sum += parameters[i] * features[first + i] }
    return sum
  }

  /// The change that takes the gradient away, by Cholesky's factors of the curvature's lower half.
  private func solved(_ curvature: [Double], _ gradient: [Double]) -> [Double]? {
    var (factor, x) = (curvature, gradient)
    for i in 0..<width {
      for j in 0...i {
        var sum = factor[i * width + j]
        for k in 0..<j { sum -= factor[i * width + k] * factor[j * width + k] }
        if i > j {
          factor[i * width + j] = sum / factor[j * width + j]
        } else {
          guard sum > 0 else { return nil }
          factor[i * width + i] = sum.squareRoot()
        }
      }
      for k in 0..<i { x[i] -= factor[i * width + k] * x[k] }
      x[i] /= factor[i * width + i]
    }
    for i in (0..<width).reversed() {
      for k in i + 1..<width { x[i] -= factor[k * width + i] * x[k] }
      x[i] /= factor[i * width + i]
    }
    return x
  }

  func accuracy(on laws: [LawRows]) -> Double {
    let right = (0..<2).map { law in
      zip(laws[law].rows, laws[law].weights).reduce(0.0) { sum, row in
        let z = score(features(row.0), 0) * (law == 0 ? -1 : 1)
        return sum + row.1 * (z > 0 ? 1 : z == 0 ? 0.5 : 0)
      }
    }
    return (right[0] + right[1]) / 2
  }
}

extension TwoSample {
  /// Squares of columns × pairs of laws at most: about half a second.
  private static let most = 40_000

  /// Of every pair of laws: ½ where both have the same rows.
  /// - Returns: nil where there are more of them than can be compared.
  static func pairs(_ laws: [Sample]) -> [[Double]]? {
    var kinds: [Int] = []
    for (place, law) in laws.enumerated() {
      kinds.append(kinds.indices.first { kinds[$0] == $0 && laws[$0] == law } ?? place)
    }
    let different = Set(kinds).sorted()
    let width = 1 + 2 * (laws.first?.inputs.columns ?? 0)
    guard different.count * (different.count - 1) / 2 * width * width <= most else { return nil }
    var known: [[Int]: Double] = [:]
    for (place, j) in different.enumerated() {
      for k in different[(place + 1)...] { known[[j, k]] = TwoSample(laws[j], laws[k]).accuracy }
    }
    return kinds.map { j in kinds.map { k in j == k ? 0.5 : known[[min(j, k), max(j, k)]] ?? 0.5 } }
  }
}
