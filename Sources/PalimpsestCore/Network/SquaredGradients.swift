/// Sums of squared per-row gradients of the log-likelihood: what diagonal Fisher information is made of.
///
/// Rows go through the network a block at a time; for every label asked for, one backward pass serves the whole block, and
/// the products of inputs and derivatives, most of the work, are taken once for all labels.
public struct SquaredGradients: Sendable {
  /// Σ_rows weight · (∂ log p(label | row) / ∂θ)², one element a parameter. Kept in double: sums over 10⁵ rows stay exact to 1e-7.
  public private(set) var sums: [Double]

  /// Work done so far: a forward pass a row, the derivatives passed down once a label, and the products with the inputs,
  /// which all labels of a row share but where each block's mean gradient is squared.
  public private(set) var multiplyAdds = 0

  private let model: MLP
  private let outputs: Range<Int>
  private let program: Program
  private var pass: Pass
  private var block: FloatBuffer
  private var batch: Batch

  /// - Parameters:
  ///   - outputs: the columns of the route's logits that the softmax runs over.
  public init(_ model: MLP, _ route: Route, outputs: Range<Int>) {
    self.model = model
    self.outputs = outputs
    program = Program(route, activation: model.activation)
    pass = Pass(program)
    block = FloatBuffer(count: model.parameters.count)
    sums = [Double](repeating: 0, count: model.parameters.count)
    batch = Batch(columns: model.shape.inputs)
  }

  /// Adds rows, `blockRows` at a time.
  ///
  /// - Parameters:
  ///   - labels: for a block's probabilities (rows × columns of the head; with one column p(1)) and its first row, the
  ///     labels to take with a weight a row each. Weights of 0 are allowed.
  public mutating func add(
    _ rows: Rows, blockRows: Int = 256, labels: (Matrix, Int) -> [(labels: [Int32], weights: [Float])]
  ) {
    for first in stride(from: 0, to: rows.count, by: blockRows) {
      let range = first..<min(first + blockRows, rows.count)
      load(rows, range)
      let probabilities = probabilities()
      block.fill(0)
      pass.clearSquares()
      let draws = labels(probabilities, first)
      charge(range.count, passesDown: draws.count, products: 1)
      for draw in draws {
        setDerivative(probabilities, draw.labels)
        pass.addSquaredDerivatives(
          batch.inputs, rows: 0..<range.count, at: model.parameters, factors: draw.weights)
      }
      pass.addSquaredGradients(batch.inputs, rows: 0..<range.count, to: &block)
      addBlock { $0 }
    }
  }

  /// Adds the square of each block's mean gradient: the batched rule, which shrinks with the block's size near an optimum.
  public mutating func addBatched(
    _ rows: Rows, blockRows: Int, labels: (Matrix, Int) -> [(labels: [Int32], weights: [Float])]
  ) {
    for first in stride(from: 0, to: rows.count, by: blockRows) {
      let range = first..<min(first + blockRows, rows.count)
      load(rows, range)
      let probabilities = probabilities()
      let draws = labels(probabilities, first)
      charge(range.count, passesDown: draws.count, products: draws.count)
      for draw in draws {
        setDerivative(probabilities, draw.labels)
        let share = 1 / Float(range.count)
        pass.scaleDerivatives(by: draw.weights.map { $0 * share })
        pass.backward(batch.inputs, rows: 0..<range.count, at: model.parameters, to: &block, overwriting: true)
        addBlock { $0 * $0 }
      }
    }
  }

  /// Of a training step a third kind of product remains beside the forward pass and the gradients, which are as many.
  private mutating func charge(_ rows: Int, passesDown: Int, products: Int) {
    let forward = program.multiplyAdds
    let down = program.trainingMultiplyAdds - 2 * forward
    multiplyAdds += rows * (forward * (1 + products) + down * passesDown)
  }

  private mutating func load(_ rows: Rows, _ range: Range<Int>) {
    batch.fill(rows, range: range)
    pass.forward(batch.inputs, rows: 0..<range.count, at: model.parameters)
  }

  private func probabilities() -> Matrix {
    var p = pass.logits
    if p.columns == 1 { p.applySigmoid() } else { p.applySoftmax(over: outputs) }
    return p
  }

  /// ∂ log p(label)/∂z = one-hot − p; its sign does not matter to a square.
  private mutating func setDerivative(_ p: Matrix, _ labels: [Int32]) {
    let outputs = outputs
    pass.withLogits { _, d in
      for row in 0..<p.rows {
        if p.columns == 1 {
          d[row, 0] = p[row, 0] - Float(labels[row])
        } else {
          for c in 0..<p.columns {
            d[row, c] = outputs.contains(c) ? p[row, c] - (Int(labels[row]) == c ? 1 : 0) : 0
          }
        }
      }
    }
  }

  @inline(__always)
  private mutating func addBlock(_ value: (Float) -> Float) {
    block.withSpan { block in
      var sums = sums.mutableSpan
      for i in 0..<min(block.count, sums.count) { sums[i] += Double(value(block[i])) }
    }
  }
}

extension Pass {
  /// Multiplies each row of the logits' derivative by its own factor.
  fileprivate mutating func scaleDerivatives(by factors: [Float]) {
    withLogits { _, d in
      for row in 0..<d.rows {
        for c in 0..<d.columns { d[row, c] *= factors[row] }
      }
    }
  }
}
