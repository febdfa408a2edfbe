import PalimpsestCore

/// Many rows at once: what an evaluation asks.
extension PersonalModel {
  /// The likelier label of each row, as the person would get it now. Nothing is learned from them.
  /// - Parameter inputs: rows × features.
  public func answers(to inputs: Matrix) -> [Int] {
    let (experts, weights) = (safeguard.experts, safeguard.weights)
    var mixed = [Double](repeating: 0, count: inputs.rows * classes)
    for (place, expert) in experts.enumerated() where weights[place] > 0 {
      let logits = logits(inputs, as: expert)
      for row in 0..<inputs.rows {
        PersonalModel.shares(of: logits, row: row, isBinary: shape.isBinary) { label, p in
          mixed[row * classes + label] += weights[place] * p
        }
      }
    }
    return (0..<inputs.rows).map { mixed[($0 * classes)..<(($0 + 1) * classes)].likeliest }
  }

  private func logits(_ inputs: Matrix, as expert: Expert) -> Matrix {
    let stage = hasBegun ? PersonalModel.stage : 0
    return switch expert {
    case .population: shipped.predict(inputs, knowing: 0)
    case .snapshot: (snapshot ?? personal).predict(inputs, knowing: stage)
    case .candidate where update == nil && candidate != nil:
      (candidate ?? personal).predict(inputs, knowing: PersonalModel.stage)
    case .window where window != nil: (window ?? personal).predict(inputs, knowing: PersonalModel.stage)
    case .personal, .candidate, .window: personal.predict(inputs, knowing: stage)
    }
  }

  /// The likelier label of each row, as the shipped model has it.
  public func shippedAnswers(to inputs: Matrix) -> [Int] {
    PersonalModel.likeliest(shipped.predict(inputs, knowing: 0), isBinary: shape.isBinary)
  }

  private static func likeliest(_ logits: Matrix, isBinary: Bool) -> [Int] {
    (0..<logits.rows).map { row in
      isBinary ? (logits[row, 0] > 0 ? 1 : 0) : logits.largestColumn(inRow: row, of: 0..<logits.columns)
    }
  }

  /// −ln p of each row's label under the shipped model.
  public func shippedLosses(of rows: Rows) -> [Double] {
    let logits = shipped.predict(rows.batch.inputs, knowing: 0)
    return rows.labels.indices.map { row in
      var loss = 0.0
      PersonalModel.shares(of: logits, row: row, isBinary: shape.isBinary) { label, p in
        if label == Int(rows.labels[row]) { loss = -Elementary.log(max(p, .leastNormalMagnitude)) }
      }
      return loss
    }
  }

  /// What the answers are worth that are not the population model's, in what the person gets.
  public var personalWeight: Double {
    1 - zip(safeguard.experts, safeguard.weights).reduce(0) { $0 + ($1.0 == .population ? $1.1 : 0) }
  }
}
