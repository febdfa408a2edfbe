import CKernels

/// Where a pass's memory lies while it runs, and the kernels that work on it.
@unsafe
struct SlotAddresses {
  let kernels: UnsafePointer<pal_kernels>
  let inputs: UnsafePointer<Float>
  let arena: UnsafeMutablePointer<Float>
  let logits: UnsafeMutablePointer<Float>
  let derivative: UnsafeMutablePointer<Float>
  let scratch: UnsafeMutablePointer<Float>
  /// Nil: nobody asks for the derivative of the inputs.
  var inputDerivative: UnsafeMutablePointer<Float>? = nil
}

/// Where a backward pass leaves what it makes.
@unsafe
enum GradientPlace {
  /// Nowhere: the slots' derivatives are all that is wanted.
  case none
  case plain(UnsafeMutablePointer<Float>, overwriting: Bool)
  /// Sums of the measured derivatives of rows, with a factor a row, and room for those of one layer.
  case sums(UnsafeMutablePointer<Float>, RowMeasure, factors: UnsafePointer<Float>?, UnsafeMutablePointer<Float>)
}

/// What of each row's gradient is summed. Both are products of what enters a layer and what comes back to it, so that no row
/// needs a backward pass of its own: (x d)² = x² d², |x d| = |x| |d|.
public enum RowMeasure: Sendable {
  case squares, magnitudes

  /// y = h(x), then times the row's factor.
  @inline(__always)
  func write(
    _ x: UnsafePointer<Float>, _ factors: UnsafePointer<Float>?, to y: UnsafeMutablePointer<Float>, rows: Int,
    columns: Int, _ kernels: UnsafePointer<pal_kernels>
  ) {
    switch self {
    case .squares: unsafe kernels.pointee.square_rows(x, factors, y, rows, columns)
    case .magnitudes:
      for row in 0..<rows {
        let factor = unsafe factors.map { unsafe $0[row] } ?? 1
        for i in (row * columns)..<((row + 1) * columns) { unsafe y[i] = x[i].magnitude * factor }
      }
    }
  }
}
