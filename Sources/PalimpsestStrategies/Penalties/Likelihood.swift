import PalimpsestCore

/// What a network says of a task's targets, and how its log-likelihood changes with the logits: ∂ ln p(y)/∂z, up to the sign that a
/// square does not see. Classes are drawn from the softmax over the outputs that take part, labels of one output or of many from
/// logistic probabilities, values from a normal law of variance 1 about the output.
struct Likelihood {
  private let target: TaskTarget
  /// Columns of the logits that take part.
  private let outputs: Range<Int>
  /// The way's first output within the scenario's.
  private let firstOutput: Int
  private let targets: Targets

  init(_ ended: EndedExperience, _ rows: Rows) {
    target = ended.network.model.shape.target
    outputs = ended.outputs
    firstOutput = ended.way.outputs.lowerBound
    targets = rows.targets
  }

  /// What to differentiate for a block of logits whose first row is row `first` of all, under a rule for the targets.
  func slopes(
    _ logits: Matrix, from first: Int, _ labels: Fisher.Labels, using rng: inout Random
  ) -> [RowGradientSums.Slopes] {
    switch target {
    case .binary, .classes: labelSlopes(probabilities(logits), first, labels, using: &rng)
    case .multiLabel, .values: valueSlopes(logits, first, labels, using: &rng)
    }
  }

  // MARK: - One label a row

  private func probabilities(_ logits: Matrix) -> Matrix {
    var p = logits
    if p.columns == 1 { p.applySigmoid() } else { p.applySoftmax(over: outputs) }
    return p
  }

  private func labelSlopes(
    _ p: Matrix, _ first: Int, _ labels: Fisher.Labels, using rng: inout Random
  ) -> [RowGradientSums.Slopes] {
    let rows = 0..<p.rows
    switch labels {
    case .exact:
      return (p.columns == 1 ? 0..<2 : outputs).map { label in
        slopes(p, rows.map { _ in Int32(label) }, factors: rows.map { p.probability(of: label, inRow: $0) })
      }
    case .sampled: return [slopes(p, rows.map { p.drawLabel(inRow: $0, among: outputs, using: &rng) })]
    case .empirical: return [slopes(p, rows.map { label(of: first + $0) })]
    case .predicted: return [slopes(p, rows.map { p.mostProbable(inRow: $0, among: outputs) })]
    }
  }

  private func label(of row: Int) -> Int32 {
    guard case .labels(let labels) = targets else { return 0 }
    return labels[row] - Int32(firstOutput)
  }

  /// p − one-hot
  private func slopes(_ p: Matrix, _ labels: [Int32], factors: [Float]? = nil) -> RowGradientSums.Slopes {
    var d = Matrix(rows: p.rows, columns: p.columns)
    for row in 0..<p.rows {
      if p.columns == 1 {
        d[row, 0] = p[row, 0] - Float(labels[row])
      } else {
        for c in outputs { d[row, c] = p[row, c] - (Int(labels[row]) == c ? 1 : 0) }
      }
    }
    return RowGradientSums.Slopes(d, factors: factors ?? [Float](repeating: 1, count: p.rows))
  }

  // MARK: - A value for each output

  private func valueSlopes(
    _ z: Matrix, _ first: Int, _ labels: Fisher.Labels, using rng: inout Random
  ) -> [RowGradientSums.Slopes] {
    var mean = z
    if case .multiLabel = target { mean.applySigmoid() }
    guard labels == .exact else {
      var d = Matrix(rows: z.rows, columns: z.columns)
      for row in 0..<z.rows {
        for c in outputs { d[row, c] = residual(mean[row, c], row: first + row, c, labels, using: &rng) }
      }
      return [RowGradientSums.Slopes(d, factors: [Float](repeating: 1, count: z.rows))]
    }
    // The outputs are independent: Σ_outputs (∂z/∂θ)² times the variance of the slope, p(1 − p) or 1.
    return outputs.map { output in
      var d = Matrix(rows: z.rows, columns: z.columns)
      for row in 0..<z.rows { d[row, output] = 1 }
      return RowGradientSums.Slopes(d, factors: (0..<z.rows).map { variance(mean[$0, output]) })
    }
  }

  private func variance(_ mean: Float) -> Float { if case .multiLabel = target { mean * (1 - mean) } else { 1 } }

  /// What the output is off the value that the rule takes.
  private func residual(
    _ mean: Float, row: Int, _ column: Int, _ labels: Fisher.Labels, using rng: inout Random
  ) -> Float {
    switch (labels, target) {
    case (.empirical, _):
      guard case .values(let values) = targets else { return 0 }
      let value = values[row, firstOutput + column]
      return value.isNaN ? 0 : mean - value
    case (.predicted, .multiLabel): return mean - (mean > 0.5 ? 1 : 0)
    case (.predicted, _): return 0
    case (_, .multiLabel): return mean - (rng.uniform() < Double(mean) ? 1 : 0)
    default: return Float(rng.normal())
    }
  }
}

/// A row of probabilities; a single column holds that of label 1.
extension Matrix {
  fileprivate func probability(of label: Int, inRow row: Int) -> Float {
    guard columns == 1 else { return self[row, label] }
    return label == 1 ? self[row, 0] : 1 - self[row, 0]
  }

  fileprivate func mostProbable(inRow row: Int, among outputs: Range<Int>) -> Int32 {
    guard columns == 1 else { return Int32(largestColumn(inRow: row, of: outputs)) }
    return self[row, 0] > 0.5 ? 1 : 0
  }

  fileprivate func drawLabel(inRow row: Int, among outputs: Range<Int>, using rng: inout Random) -> Int32 {
    var rest = rng.uniform()
    let labels = columns == 1 ? 0..<2 : outputs
    for label in labels.dropLast() {
      rest -= Double(probability(of: label, inRow: row))
      if rest < 0 { return Int32(label) }
    }
    return Int32(labels.upperBound - 1)
  }
}
