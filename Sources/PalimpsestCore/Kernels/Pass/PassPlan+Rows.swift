import CKernels

/// What backward passes leave of each row.
extension PassPlan {
  /// Adds Σ_rows h(x)ᵀ Σ h(d) of every trained layer, from the sums of h(d) that backward passes have left.
  func addRowSums(
    _ slots: SlotAddresses, _ sums: UnsafePointer<Float>, _ measure: RowMeasure, room: UnsafeMutablePointer<Float>,
    to g: UnsafeMutablePointer<Float>
  ) {
    for (index, step) in program.steps.enumerated() {
      let d = unsafe sums + sumStarts[index]
      if case .gate(let source, _, let place, _) = step, program.trainedGates.contains(index) {
        let width = program.widths[source]
        unsafe measure.write(value(source, slots), nil, to: room, rows: rows, columns: width, slots.kernels)
        unsafe slots.kernels.pointee.gate_gradient(room, d, g + place, rows, width, 1)
      }
      guard case .dense(let dense) = step, dense.isTrained else { continue }
      let layer = dense.layer
      unsafe measure.write(
        value(dense.source, slots), nil, to: room, rows: rows, columns: layer.inputs, slots.kernels)
      unsafe slots.kernels.pointee.weight_gradient(room, d, g + layer.weight, rows, layer.inputs, layer.outputs, 1)
      if let bias = layer.bias { unsafe slots.kernels.pointee.bias_gradient(d, g + bias, rows, layer.outputs, 1) }
    }
  }

  /// Writes the gradient of one row in every trained layer's place, from the derivatives that a backward pass has left.
  func writeGradient(ofRow row: Int, _ slots: SlotAddresses, to g: UnsafeMutablePointer<Float>) {
    for (index, step) in program.steps.enumerated() {
      if case .gate(let source, let target, let place, _) = step, program.trainedGates.contains(index) {
        let width = program.widths[source]
        unsafe slots.kernels.pointee.gate_gradient(
          value(source, slots) + row * width, derivative(target, slots) + row * width, g + place, 1, width, 0)
      }
      guard case .dense(let dense) = step, dense.isTrained else { continue }
      let layer = dense.layer
      let x = unsafe value(dense.source, slots) + row * layer.inputs
      let d = unsafe derivative(dense.target, slots) + row * layer.outputs
      if dense.trainsWeights {
        unsafe slots.kernels.pointee.weight_gradient(x, d, g + layer.weight, 1, layer.inputs, layer.outputs, 0)
      }
      if let bias = layer.bias, dense.trainsBias { unsafe (g + bias).update(from: d, count: layer.outputs) }
    }
  }
}
