/// Sums over rows of the squares or the magnitudes of each row's own gradient: what diagonal Fisher information, and importance by
/// sensitivity (MAS), are made of.
///
/// Rows go through the network a block at a time; for every slope asked for, one backward pass serves the whole block, and the
/// products of inputs and derivatives, most of the work, are taken once for all slopes.
public struct RowGradientSums: Sendable {
  /// One element a parameter. Kept in double: sums over 10⁵ rows stay exact to 1e-7.
  public private(set) var sums: [Double]

  /// Work done so far: a forward pass a row, the derivatives passed down once a slope, and the products with the inputs, which
  /// all slopes of a row share but where each block's mean gradient is squared.
  public private(set) var work = Work()

  private let measure: RowMeasure
  private let parameters: FloatBuffer
  private var pass: Pass
  private var block: FloatBuffer
  private var batch: Batch

  /// What is differentiated in a block: for each row Σ_outputs slope · logit, and how much the row counts.
  public struct Slopes {
    /// ∂/∂logits, rows × outputs of the way.
    public let slopes: Matrix
    /// One a row; 0 is allowed.
    public let factors: [Float]

    public init(_ slopes: Matrix, factors: [Float]) {
      self.slopes = slopes
      self.factors = factors
    }

    /// With every factor multiplied.
    public func times(_ factor: Float) -> Slopes { Slopes(slopes, factors: factors.map { $0 * factor }) }
  }

  public init(_ network: Network, _ way: Program, _ measure: RowMeasure) {
    self.measure = measure
    parameters = network.model.parameters
    pass = Pass(way)
    block = FloatBuffer(count: parameters.count)
    sums = [Double](repeating: 0, count: parameters.count)
    batch = Batch(columns: network.model.shape.inputs)
  }

  /// Adds Σ_rows Σ_slopes factor · h(∂/∂θ), `blockRows` rows at a time.
  /// - Parameter slopes: for a block's logits and its first row, what to differentiate.
  public mutating func add(_ rows: Rows, blockRows: Int = Network.block, slopes: (Matrix, Int) -> [Slopes]) {
    for first in stride(from: 0, to: rows.count, by: blockRows) {
      let range = load(rows, first, blockRows)
      block.fill(0)
      pass.clearSums()
      let draws = slopes(pass.logits, first)
      charge(range.count, passesDown: draws.count, products: 1)
      for draw in draws {
        pass.setSlopes(draw.slopes)
        pass.addMeasures(measure, batch.inputs, rows: range, at: parameters, factors: draw.factors)
      }
      pass.addRowSums(measure, batch.inputs, rows: range, to: &block)
      addBlock { $0 }
    }
  }

  /// Adds h of each block's mean gradient instead: of squares that is the batched rule, which shrinks with the block's size near
  /// an optimum.
  public mutating func addBatched(_ rows: Rows, blockRows: Int, slopes: (Matrix, Int) -> [Slopes]) {
    let isSquare = measure == .squares
    for first in stride(from: 0, to: rows.count, by: blockRows) {
      let range = load(rows, first, blockRows)
      let draws = slopes(pass.logits, first)
      charge(range.count, passesDown: draws.count, products: draws.count)
      for draw in draws {
        pass.setSlopes(draw.slopes, times: draw.factors.map { $0 * (1 / Float(range.count)) })
        pass.backward(batch.inputs, rows: range, at: parameters, to: &block, overwriting: true)
        addBlock { isSquare ? $0 * $0 : $0.magnitude }
      }
    }
  }

  /// Of a training step a third kind of product remains beside the forward pass and the gradients, which are as many.
  private mutating func charge(_ rows: Int, passesDown: Int, products: Int) {
    let forward = pass.program.multiplyAdds
    let down = pass.program.trainingMultiplyAdds - 2 * forward
    work.multiplyAdds += rows * (forward * (1 + products) + down * passesDown)
  }

  /// Takes the rows of a block through the network.
  private mutating func load(_ rows: Rows, _ first: Int, _ blockRows: Int) -> Range<Int> {
    let range = first..<min(first + blockRows, rows.count)
    batch.fill(rows, range: range)
    pass.forward(batch.inputs, rows: 0..<range.count, at: parameters)
    return 0..<range.count
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
  /// The derivative of the logits.
  fileprivate mutating func setSlopes(_ slopes: Matrix, times factors: [Float]? = nil) {
    withLogits { logits, derivative in
      precondition(
        slopes.rows == logits.rows && slopes.columns == logits.columns,
        "slopes of \(slopes.rows) × \(slopes.columns) for logits of \(logits.rows) × \(logits.columns)")
      derivative.copyRows(0..<slopes.rows, of: slopes, toRow: 0)
      guard let factors else { return }
      for row in 0..<slopes.rows {
        for column in 0..<slopes.columns { derivative[row, column] *= factors[row] }
      }
    }
  }
}
