import CKernels

/// Forward and backward passes of one ``Program``, with the memory they need.
///
/// The memory is allocated once, for the largest batch seen. Inputs are read where they are. Not thread-safe: every run has
/// its own.
struct Pass: Sendable {
  let program: Program
  /// Rows that the slots hold now.
  private(set) var rows = 0
  /// rows × outputs of the head, after ``forward(_:rows:at:)``.
  private(set) var logits: Matrix
  private var derivative: Matrix
  /// Slot after slot the values, then their derivatives; inputs and logits have places of their own.
  private var arena = FloatBuffer(count: 0)
  /// Where a slot's values begin in the arena.
  private var starts: [Int]
  /// From a slot's values to their derivatives.
  private var derivatives = 0
  private var scratch: FloatBuffer
  /// For squared gradients: layer after layer Σ factor · D∘D, then room for the squares of one layer.
  private var squares = FloatBuffer(count: 0)
  /// Where a step's part of `squares` begins.
  private var squareStarts: [Int] = []

  init(_ program: Program) {
    self.program = program
    logits = Matrix(rows: 0, columns: program.widths[program.logits])
    derivative = logits
    starts = program.widths.map { _ in 0 }
    scratch = FloatBuffer(count: program.scratchFloats)
  }

  /// Gives the logits and the buffer for their derivative to a loss, both in place.
  mutating func withLogits<R>(_ body: (Matrix, inout Matrix) -> R) -> R { body(logits, &derivative) }

  /// Computes every slot from rows of `inputs`.
  mutating func forward(_ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer) {
    precondition(inputs.columns == program.widths[0], "\(inputs.columns) inputs for a network of \(program.widths[0])")
    precondition(rows.lowerBound >= 0 && rows.upperBound <= inputs.rows, "rows \(rows) of \(inputs.rows)")
    prepare(rows.count)
    let slots = unsafe addresses(inputs, rows)
    unsafe parameters.withPointer { theta in
      for index in program.steps.indices { unsafe run(program.steps[index], slots, theta) }
    }
  }

  /// Adds the gradient of every trained layer, from the derivative that the loss left in the logits' buffer.
  /// - Parameters:
  ///   - inputs: as in the forward pass, and so are `rows`.
  ///   - overwriting: the gradient's tensors are written instead of added to (its other elements are not touched).
  mutating func backward(
    _ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer, to gradient: inout FloatBuffer, overwriting: Bool
  ) {
    let slots = unsafe backwardAddresses(inputs, rows)
    unsafe gradient.withMutablePointer { g in
      unsafe parameters.withPointer { theta in
        _ = unsafe reverse(slots, theta, .plain(g, overwriting: overwriting))
      }
    }
  }

  /// The same in a step that trains all parameters: the weights of wide layers are updated here, each as soon as nothing needs
  /// its old value; all other gradients wait in their places. Every tensor is written, or spoilt where its layer is wide.
  /// - Parameters:
  ///   - parameters: those that `update` updates.
  /// - Returns: Σ importance ∘ (θ − anchor)² of the weights updated.
  mutating func learn(
    _ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer, to gradient: inout FloatBuffer,
    _ update: FusedUpdate
  ) -> Double {
    let slots = unsafe backwardAddresses(inputs, rows)
    return unsafe gradient.withMutablePointer { g in
      unsafe parameters.withPointer { theta in
        unsafe reverse(slots, theta, .plain(g, overwriting: true), update)
      }
    }
  }

  /// Forgets the squared derivatives of the rows before: what ``addSquaredDerivatives(_:rows:at:factors:)`` begins with.
  mutating func clearSquares() {
    var length = 0
    squareStarts = program.steps.map { step in
      guard case .dense(let dense) = step else { return length }
      defer { length += rows * dense.layer.outputs }
      return length
    }
    let room = rows * program.widest
    if squares.count < length + room { squares.resize(to: length + room) }
    squares.fill(0)
  }

  /// Adds factor_row · D∘D of every trained layer, from the derivative that the loss left in the logits' buffer.
  /// - Parameters:
  ///   - inputs: as in the forward pass, and so are `rows`.
  ///   - factors: one a row.
  mutating func addSquaredDerivatives(
    _ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer, factors: [Float]
  ) {
    precondition(factors.count >= self.rows, "\(factors.count) factors for \(self.rows) rows")
    let room = squares.count - self.rows * program.widest
    let slots = unsafe backwardAddresses(inputs, rows)
    let sums = unsafe squares.withMutablePointer { unsafe $0 }
    unsafe parameters.withPointer { theta in
      unsafe factors.withUnsafeBufferPointer { factors in
        _ = unsafe reverse(slots, theta, .squared(sums, factors: factors.baseAddress, sums + room))
      }
    }
  }

  /// Adds Σ_rows Σ_labels factor · (∂ℓ/∂θ)² of every trained layer: for a dense layer that is (X∘X)ᵀ(Σ_labels factor · D∘D), so
  /// no row needs a backward pass of its own, and all labels share the product.
  /// - Parameter inputs: as in the forward pass, and so are `rows`.
  mutating func addSquaredGradients(_ inputs: Matrix, rows: Range<Int>, to sum: inout FloatBuffer) {
    let room = squares.count - self.rows * program.widest
    let slots = unsafe addresses(inputs, rows)
    let dd = unsafe squares.withMutablePointer { unsafe $0 }
    unsafe sum.withMutablePointer { g in
      for (index, step) in program.steps.enumerated() {
        guard case .dense(let dense) = step, dense.isTrained else { continue }
        unsafe addSquares(dense, slots, dd + room, dd + squareStarts[index], g)
      }
    }
  }

  /// What entered the head.
  /// - Parameter inputs: as in the forward pass, and so are `rows`.
  func penultimate(_ inputs: Matrix, rows: Range<Int>) -> Matrix {
    let slot = program.penultimate
    var copy = Matrix(rows: self.rows, columns: program.widths[slot])
    guard slot != 0 else {
      copy.copyRows(rows, of: inputs, toRow: 0)
      return copy
    }
    let count = copy.values.count
    unsafe copy.values.withMutablePointer { to in
      unsafe arena.withPointer { from in unsafe to.update(from: from + starts[slot], count: count) }
    }
    return copy
  }

  // MARK: - Memory

  /// Places for so many rows; each begins on a cache line.
  private mutating func prepare(_ rows: Int) {
    guard self.rows != rows else { return }
    self.rows = rows
    logits.setRows(rows)
    derivative.setRows(rows)
    var length = 0
    for slot in starts.indices where slot != 0 && slot != program.logits {
      starts[slot] = length
      length += (rows * program.widths[slot] + 15) / 16 * 16
    }
    derivatives = length
    if arena.count < length { arena.resize(to: length) }
  }

  /// Addresses of what a pass reads and writes: valid while it runs, which neither resizes nor copies any of it.
  private mutating func addresses(_ inputs: Matrix, _ rows: Range<Int>) -> SlotAddresses {
    unsafe SlotAddresses(
      kernels: KernelTable.current, inputs: inputs.values.withPointer { unsafe $0 + rows.lowerBound * inputs.columns },
      arena: arena.withMutablePointer { unsafe $0 },
      logits: logits.values.withMutablePointer { unsafe $0 },
      derivative: derivative.values.withMutablePointer { unsafe $0 },
      scratch: scratch.withMutablePointer { unsafe $0 })
  }

  /// The same for a pass that goes backward, with room for the derivatives: who only predicts has none.
  private mutating func backwardAddresses(_ inputs: Matrix, _ rows: Range<Int>) -> SlotAddresses {
    if arena.count < 2 * derivatives { arena.resize(to: 2 * derivatives) }
    return unsafe addresses(inputs, rows)
  }

  @inline(__always)
  private func value(_ slot: Int, _ slots: SlotAddresses) -> UnsafePointer<Float> {
    unsafe slot == 0 ? slots.inputs : UnsafePointer(mutableValue(slot, slots))
  }

  /// Of any slot but the inputs.
  @inline(__always)
  private func mutableValue(_ slot: Int, _ slots: SlotAddresses) -> UnsafeMutablePointer<Float> {
    unsafe slot == program.logits ? slots.logits : slots.arena + starts[slot]
  }

  /// Of any slot but the inputs.
  @inline(__always)
  private func derivative(_ slot: Int, _ slots: SlotAddresses) -> UnsafeMutablePointer<Float> {
    unsafe slot == program.logits ? slots.derivative : slots.arena + (starts[slot] + derivatives)
  }

  // MARK: - Forward

  @inline(__always)
  private mutating func run(_ step: Program.Step, _ slots: SlotAddresses, _ theta: UnsafePointer<Float>) {
    switch step {
    case .dense(let dense):
      let layer = dense.layer
      unsafe slots.kernels.pointee.affine(
        value(dense.source, slots), theta + layer.weight, layer.bias.map { unsafe theta + $0 },
        mutableValue(dense.target, slots), rows, layer.inputs, layer.outputs, dense.activation.code,
        dense.accumulates ? 1 : 0)
    case .copy(let source, let target):
      unsafe mutableValue(target, slots).update(from: value(source, slots), count: rows * program.widths[source])
    case .scale(let slot, let factor):
      unsafe slots.kernels.pointee.scale(mutableValue(slot, slots), rows * program.widths[slot], factor)
    }
  }

  // MARK: - Backward

  /// Runs the steps in reverse; a trained layer's gradient is taken once its derivative is complete. A closure for that would
  /// copy the whole pass in each step.
  /// - Returns: as ``learn(_:rows:at:to:_:)``.
  private mutating func reverse(
    _ slots: SlotAddresses, _ theta: UnsafePointer<Float>, _ gradient: GradientPlace, _ update: FusedUpdate? = nil
  ) -> Double {
    var sum = 0.0
    for index in stride(from: program.steps.count - 1, through: program.firstTrained, by: -1) {
      switch program.steps[index] {
      case .dense(let dense):
        if !program.isGated[index] { unsafe activate(dense, slots) }
        let waits = update != nil && dense.isWide
        if dense.isTrained && !waits { unsafe add(index, dense, slots, gradient) }
        if index > program.firstTrained && dense.source != 0 {
          unsafe passDown(dense, program.descents[index], slots, theta)
        }
        if waits, let update { sum += unsafe learn(dense, slots, gradient, update) }
      case .copy(let source, let target):
        let (d, above) = unsafe (derivative(source, slots), derivative(target, slots))
        let count = rows * program.widths[source]
        if program.descents[index].accumulates {
          unsafe slots.kernels.pointee.add(d, above, count)
        } else {
          unsafe d.update(from: above, count: count)
        }
      case .scale(let slot, let factor):
        unsafe slots.kernels.pointee.scale(derivative(slot, slots), rows * program.widths[slot], factor)
      }
    }
    return sum
  }

  /// The derivative before the nonlinearity, in place.
  @inline(__always)
  private func activate(_ dense: Program.DenseStep, _ slots: SlotAddresses) {
    guard let activation = dense.activation else { return }
    unsafe slots.kernels.pointee.activation_gradient(
      derivative(dense.target, slots), value(dense.target, slots), rows * dense.layer.outputs, activation.code)
  }

  @inline(__always)
  private func add(_ index: Int, _ dense: Program.DenseStep, _ slots: SlotAddresses, _ gradient: GradientPlace) {
    switch unsafe gradient {
    case .plain(let g, let overwriting): unsafe addGradient(dense, slots, g, overwriting)
    case .squared(let sums, let factors, let room):
      let outputs = dense.layer.outputs
      unsafe slots.kernels.pointee.square_rows(derivative(dense.target, slots), factors, room, rows, outputs)
      unsafe slots.kernels.pointee.add(sums + squareStarts[index], room, rows * outputs)
    }
  }

  @inline(__always)
  private func addGradient(
    _ dense: Program.DenseStep, _ slots: SlotAddresses, _ g: UnsafeMutablePointer<Float>, _ overwriting: Bool
  ) {
    let layer = dense.layer
    let accumulate: Int32 = overwriting ? 0 : 1
    let d = unsafe derivative(dense.target, slots)
    if dense.trainsWeights {
      unsafe slots.kernels.pointee.weight_gradient(
        value(dense.source, slots), d, g + layer.weight, rows, layer.inputs, layer.outputs, accumulate)
    }
    if let bias = layer.bias, dense.trainsBias {
      unsafe slots.kernels.pointee.bias_gradient(d, g + bias, rows, layer.outputs, accumulate)
    }
  }

  /// The update of a layer's weights, with their place in the gradient as room, and the gradient of its bias.
  private func learn(
    _ dense: Program.DenseStep, _ slots: SlotAddresses, _ gradient: GradientPlace, _ update: FusedUpdate
  ) -> Double {
    guard case .plain(let g, _) = unsafe gradient else { return 0 }
    let layer = dense.layer
    let (x, d) = unsafe (value(dense.source, slots), derivative(dense.target, slots))
    if let bias = layer.bias, dense.trainsBias {
      unsafe slots.kernels.pointee.bias_gradient(d, g + bias, rows, layer.outputs, 0)
    }
    return unsafe update.learn(layer, x, d, rows: rows, room: g + layer.weight)
  }

  private func addSquares(
    _ dense: Program.DenseStep, _ slots: SlotAddresses, _ xx: UnsafeMutablePointer<Float>,
    _ dd: UnsafeMutablePointer<Float>, _ g: UnsafeMutablePointer<Float>
  ) {
    let layer = dense.layer
    let kernels = unsafe slots.kernels
    unsafe kernels.pointee.square_rows(value(dense.source, slots), nil, xx, rows, layer.inputs)
    unsafe kernels.pointee.weight_gradient(xx, dd, g + layer.weight, rows, layer.inputs, layer.outputs, 1)
    if let bias = layer.bias { unsafe kernels.pointee.bias_gradient(dd, g + bias, rows, layer.outputs, 1) }
  }

  @inline(__always)
  private func passDown(
    _ dense: Program.DenseStep, _ descent: Program.Descent, _ slots: SlotAddresses, _ theta: UnsafePointer<Float>
  ) {
    let layer = dense.layer
    unsafe slots.kernels.pointee.input_gradient(
      derivative(dense.target, slots), theta + layer.weight, descent.gate == nil ? nil : value(dense.source, slots),
      derivative(dense.source, slots), rows, layer.inputs, layer.outputs, descent.gate.code,
      descent.accumulates ? 1 : 0, slots.scratch)
  }
}

/// Where a pass's memory lies while it runs, and the kernels that work on it.
@unsafe
private struct SlotAddresses {
  let kernels: UnsafePointer<pal_kernels>
  let inputs: UnsafePointer<Float>
  let arena: UnsafeMutablePointer<Float>
  let logits: UnsafeMutablePointer<Float>
  let derivative: UnsafeMutablePointer<Float>
  let scratch: UnsafeMutablePointer<Float>
}

/// Where a backward pass leaves what it makes.
@unsafe
private enum GradientPlace {
  case plain(UnsafeMutablePointer<Float>, overwriting: Bool)
  /// Sums of squared derivatives, with a factor a row, and room for those of one layer.
  case squared(UnsafeMutablePointer<Float>, factors: UnsafePointer<Float>?, UnsafeMutablePointer<Float>)
}
