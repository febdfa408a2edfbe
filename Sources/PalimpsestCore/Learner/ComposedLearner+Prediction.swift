/// What a composed learner answers.
extension ComposedLearner {
  public func predictableOutputs(knowing experience: Int?) -> Range<Int> {
    if let asked, asked.experience == experience { return asked.outputs }
    let outputs = way(for: experience).outputs
    guard setup.outputRule != .all, let seen = experiences.last?.seenOutputs else { return outputs }
    return outputs.clamped(to: seen)
  }

  /// What comes out of each hidden layer for some rows, rows × units, with the parameters that predict and by the way of their task; where
  /// a part chooses a row's way, by the one that is taken without it.
  package func activations(_ inputs: Matrix, knowing experience: Int?) -> [Matrix] {
    let way = way(for: experience)
    var network = Network(predictingModel)
    return way.hiddenSlots.map { network.activations(inputs, way, of: $0) }
  }

  /// The norm of what stands in the places of each hidden layer's weights on the way of a task, biases left out.
  /// - Parameter vector: as long as the parameters: these themselves, or a gradient.
  package func hiddenWeightNorms(of vector: FloatBuffer, knowing experience: Int?) -> [Double] {
    way(for: experience).steps.compactMap { step in
      guard case .dense(let dense) = step, dense.activation != nil else { return nil }
      return vector.withSpan { span in
        dense.layer.weightRange.reduce(0.0) { $0 + Double(span[$1]) * Double(span[$1]) }.squareRoot()
      }
    }
  }

  /// Adds ∂/∂θ of Σ −ln p(label) over some rows with a label each, at the trained parameters and by the way that ``activations(_:knowing:)``
  /// takes; p is among the outputs that may be answered, as where answers are judged. What a mask keeps from training counts too.
  /// - Parameters:
  ///   - candidates: outputs that may be answered, as far as they can be predicted.
  ///   - gradient: as long as the parameters.
  /// - Returns: false where a label is none of these outputs; nothing is added then.
  /// - Cost: a forward and a backward pass, and room for all rows at once.
  package func addLogLossGradient(
    of inputs: Matrix, labels: [Int32], among candidates: Range<Int>, knowing experience: Int?,
    to gradient: inout FloatBuffer
  ) -> Bool {
    let way = way(for: experience)
    let outputs = way.columns(of: candidates.clamped(to: predictableOutputs(knowing: experience)))
    let (first, isBinary) = (Int32(way.outputs.lowerBound), setup.shape.isBinary)
    let columns = isBinary ? labels : labels.map { $0 - first }
    guard isBinary || columns.allSatisfy({ outputs.contains(Int($0)) }) else { return false }
    let weights = [Float](repeating: 1, count: labels.count)
    let rows = LossRows(labels: columns, weights: weights, rows: labels.indices, outputs: outputs)
    var network = Network(model)
    _ = network.gradient(of: inputs, way, into: &gradient) { CrossEntropy.differentiate($0, rows, to: &$1) }
    return true
  }

  /// Multiply-adds of an answer to one row; nil where a part chooses the row's way, which takes more.
  package func multiplyAdds(answering experience: Int?) -> Int? {
    experience == nil && roles.chooser != nil ? nil : way(for: experience).multiplyAdds
  }

  public func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix {
    let model = predictingModel
    guard experience == nil, let chooser = roles.chooser, !experiences.isEmpty else {
      return predict(inputs, model, knowing: experience)
    }
    let ways = experiences.indices.map { way(for: $0) }
    return predict(inputs, model, by: chooser.choose(for: inputs, among: ways, model))
  }

  /// - Cost: that of the pass alone, without an allocation, where all outputs are predicted by one way with the network's own parameters.
  public mutating func answer(_ inputs: Matrix, knowing experience: Int?, into logits: inout Matrix) {
    if asked.map({ $0.experience != experience }) ?? true { asked = askedWay(experience) }
    guard let pass = asked?.pass, roles.predictingParameters == nil else {
      logits = predict(inputs, knowing: experience)
      return
    }
    network.answer(inputs, at: pass, into: &logits)
  }

  private mutating func askedWay(_ experience: Int?) -> AskedWay {
    let way = way(for: experience)
    asked = nil
    let outputs = predictableOutputs(knowing: experience)
    let isWhole = way.outputs == outputs && way.outputs == 0..<setup.shape.outputs
    let isChosen = experience == nil && roles.chooser != nil && !experiences.isEmpty
    return AskedWay(
      experience: experience, outputs: outputs, pass: isWhole && !isChosen ? network.enter(way) : nil)
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

/// Where rows of a task go through, asked about one by one.
struct AskedWay: Sendable {
  let experience: Int?
  /// Those that can be predicted.
  let outputs: Range<Int>
  /// The place of the way's pass; nil: it takes more than one pass.
  let pass: Int?
}
