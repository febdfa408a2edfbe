import PalimpsestCore
import PalimpsestScenarios

/// What a model says of one row.
public struct Prediction: Sendable, Equatable {
  /// The answer: the label where there is one output, else the most probable class; nil where a row has any number of labels, or
  /// values.
  public let output: Int?
  /// Of label 1 alone where there is one output, else one a class, 0 for classes that may not be answered, or one a label. None of
  /// values.
  public let probabilities: [Double]
  /// What is said of each output where these are values.
  public let values: [Double]

  init(output: Int? = nil, probabilities: [Double] = [], values: [Double] = []) {
    self.output = output
    self.probabilities = probabilities
    self.values = values
  }
}

extension SavedModel {
  /// The logits of rows as the learner gives them, −∞ for an output that cannot be answered.
  /// - Parameters:
  ///   - values: rows × ``About/columns``, as in the user's file: the model's own scale is applied here.
  ///   - task: the task the rows belong to; nil: unknown.
  public func logits(_ values: Matrix, task: Int?) -> Matrix {
    learner.predict(inputs(values, task: task), knowing: task)
  }

  /// Rows as the learner saw them in training. Pixels are moved before they are scaled: a margin is a pixel of value 0.
  private func inputs(_ values: Matrix, task: Int?) -> Matrix {
    let order = task.map { about.tasks[$0].columnOrder } ?? nil
    guard let inputs = about.inputs else { return values.inOrder(order) }
    guard inputs.scales.count == 1 else { return inputs.scaled(values).inOrder(order) }
    let turned = task.flatMap { inputs.turns?.turned(values, task: $0) }
    return inputs.scaled(turned ?? values.inOrder(order))
  }

  /// Answers and probabilities of rows.
  public func predictions(_ values: Matrix, task: Int?) -> [Prediction] {
    let logits = logits(values, task: task)
    let numbers = { (row: Int) in logits.row(row).map(Double.init) }
    switch about.shape.target {
    case .classes: return answers(logits, task: task)
    case .binary:
      return (0..<logits.rows).map { row in
        Prediction(output: logits[row, 0] > 0 ? 1 : 0, probabilities: numbers(row).map(probability))
      }
    case .multiLabel: return (0..<logits.rows).map { Prediction(probabilities: numbers($0).map(probability)) }
    case .values: return (0..<logits.rows).map { Prediction(values: numbers($0)) }
    }
  }

  private func probability(_ z: Double) -> Double { 1 / (1 + Elementary.exp(-z)) }

  /// One class a row.
  private func answers(_ logits: Matrix, task: Int?) -> [Prediction] {
    let candidates = task.map { about.tasks[$0].candidates } ?? 0..<about.shape.outputs
    let answers = candidates.clamped(to: learner.predictableOutputs(knowing: task))
    return (0..<logits.rows).map { logits.softmax(row: $0, among: answers.isEmpty ? candidates : answers) }
  }
}

extension Matrix {
  /// The columns in another order; −1 gives 0.
  fileprivate func inOrder(_ order: [Int32]?) -> Matrix {
    guard let order else { return self }
    var result = Matrix(rows: rows, columns: order.count)
    for row in 0..<rows {
      for (column, source) in order.enumerated() where source >= 0 { result[row, column] = self[row, Int(source)] }
    }
    return result
  }

  fileprivate func softmax(row: Int, among answers: Range<Int>) -> Prediction {
    let best = largestColumn(inRow: row, of: answers)
    let weights = (0..<columns).map { column in
      answers.contains(column) ? Elementary.exp(Double(self[row, column]) - Double(self[row, best])) : 0
    }
    let sum = weights.reduce(0, +)
    return Prediction(output: best, probabilities: weights.map { $0 / sum })
  }
}
