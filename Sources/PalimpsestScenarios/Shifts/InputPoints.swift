import PalimpsestCore

/// Fixed points of a law of inputs, with weights that sum to 1: means over them stand for means over the law.
///
/// Of a rule the points on either side have together the weight that is known of the side: what depends on the rule alone is exact.
struct InputPoints: Sendable {
  /// Points × columns.
  let inputs: Matrix
  /// One a point.
  let weights: [Double]

  static let count = 8192
  private static let seed = Seed(0x706f_696e_7473)

  /// Of a generator's inputs at a moment: of a walk all that its rows can show, else ``count`` draws.
  init(_ generator: any ConceptGenerator, _ moment: ConceptMoment) {
    if let walk = generator as? any WalkGenerator {
      let support = walk.support(moment)
      self.init(Matrix(support.map(\.inputs)), weights: support.map(\.share))
      return
    }
    var inputs = Matrix(rows: InputPoints.count, columns: generator.columns.count)
    var row = [Float](repeating: 0, count: inputs.columns)
    for point in 0..<InputPoints.count {
      _ = generator.draw(RowDraws(InputPoints.seed, row: point), moment, into: &row)
      for (column, value) in row.enumerated() { inputs[point, column] = value }
    }
    let equal = [Double](repeating: 1 / Double(InputPoints.count), count: InputPoints.count)
    let weights = (generator as? any RuleGenerator).map { InputPoints.weights($0, inputs, moment) } ?? equal
    self.init(inputs, weights: weights)
  }

  private init(_ inputs: Matrix, weights: [Double]) { (self.inputs, self.weights) = (inputs, weights) }

  /// Equal ones on either side of a moment's rule, with the side's probability in sum.
  private static func weights(_ rule: any RuleGenerator, _ inputs: Matrix, _ moment: ConceptMoment) -> [Double] {
    let sides = (0..<inputs.rows).map { rule.isPositive(Array(inputs.row($0)), moment) }
    let positives = sides.count { $0 }
    let known = rule.cells.reduce(0) { $0 + ($1.answers[moment.concept] ? $1.weight : 0) }
    let share = positives == 0 ? 0 : positives == sides.count ? 1 : known
    let (yes, no) = (share / Double(max(1, positives)), (1 - share) / Double(max(1, sides.count - positives)))
    return sides.map { $0 ? yes : no }
  }

  /// The same points with other weights, made to sum to 1.
  func weighed(_ weight: (_ inputs: [Float]) -> Double) -> InputPoints {
    let products = weights.enumerated().map { $1 * weight(Array(inputs.row($0))) }
    let sum = products.reduce(0, +)
    return InputPoints(inputs, weights: products.map { $0 / sum })
  }

  func mean(_ value: (_ inputs: [Float]) -> Double) -> Double {
    weights.enumerated().reduce(0) { $0 + $1.element * value(Array(inputs.row($1.offset))) }
  }

  /// Mean and standard deviation.
  func moments(ofColumn column: Int) -> (mean: Double, deviation: Double) {
    let mean = mean { Double($0[column]) }
    return (mean, self.mean { (Double($0[column]) - mean) * (Double($0[column]) - mean) }.squareRoot())
  }
}
