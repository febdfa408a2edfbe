import CKernels

/// Elementary functions of many numbers at once: the kernels do the operations of one by one, so the bits are the same.
extension Elementary {
  /// Every x becomes 1 / (1 + e⁻ˣ), with the bits of ``logistic(_:)``.
  public static func applyLogistic(to values: inout [Double]) {
    unsafe values.withUnsafeMutableBufferPointer { values in
      guard let first = values.baseAddress else { return }
      unsafe KernelTable.current.pointee.logistic(first, values.count)
    }
  }
}
