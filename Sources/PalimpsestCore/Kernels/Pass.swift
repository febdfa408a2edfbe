import CKernels

/// Forward and backward passes of one ``Program``, with the memory they need.
///
/// One step's buffers are allocated once, for the largest batch seen. Not thread-safe: every run has its own.
struct Pass: Sendable {
  private(set) var program: Program
  private var values: [Matrix]
  private var derivatives: [Matrix]
  private var scratch: FloatBuffer
  private var written: [Bool]
  private var squaredInputs: FloatBuffer
  private var squaredDerivatives: FloatBuffer

  init(_ program: Program) {
    self.program = program
    values = program.widths.map { Matrix(rows: 0, columns: $0) }
    derivatives = values
    written = program.widths.map { _ in false }
    scratch = FloatBuffer(count: program.scratchFloats)
    squaredInputs = FloatBuffer(count: 0)
    squaredDerivatives = FloatBuffer(count: 0)
  }

  /// rows × outputs of the head, after ``forward(_:rows:at:)``.
  var logits: Matrix { values[program.logits] }
  /// rows × width of what entered the head.
  var penultimate: Matrix { values[program.penultimate] }

  /// Gives the logits and the buffer for their derivative to a loss, both in place.
  mutating func withLogits<R>(_ body: (Matrix, inout Matrix) -> R) -> R {
    body(values[program.logits], &derivatives[program.logits])
  }

  /// Computes every slot from rows of `inputs`.
  mutating func forward(_ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer) {
    precondition(inputs.columns == program.widths[0], "\(inputs.columns) inputs for a network of \(program.widths[0])")
    prepare(rows.count)
    values[0].copyRows(rows, of: inputs, toRow: 0)
    unsafe parameters.withPointer { theta in
      for step in program.steps { unsafe run(step, rows.count, theta) }
    }
  }

  /// Adds the gradient of every trained layer, from the derivative that the loss left in the logits' buffer.
  /// - Parameter overwriting: the gradient's tensors are written instead of added to (its other elements are not touched).
  mutating func backward(at parameters: FloatBuffer, to gradient: inout FloatBuffer, overwriting: Bool) {
    let rows = values[0].rows
    unsafe parameters.withPointer { theta in
      unsafe gradient.withMutablePointer { g in
        reverse { pass, dense in
          if dense.isTrained { unsafe pass.addGradient(dense, rows, g, overwriting) }
        } derivative: { pass, dense in
          unsafe pass.passDown(dense, rows, theta)
        }
      }
    }
  }

  /// Adds Σ_rows factor_row · (∂ℓ_row/∂θ)² of every trained layer: for a dense layer that is (X∘X)ᵀ(factor · D∘D), so no
  /// row needs a backward pass of its own.
  /// - Parameter factors: one a row.
  mutating func addSquaredGradients(at parameters: FloatBuffer, factors: [Float], to sum: inout FloatBuffer) {
    let rows = values[0].rows
    precondition(factors.count >= rows, "\(factors.count) factors for \(rows) rows")
    unsafe parameters.withPointer { theta in
      unsafe sum.withMutablePointer { g in
        reverse { pass, dense in
          if dense.isTrained { unsafe pass.addSquares(dense, rows, factors, g) }
        } derivative: { pass, dense in
          unsafe pass.passDown(dense, rows, theta)
        }
      }
    }
  }

  // MARK: - Forward

  private mutating func prepare(_ rows: Int) {
    guard values[0].rows != rows else { return }
    for slot in values.indices {
      values[slot].setRows(rows)
      derivatives[slot].setRows(rows)
    }
  }

  private mutating func run(_ step: Program.Step, _ rows: Int, _ theta: UnsafePointer<Float>) {
    switch step {
    case .dense(let dense):
      let layer = dense.layer
      unsafe KernelTable.current.pointee.affine(
        values[dense.source].address, theta + layer.weight, layer.bias.map { unsafe theta + $0 },
        values[dense.target].mutableAddress, rows, layer.inputs, layer.outputs, dense.activation.code,
        dense.accumulates ? 1 : 0)
    case .copy(let source, let target): values[target].values.copy(from: values[source].values)
    case .scale(let slot, let factor): values[slot].values.scale(by: factor)
    }
  }

  // MARK: - Backward

  /// Runs the steps in reverse. A slot's derivative is written by the last step that reads it and added to by the others.
  private mutating func reverse(
    gradient: (inout Pass, Program.DenseStep) -> Void, derivative: (inout Pass, Program.DenseStep) -> Void
  ) {
    for slot in written.indices { written[slot] = slot == program.logits }
    let (steps, firstTrained) = (program.steps, program.firstTrained)
    for index in stride(from: steps.count - 1, through: firstTrained, by: -1) {
      switch steps[index] {
      case .dense(let dense):
        activate(dense)
        gradient(&self, dense)
        if index > firstTrained && dense.source != 0 { derivative(&self, dense) }
      case .copy(let source, let target):
        if written[source] {
          let above = derivatives[target]
          derivatives[source].values.add(above.values)
        } else {
          derivatives[source].values.copy(from: derivatives[target].values)
        }
        written[source] = true
      case .scale(let slot, let factor): derivatives[slot].values.scale(by: factor)
      }
    }
  }

  /// The derivative before the nonlinearity, in place.
  private mutating func activate(_ dense: Program.DenseStep) {
    guard let activation = dense.activation else { return }
    unsafe KernelTable.current.pointee.activation_gradient(
      derivatives[dense.target].mutableAddress, values[dense.target].address, values[dense.target].values.count,
      activation.code)
  }

  private func addGradient(
    _ dense: Program.DenseStep, _ rows: Int, _ g: UnsafeMutablePointer<Float>, _ overwriting: Bool
  ) {
    let layer = dense.layer
    let accumulate: Int32 = overwriting ? 0 : 1
    let d = unsafe derivatives[dense.target].address
    if dense.trainsWeights {
      unsafe KernelTable.current.pointee.weight_gradient(
        values[dense.source].address, d, g + layer.weight, rows, layer.inputs, layer.outputs, accumulate)
    }
    if let bias = layer.bias, dense.trainsBias {
      unsafe KernelTable.current.pointee.bias_gradient(d, g + bias, rows, layer.outputs, accumulate)
    }
  }

  private mutating func addSquares(
    _ dense: Program.DenseStep, _ rows: Int, _ factors: [Float], _ g: UnsafeMutablePointer<Float>
  ) {
    let layer = dense.layer
    squaredInputs.resize(to: max(squaredInputs.count, rows * layer.inputs))
    squaredDerivatives.resize(to: max(squaredDerivatives.count, rows * layer.outputs))
    let kernels = unsafe KernelTable.current
    unsafe squaredInputs.withMutablePointer { xx in
      unsafe squaredDerivatives.withMutablePointer { dd in
        unsafe values[dense.source].values.withPointer { x in
          unsafe kernels.pointee.square_rows(x, nil, xx, rows, layer.inputs)
        }
        unsafe derivatives[dense.target].values.withPointer { d in
          unsafe factors.withUnsafeBufferPointer { f in
            unsafe kernels.pointee.square_rows(d, f.baseAddress, dd, rows, layer.outputs)
          }
        }
        unsafe kernels.pointee.weight_gradient(xx, dd, g + layer.weight, rows, layer.inputs, layer.outputs, 1)
        if let bias = layer.bias { unsafe kernels.pointee.bias_gradient(dd, g + bias, rows, layer.outputs, 1) }
      }
    }
  }

  private mutating func passDown(_ dense: Program.DenseStep, _ rows: Int, _ theta: UnsafePointer<Float>) {
    let layer = dense.layer
    let accumulate: Int32 = written[dense.source] ? 1 : 0
    let dx = unsafe derivatives[dense.source].mutableAddress
    unsafe scratch.withMutablePointer { scratch in
      unsafe KernelTable.current.pointee.input_gradient(
        derivatives[dense.target].address, theta + layer.weight, nil, dx, rows, layer.inputs, layer.outputs,
        Int32(PAL_LINEAR), accumulate, scratch)
    }
    written[dense.source] = true
  }
}

/// Addresses of a pass's slots: valid while the pass is being run, which neither resizes nor copies a slot meanwhile.
extension Matrix {
  fileprivate var address: UnsafePointer<Float> { unsafe values.withPointer { unsafe $0 } }
  fileprivate var mutableAddress: UnsafeMutablePointer<Float> {
    mutating get { unsafe values.withMutablePointer { unsafe $0 } }
  }
}

extension Optional<Activation> {
  fileprivate var code: Int32 {
    switch self {
    case nil: Int32(PAL_LINEAR)
    case .relu: Int32(PAL_RELU)
    case .tanh: Int32(PAL_TANH)
    }
  }
}

extension Activation {
  fileprivate var code: Int32 { Optional(self).code }
}

extension Program {
  fileprivate var scratchFloats: Int {
    steps.reduce(0) { most, step in
      guard case .dense(let dense) = step else { return most }
      return max(most, pal_scratch_floats(dense.layer.inputs, dense.layer.outputs))
    }
  }
}
