import CKernels

/// Forward and backward passes of one ``Program``, with the memory they need.
///
/// The memory is allocated once, for the largest batch seen. Inputs are read where they are. Not thread-safe: every run has
/// its own.
struct Pass: Sendable {
  private var plan: PassPlan
  private var memory: PassMemory
  /// Layer after layer Σ factor · h(d), then room for the measures of one layer.
  private var sums = FloatBuffer(count: 0)

  init(_ program: Program) {
    plan = PassPlan(program)
    memory = PassMemory(program)
  }

  var program: Program { plan.program }
  /// Multiply-adds of one row's training step.
  var trainingMultiplyAdds: Int { plan.trainingMultiplyAdds }
  /// Rows that the slots hold now.
  var rows: Int { plan.rows }
  /// rows × outputs of the head, after ``forward(_:rows:at:)``.
  var logits: Matrix { memory.logits }

  /// Gives the logits and the buffer for their derivative to a loss, both in place.
  mutating func withLogits<R>(_ body: (Matrix, inout Matrix) -> R) -> R { body(memory.logits, &memory.derivative) }

  /// Computes every slot from rows of `inputs`.
  mutating func forward(_ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer) {
    precondition(inputs.columns == program.widths[0], "\(inputs.columns) inputs for a network of \(program.widths[0])")
    precondition(rows.lowerBound >= 0 && rows.upperBound <= inputs.rows, "rows \(rows) of \(inputs.rows)")
    prepare(rows.count)
    unsafe parameters.withPointer { theta in
      unsafe memory.withAddresses(inputs, rows) { slots in unsafe plan.forward(slots, theta) }
    }
  }

  /// Adds the gradient of every trained layer, from the derivative that the loss left in the logits' buffer.
  /// - Parameters:
  ///   - inputs: as in the forward pass, and so are `rows`.
  ///   - overwriting: the gradient's tensors are written instead of added to (its other elements are not touched).
  mutating func backward(
    _ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer, to gradient: inout FloatBuffer, overwriting: Bool
  ) {
    memory.makeRoom(for: 2 * plan.derivatives)
    unsafe gradient.withMutablePointer { g in
      unsafe parameters.withPointer { theta in
        unsafe memory.withAddresses(inputs, rows) { slots in
          _ = unsafe plan.reverse(slots, theta, .plain(g, overwriting: overwriting))
        }
      }
    }
  }

  /// The same in a step that trains all parameters, and the step: the weights of wide layers are updated within the backward pass,
  /// each as soon as nothing needs its old value, all others behind it. Every tensor of the gradient is written, or spoilt where its
  /// layer is wide.
  /// - Parameter narrow: all parameters but the weights of wide layers.
  /// - Returns: Σ importance ∘ (θ − anchor)² before the step.
  mutating func learn(
    _ inputs: Matrix, rows: Range<Int>, on parameters: inout FloatBuffer, in gradient: inout FloatBuffer,
    _ step: FusedStep, _ narrow: TrainedRanges
  ) -> Double {
    precondition(gradient.count == parameters.count)
    memory.makeRoom(for: 2 * plan.derivatives)
    return unsafe gradient.withMutablePointer { g in
      unsafe parameters.withMutablePointer { theta in
        let step = unsafe LentStep(step, gradient: g, parameters: theta)
        let wide = unsafe memory.withAddresses(inputs, rows) { slots in
          unsafe plan.reverse(slots, theta, .plain(g, overwriting: true), step)
        }
        return unsafe wide + step.run(only: narrow)
      }
    }
  }

  /// The derivative of the inputs, rows × columns, from the derivative that the loss left in the logits' buffer.
  mutating func inputGradient(_ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer) -> Matrix {
    memory.makeRoom(for: 2 * plan.derivatives)
    var result = Matrix(rows: rows.count, columns: inputs.columns)
    unsafe result.values.withMutablePointer { dx in
      unsafe parameters.withPointer { theta in
        unsafe memory.withAddresses(inputs, rows) { slots in
          var slots = unsafe slots
          unsafe slots.inputDerivative = dx
          _ = unsafe plan.reverse(slots, theta, .none)
        }
      }
    }
    return result
  }

  // MARK: - Row by row

  /// Forgets the measured derivatives of the rows before: what ``addMeasures(_:_:rows:at:factors:)`` begins with.
  mutating func clearSums() {
    plan.prepareSums()
    let length = plan.sumsLength + rows * program.widest
    if sums.count < length { sums.resize(to: length) }
    sums.fill(0)
  }

  /// Adds factor_row · h(d) of every trained layer, from the derivative that the loss left in the logits' buffer.
  /// - Parameters:
  ///   - inputs: as in the forward pass, and so are `rows`.
  ///   - factors: one a row.
  mutating func addMeasures(
    _ measure: RowMeasure, _ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer, factors: [Float]
  ) {
    precondition(factors.count >= self.rows, "\(factors.count) factors for \(self.rows) rows")
    memory.makeRoom(for: 2 * plan.derivatives)
    let room = sums.count - self.rows * program.widest
    unsafe sums.withMutablePointer { sums in
      unsafe parameters.withPointer { theta in
        unsafe factors.withUnsafeBufferPointer { factors in
          unsafe memory.withAddresses(inputs, rows) { slots in
            _ = unsafe plan.reverse(
              slots, theta, .sums(sums, measure, factors: factors.baseAddress, sums + room))
          }
        }
      }
    }
  }

  /// Adds Σ_rows Σ factor · h(∂ℓ/∂θ) of every trained layer: for a dense layer that is h(X)ᵀ(Σ factor · h(D)), so no row needs a
  /// backward pass of its own, and all derivatives added share the product.
  /// - Parameter inputs: as in the forward pass, and so are `rows`.
  mutating func addRowSums(
    _ measure: RowMeasure, _ inputs: Matrix, rows: Range<Int>, to sum: inout FloatBuffer
  ) {
    let room = sums.count - self.rows * program.widest
    unsafe sum.withMutablePointer { g in
      unsafe sums.withMutablePointer { sums in
        unsafe memory.withAddresses(inputs, rows) { slots in
          unsafe plan.addRowSums(slots, sums, measure, room: sums + room, to: g)
        }
      }
    }
  }

  /// Passes derivatives down and writes the gradient of each row in turn; `body` may not keep it.
  mutating func forEachGradient(
    _ inputs: Matrix, rows: Range<Int>, at parameters: FloatBuffer, in gradient: inout FloatBuffer,
    _ body: (Int, FloatBuffer) -> Void
  ) {
    memory.makeRoom(for: 2 * plan.derivatives)
    unsafe parameters.withPointer { theta in
      unsafe memory.withAddresses(inputs, rows) { slots in _ = unsafe plan.reverse(slots, theta, .none) }
    }
    for row in 0..<rows.count {
      unsafe gradient.withMutablePointer { g in
        unsafe memory.withAddresses(inputs, rows) { slots in unsafe plan.writeGradient(ofRow: row, slots, to: g) }
      }
      body(row, gradient)
    }
  }

  // MARK: - Memory

  /// What a slot holds, rows × its width.
  /// - Parameter inputs: as in the forward pass, and so are `rows`.
  func values(of slot: Int, _ inputs: Matrix, rows: Range<Int>) -> Matrix {
    if slot == program.logits { return logits }
    var copy = Matrix(rows: 0, columns: program.widths[slot])
    copyValues(of: slot, inputs, rows: rows, to: &copy)
    return copy
  }

  /// The same in a matrix that is there, whatever its shape.
  func copyValues(of slot: Int, _ inputs: Matrix, rows: Range<Int>, to copy: inout Matrix) {
    if slot == program.logits { return copy.become(logits) }
    copy.reshape(rows: self.rows, columns: program.widths[slot])
    guard let place = plan.place(of: slot) else { return copy.copyRows(rows, of: inputs, toRow: 0) }
    unsafe copy.values.withMutablePointer { to in
      unsafe memory.arena.withPointer { from in unsafe to.update(from: from + place.lowerBound, count: place.count) }
    }
  }

  /// Makes room for so many rows, so that fewer allocate nothing.
  mutating func makeRoom(for rows: Int) {
    if rows > plan.rows { prepare(rows) }
    memory.makeRoom(for: 2 * plan.derivatives)
  }

  private mutating func prepare(_ rows: Int) {
    guard plan.rows != rows else { return }
    plan.prepare(rows)
    memory.setRows(rows)
    memory.makeRoom(for: plan.derivatives)
  }
}

/// What a pass works in.
private struct PassMemory: Sendable {
  var logits: Matrix
  var derivative: Matrix
  /// Slot after slot the values, then their derivatives; inputs and logits have places of their own.
  private(set) var arena = FloatBuffer(count: 0)
  private var scratch: FloatBuffer

  init(_ program: Program) {
    logits = Matrix(rows: 0, columns: program.widths[program.logits])
    derivative = logits
    scratch = FloatBuffer(count: program.scratchFloats)
  }

  mutating func setRows(_ rows: Int) {
    logits.setRows(rows)
    derivative.setRows(rows)
  }

  /// Who only predicts has none for derivatives.
  mutating func makeRoom(for floats: Int) { if arena.count < floats { arena.resize(to: floats) } }

  /// Addresses of what a pass reads and writes: valid in `body`.
  @inline(__always)
  mutating func withAddresses<R>(
    _ inputs: Matrix, _ rows: Range<Int>, _ body: (SlotAddresses) -> R
  ) -> R {
    let columns = inputs.columns
    return unsafe inputs.values.withPointer { inputs in
      unsafe arena.withMutablePointer { arena in
        unsafe logits.values.withMutablePointer { logits in
          unsafe derivative.values.withMutablePointer { derivative in
            unsafe scratch.withMutablePointer { scratch in
              unsafe body(
                SlotAddresses(
                  kernels: KernelTable.current, inputs: inputs + rows.lowerBound * columns, arena: arena,
                  logits: logits, derivative: derivative, scratch: scratch))
            }
          }
        }
      }
    }
  }
}
