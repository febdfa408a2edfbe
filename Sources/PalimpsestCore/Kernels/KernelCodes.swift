import CKernels

extension Optional<Activation> {
  /// As the kernels know it.
  var code: Int32 {
    switch self {
    case nil: Int32(PAL_LINEAR)
    case .relu: Int32(PAL_RELU)
    case .tanh: Int32(PAL_TANH)
    }
  }
}

extension Activation {
  var code: Int32 { Optional(self).code }
}

extension Program {
  /// Floats that the kernels of one step work in, at most.
  var scratchFloats: Int {
    steps.reduce(0) { most, step in
      guard case .dense(let dense) = step else { return most }
      return max(most, pal_scratch_floats(dense.layer.inputs, dense.layer.outputs))
    }
  }

  var widest: Int { widths.max() ?? 0 }
}
