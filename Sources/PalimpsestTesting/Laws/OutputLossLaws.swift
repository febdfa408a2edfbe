import PalimpsestCore

/// The laws of ``PalimpsestCore/OutputLoss``: its gradient is the derivative of its value; it adds to the gradient;
/// rows and columns that were not meant keep theirs (a loss with a teacher may hold all outputs seen); asking twice gives the same.
public enum OutputLossLaws {
  /// Checks a loss in its second task on random logits of 1, 2 and 10 columns, over all outputs and over a range of them, for all rows
  /// and some, with labels and with a value for each output; three rows are new and three came back from memory, some with stored
  /// logits, and its teachers say something of each.
  ///
  /// - Returns: one sentence for each violation; empty where the laws hold.
  public static func violations(of loss: some OutputLoss) -> [String] {
    let cases = [(1, 0..<1), (2, 0..<2), (10, 0..<10), (10, 3..<7), (10, 8..<10)]
    return cases.flatMap { columns, outputs in
      [0..<6, 2..<5].flatMap { check(loss, columns: columns, outputs: outputs, rows: $0) }
    }
  }

  private static func check<L: OutputLoss>(
    _ fresh: L, columns: Int, outputs: Range<Int>, rows: Range<Int>
  ) -> [String] {
    var rng = Seed(31).stream("loss laws", columns)
    var loss = taught(fresh, columns: columns, outputs: outputs, using: &rng)
    let logits = LawWorld.inputs(6, columns: columns, rng)
    let target = target(columns, outputs, rows, loss, using: &rng)
    var gradient = Matrix(rows: 6, columns: columns)
    let value = loss.add(logits, target, to: &gradient)
    let what = "\(L.name), \(columns) columns, outputs \(outputs), rows \(rows)"
    guard gradient.rows == logits.rows && gradient.columns == logits.columns else {
      return ["\(what): a gradient of 6 × \(columns) became one of \(gradient.rows) × \(gradient.columns)"]
    }
    var again = Matrix(rows: 6, columns: columns)
    let twice = loss.add(logits, target, to: &again)
    return (twice == value && again == gradient ? [] : ["\(what): asking twice gives two answers"])
      + gradientViolations(what, gradient: flat(gradient), differences: differences(&loss, logits, target))
      + untouched(gradient, target, what) + keepsGradient(&loss, logits, target, flat(gradient), what)
  }

  /// The loss in its second task.
  private static func taught<L: OutputLoss>(
    _ fresh: L, columns: Int, outputs: Range<Int>, using rng: inout Random
  ) -> L {
    var loss = fresh
    let shape = TaskShape(inputs: 3, outputs: columns)
    let model = MLP(shape: shape, hidden: [4], using: &rng)
    let first = outputs.lowerBound > 0 ? 0..<outputs.lowerBound : outputs
    let infos = [first, outputs].enumerated().map { index, own in
      ExperienceInfo(index: index, name: "task", outputs: own, seenOutputs: 0..<own.upperBound, rows: 2)
    }
    loss.begin(infos[0], model)
    loss.consolidate(
      EndedExperience(
        info: infos[0], data: Rows(Matrix(rows: 2, columns: 3), labels: [0, 0], experience: 0), network: Network(model),
        way: model.plainProgram, outputs: first), using: &rng)
    loss.begin(infos[1], model)
    return loss
  }

  private static func target(
    _ columns: Int, _ outputs: Range<Int>, _ rows: Range<Int>, _ loss: some OutputLoss, using rng: inout Random
  ) -> LossRows {
    var target = LossRows(
      labels: (0..<6).map { Int32(columns == 1 ? $0 % 2 : outputs.lowerBound + $0 % outputs.count) },
      weights: (0..<6).map { _ in 0.5 + rng.uniformFloat() }, rows: rows, outputs: outputs,
      values: values(columns, using: &rng))
    target.target = columns == 1 ? .binary : .classes(columns)
    target.task = 1
    target.tasks = [1, 1, 1, 0, 0, 0]
    target.new = 0..<3
    target.draws = (loss.shares?.draws ?? [1]).indices.map { $0 == 0 ? 3..<6 : 6..<6 }
    target.drawn = target.draws.map(\.count)
    target.ownWeights = (0..<6).map { _ in 0.5 + rng.uniformFloat() }
    target.seen = 0..<outputs.upperBound
    target.inputs = LawWorld.inputs(6, columns: 3, rng)
    target.features = LawWorld.inputs(6, columns: 4, rng)
    target.answers = LawWorld.inputs(6, columns: columns, Seed(32).stream("answers"))
    for column in 0..<columns { target.answers?[4, column] = .nan }
    target.answers?[3, outputs.upperBound - 1] = .nan
    target.teachers = loss.teachers.indices.map { LawWorld.inputs(6, columns: columns, Seed(33).stream("teacher", $0)) }
    return target
  }

  /// Yes or no for each output, which losses on labels do not look at; one is not known.
  private static func values(_ columns: Int, using rng: inout Random) -> Matrix {
    var values = Matrix((0..<6).map { _ in (0..<columns).map { _ in Float(rng.index(below: 2)) } })
    values[3, columns / 2] = .nan
    return values
  }

  private static func differences(_ loss: inout some OutputLoss, _ logits: Matrix, _ target: LossRows) -> [Double] {
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

  private static func untouched(_ gradient: Matrix, _ target: LossRows, _ what: String) -> [String] {
    for row in 0..<gradient.rows {
      for column in 0..<gradient.columns where gradient[row, column] != 0 {
        if !target.rows.contains(row) { return ["\(what): row \(row) was not meant and has a gradient"] }
        let isHeld = !target.teachers.isEmpty && target.seen.contains(column)
        if !target.outputs.contains(column) && !isHeld {
          return ["\(what): column \(column) takes no part and has a gradient"]
        }
      }
    }
    return []
  }

  private static func keepsGradient(
    _ loss: inout some OutputLoss, _ logits: Matrix, _ target: LossRows, _ alone: [Float], _ what: String
  ) -> [String] {
    var gradient = Matrix((0..<logits.rows).map { _ in [Float](repeating: 1, count: logits.columns) })
    _ = loss.add(logits, target, to: &gradient)
    let kept = zip(flat(gradient), alone).allSatisfy { abs($0 - 1 - $1) < 1e-5 }
    return kept ? [] : ["\(what): the gradient that was there is not kept"]
  }

  private static func flat(_ matrix: Matrix) -> [Float] { (0..<matrix.rows).flatMap(matrix.row) }
}
