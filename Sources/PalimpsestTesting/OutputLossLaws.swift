import PalimpsestCore

/// The laws of ``PalimpsestCore/OutputLoss``: its gradient is the derivative of its value; it adds to the gradient;
/// rows and columns that were not meant keep theirs.
public enum OutputLossLaws {
  /// Checks a loss on random logits of 1, 2 and 10 columns, over all outputs and over a range of them, for all rows and
  /// some, with labels and with a value for each output.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations(of loss: some OutputLoss) -> [String] {
    let cases = [(1, 0..<1), (2, 0..<2), (10, 0..<10), (10, 3..<7), (10, 8..<10)]
    return cases.flatMap { columns, outputs in
      [0..<6, 2..<5].flatMap { check(loss, columns: columns, outputs: outputs, rows: $0) }
    }
  }

  private static func check<L: OutputLoss>(
    _ loss: L, columns: Int, outputs: Range<Int>, rows: Range<Int>
  ) -> [String] {
    var loss = loss
    var rng = Seed(31).stream("loss laws", columns)
    let logits = LawWorld.inputs(6, columns: columns, rng)
    let target = LossTarget(
      labels: (0..<6).map { Int32(columns == 1 ? $0 % 2 : outputs.lowerBound + $0 % outputs.count) },
      weights: (0..<6).map { _ in 0.5 + rng.uniformFloat() }, rows: rows, outputs: outputs,
      values: values(columns, using: &rng))
    var gradient = Matrix(rows: 6, columns: columns)
    _ = loss.add(logits, target, to: &gradient)
    let what = "\(L.name), \(columns) columns, outputs \(outputs), rows \(rows)"
    guard gradient.rows == logits.rows && gradient.columns == logits.columns else {
      return ["\(what): a gradient of 6 × \(columns) became one of \(gradient.rows) × \(gradient.columns)"]
    }
    return gradientViolations(
      what, gradient: flat(gradient), differences: differences(&loss, logits, target))
      + untouched(gradient, target, what) + keepsGradient(&loss, logits, target, flat(gradient), what)
  }

  /// Yes or no for each output, which losses on labels do not look at; one is not known.
  private static func values(_ columns: Int, using rng: inout Random) -> Matrix {
    var values = Matrix((0..<6).map { _ in (0..<columns).map { _ in Float(rng.index(below: 2)) } })
    values[3, columns / 2] = .nan
    return values
  }

  private static func differences(_ loss: inout some OutputLoss, _ logits: Matrix, _ target: LossTarget) -> [Double] {
    var differences: [Double] = []
    for row in 0..<logits.rows {
      for column in 0..<logits.columns {
        differences.append(
          centralDifference(step: 1 / 32) { h in
            var moved = logits
            moved[row, column] += Float(h)
            var ignored = Matrix(rows: logits.rows, columns: logits.columns)
            return loss.add(moved, target, to: &ignored)
          })
      }
    }
    return differences
  }

  private static func untouched(_ gradient: Matrix, _ target: LossTarget, _ what: String) -> [String] {
    for row in 0..<gradient.rows {
      for column in 0..<gradient.columns where gradient[row, column] != 0 {
        if !target.rows.contains(row) { return ["\(what): row \(row) was not meant and has a gradient"] }
        if !target.outputs.contains(column) { return ["\(what): column \(column) takes no part and has a gradient"] }
      }
    }
    return []
  }

  private static func keepsGradient(
    _ loss: inout some OutputLoss, _ logits: Matrix, _ target: LossTarget, _ alone: [Float], _ what: String
  ) -> [String] {
    var gradient = Matrix((0..<logits.rows).map { _ in [Float](repeating: 1, count: logits.columns) })
    _ = loss.add(logits, target, to: &gradient)
    let kept = zip(flat(gradient), alone).allSatisfy { abs($0 - 1 - $1) < 1e-5 }
    return kept ? [] : ["\(what): the gradient that was there is not kept"]
  }

  private static func flat(_ matrix: Matrix) -> [Float] { (0..<matrix.rows).flatMap(matrix.row) }
}
