/// What a composed learner answers.
extension ComposedLearner {
  public func predictableOutputs(knowing experience: Int?) -> Range<Int> {
    let outputs = way(for: experience).outputs
    guard setup.outputRule != .all, let seen = experiences.last?.seenOutputs else { return outputs }
    return outputs.clamped(to: seen)
  }

  public func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
    let model = predictingModel
    guard experience == nil, let chooser = roles.chooser, !experiences.isEmpty else {
      return predict(inputs, model, knowing: experience)
    }
    let ways = experiences.indices.map { way(for: $0) }
    return predict(inputs, model, by: chooser.choose(for: inputs, among: ways, model))
  }

  private func predict(_ inputs: Matrix, _ model: MLP, knowing experience: Int?) -> Matrix {
    let way = way(for: experience)
    let logits = model.logits(inputs, way)
    let predictable = predictableOutputs(knowing: experience)
    if way.outputs == predictable && logits.columns == setup.shape.outputs { return logits }
    return logits.spread(way.outputs, keeping: predictable, over: setup.shape.outputs)
  }

  /// Each row by the way of its task.
  private func predict(_ inputs: Matrix, _ model: MLP, by tasks: [Int]) -> Matrix {
    precondition(tasks.count == inputs.rows, "\(tasks.count) ways for \(inputs.rows) rows")
    var result = Matrix(rows: inputs.rows, columns: setup.shape.outputs)
    for task in Set(tasks) {
      let logits = predict(inputs, model, knowing: task)
      for row in tasks.indices where tasks[row] == task { result.copyRows(row..<(row + 1), of: logits, toRow: row) }
    }
    return result
  }

  /// The network with the parameters it predicts with.
  private var predictingModel: MLP {
    var copy = model
    guard let parameters = roles.predictingParameters else { return copy }
    copy.parameters.update(with: parameters) { $1 }
    return copy
  }
}
