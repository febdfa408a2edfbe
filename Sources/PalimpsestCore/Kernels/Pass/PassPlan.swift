import CKernels

/// Where a pass's values lie, and how a ``Program`` runs over them: all that is done with addresses, and no memory of its own.
///
/// What runs in every step is mutating and changes nothing: a call that borrows the plan within a closure would copy it.
struct PassPlan: Sendable {
  let program: Program
  /// Rows that the slots hold now.
  private(set) var rows = 0
  /// Where a slot's values begin in the arena.
  private var starts: [Int]
  /// From a slot's values to their derivatives: the length of all values.
  private(set) var derivatives = 0
  /// Where a step's part of the row sums begins, and how long all of them are.
  private(set) var sumStarts: [Int] = []
  private(set) var sumsLength = 0
  private let descents: [Descent]
  /// Multiply-adds of one row's training step.
  let trainingMultiplyAdds: Int

  /// A step's part in the derivatives on the way back.
  private struct Descent: Sendable {
    /// A later step has written the derivative of the slot it reads.
    var accumulates = false
    /// The derivative of the slot it reads is complete with this step and goes on through the nonlinearity that made the slot.
    var gate: Activation?
    /// The step above has applied this step's nonlinearity to its derivative already.
    var isGated = false
  }

  init(_ program: Program) {
    self.program = program
    starts = program.widths.map { _ in 0 }
    descents = PassPlan.descents(program.steps)
    trainingMultiplyAdds = program.trainingMultiplyAdds
  }

  /// In reverse the last step to write a slot's derivative is the first one that reads the slot.
  private static func descents(_ steps: [Program.Step]) -> [Descent] {
    var descents = steps.map { _ in Descent() }
    var written: Set<Int> = []
    for index in steps.indices.reversed() {
      guard let source = steps[index].source else { continue }
      descents[index].accumulates = !written.insert(source).inserted
      guard case .dense = steps[index], !steps[..<index].contains(where: { $0.source == source }),
        let maker = steps.firstIndex(where: { $0.activated == source })
      else { continue }
      descents[index].gate = steps[maker].activation
      descents[maker].isGated = true
    }
    return descents
  }

  /// Places for so many rows; each begins on a cache line.
  mutating func prepare(_ rows: Int) {
    self.rows = rows
    var length = 0
    for slot in starts.indices where slot != 0 && slot != program.logits {
      starts[slot] = length
      length += (rows * program.widths[slot] + 15) / 16 * 16
    }
    derivatives = length
  }

  /// Places for a sum of derivatives of every step.
  mutating func prepareSums() {
    var length = 0
    sumStarts = program.steps.map { step in
      defer { length += rows * (step.target.map { program.widths[$0] } ?? 0) }
      return length
    }
    sumsLength = length
  }

  /// Where a slot's values lie in the arena; nil for inputs and logits, which have places of their own.
  func place(of slot: Int) -> Range<Int>? {
    slot == 0 || slot == program.logits ? nil : starts[slot]..<(starts[slot] + rows * program.widths[slot])
  }

  @inline(__always)
  func value(_ slot: Int, _ slots: SlotAddresses) -> UnsafePointer<Float> {
    unsafe slot == 0 ? slots.inputs : UnsafePointer(mutableValue(slot, slots))
  }

  /// Of any slot but the inputs.
  @inline(__always)
  private func mutableValue(_ slot: Int, _ slots: SlotAddresses) -> UnsafeMutablePointer<Float> {
    unsafe slot == program.logits ? slots.logits : slots.arena + starts[slot]
  }

  /// Of any slot but the inputs.
  @inline(__always)
  func derivative(_ slot: Int, _ slots: SlotAddresses) -> UnsafeMutablePointer<Float> {
    unsafe slot == program.logits ? slots.derivative : slots.arena + (starts[slot] + derivatives)
  }

  // MARK: - Forward

  /// Computes every slot.
  mutating func forward(_ slots: SlotAddresses, _ theta: UnsafePointer<Float>) {
    for index in program.steps.indices { unsafe run(program.steps[index], slots, theta) }
  }

  @inline(__always)
  private func run(_ step: Program.Step, _ slots: SlotAddresses, _ theta: UnsafePointer<Float>) {
    switch step {
    case .dense(let dense):
      let layer = dense.layer
      unsafe slots.kernels.pointee.affine(
        value(dense.source, slots), theta + layer.weight, layer.bias.map { unsafe theta + $0 },
        mutableValue(dense.target, slots), rows, layer.inputs, layer.outputs, dense.activation.code,
        dense.accumulates ? 1 : 0)
    case .copy(let source, let target):
      unsafe mutableValue(target, slots).update(from: value(source, slots), count: rows * program.widths[source])
    case .gate(let source, let target, let place, let accumulates):
      unsafe slots.kernels.pointee.gate(
        value(source, slots), theta + place, mutableValue(target, slots), rows, program.widths[source],
        accumulates ? 1 : 0)
    case .scale(let slot, let factor):
      unsafe slots.kernels.pointee.scale(mutableValue(slot, slots), rows * program.widths[slot], factor)
    }
  }

  // MARK: - Backward

  /// Runs the steps in reverse; a trained layer's gradient is taken once its derivative is complete.
  /// - Parameter update: takes the weights of wide layers at once, each as soon as nothing needs its old value.
  /// - Returns: Σ importance ∘ (θ − anchor)² of the weights updated.
  mutating func reverse(
    _ slots: SlotAddresses, _ theta: UnsafePointer<Float>, _ gradient: GradientPlace, _ update: LentStep? = nil
  ) -> Double {
    var sum = 0.0
    let last = unsafe slots.inputDerivative == nil ? program.firstTrained : 0
    for index in stride(from: program.steps.count - 1, through: last, by: -1) {
      switch program.steps[index] {
      case .dense(let dense):
        if !descents[index].isGated { unsafe activate(dense, slots) }
        let waits = unsafe update != nil && dense.isWide
        if dense.isTrained && !waits { unsafe add(index, dense, slots, gradient) }
        if index > last || dense.source == 0 { unsafe passDown(dense, descents[index], slots, theta) }
        if waits, let update = unsafe update { sum += unsafe learn(dense, slots, gradient, update) }
      case .copy(let source, let target):
        unsafe passDown(from: target, to: source, accumulates: descents[index].accumulates, slots)
      case .gate(let source, let target, let place, _):
        if program.trainedGates.contains(index) { unsafe addGate(index, source, target, place, slots, gradient) }
        unsafe passDown(
          from: target, to: source, gate: theta + place, accumulates: descents[index].accumulates, slots)
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
    case .none: break
    case .plain(let g, let overwriting): unsafe addGradient(dense, slots, g, overwriting)
    case .sums(let sums, let measure, let factors, let room):
      let outputs = dense.layer.outputs
      unsafe measure.write(
        derivative(dense.target, slots), factors, to: room, rows: rows, columns: outputs, slots.kernels)
      unsafe slots.kernels.pointee.add(sums + sumStarts[index], room, rows * outputs)
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
    _ dense: Program.DenseStep, _ slots: SlotAddresses, _ gradient: GradientPlace, _ update: LentStep
  ) -> Double {
    guard case .plain(let g, _) = unsafe gradient else { return 0 }
    let layer = dense.layer
    let (x, d) = unsafe (value(dense.source, slots), derivative(dense.target, slots))
    if let bias = layer.bias, dense.trainsBias {
      unsafe slots.kernels.pointee.bias_gradient(d, g + bias, rows, layer.outputs, 0)
    }
    return unsafe update.learn(layer, x, d, rows: rows, room: g + layer.weight)
  }

  @inline(__always)
  private func passDown(
    _ dense: Program.DenseStep, _ descent: Descent, _ slots: SlotAddresses, _ theta: UnsafePointer<Float>
  ) {
    let layer = dense.layer
    guard let below = unsafe dense.source == 0 ? slots.inputDerivative : derivative(dense.source, slots) else { return }
    unsafe slots.kernels.pointee.input_gradient(
      derivative(dense.target, slots), theta + layer.weight, descent.gate == nil ? nil : value(dense.source, slots),
      below, rows, layer.inputs, layer.outputs, descent.gate.code, descent.accumulates ? 1 : 0, slots.scratch)
  }

  private func passDown(from target: Int, to source: Int, accumulates: Bool, _ slots: SlotAddresses) {
    guard let below = unsafe source == 0 ? slots.inputDerivative : derivative(source, slots) else { return }
    let (above, count) = unsafe (derivative(target, slots), rows * program.widths[source])
    if accumulates {
      unsafe slots.kernels.pointee.add(below, above, count)
    } else {
      unsafe below.update(from: above, count: count)
    }
  }

  private func passDown(
    from target: Int, to source: Int, gate: UnsafePointer<Float>, accumulates: Bool, _ slots: SlotAddresses
  ) {
    guard let below = unsafe source == 0 ? slots.inputDerivative : derivative(source, slots) else { return }
    unsafe slots.kernels.pointee.gate(
      derivative(target, slots), gate, below, rows, program.widths[source], accumulates ? 1 : 0)
  }

  /// The gradient of a gate's numbers.
  private func addGate(
    _ index: Int, _ source: Int, _ target: Int, _ place: Int, _ slots: SlotAddresses, _ gradient: GradientPlace
  ) {
    let width = program.widths[source]
    switch unsafe gradient {
    case .none: break
    case .plain(let g, let overwriting):
      unsafe slots.kernels.pointee.gate_gradient(
        value(source, slots), derivative(target, slots), g + place, rows, width, overwriting ? 0 : 1)
    case .sums(let sums, let measure, let factors, let room):
      unsafe measure.write(
        derivative(target, slots), factors, to: room, rows: rows, columns: width, slots.kernels)
      unsafe slots.kernels.pointee.add(sums + sumStarts[index], room, rows * width)
    }
  }
}

extension Program.Step {
  /// The slot whose derivative the step writes on the way back; a factor stays in its slot.
  fileprivate var source: Int? {
    switch self {
    case .dense(let dense): dense.source
    case .copy(let source, _), .gate(let source, _, _, _): source
    case .scale: nil
    }
  }

  /// The slot whose derivative takes part in the gradient of what the step trains; nil: it trains nothing.
  fileprivate var target: Int? {
    switch self {
    case .dense(let dense): dense.target
    case .gate(_, let target, _, _): target
    case .copy, .scale: nil
    }
  }

  fileprivate var activation: Activation? {
    if case .dense(let dense) = self { dense.activation } else { nil }
  }

  /// The slot that comes out of this step's nonlinearity.
  fileprivate var activated: Int? {
    if case .dense(let dense) = self, dense.activation != nil { dense.target } else { nil }
  }
}
