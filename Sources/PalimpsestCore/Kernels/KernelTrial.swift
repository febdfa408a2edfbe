import CKernels

/// One matrix product of one layer, over and over: for measuring the kernels by themselves.
package struct KernelTrial: Sendable {
  package enum Operation: String, CaseIterable, Sendable {
    case forward
    case weightGradient = "weight-gradient"
    case inputGradient = "input-gradient"
  }

  private let operation: Operation
  private let rows: Int
  private let layer: DenseLayer
  private var x: FloatBuffer
  private var y: FloatBuffer
  private var weights: FloatBuffer
  private var scratch: FloatBuffer

  package init(_ operation: Operation, rows: Int, inputs: Int, outputs: Int) {
    self.operation = operation
    self.rows = rows
    layer = DenseLayer(weight: 0, bias: inputs * outputs, inputs: inputs, outputs: outputs)
    var rng = Seed(1).stream("kernel trial")
    x = FloatBuffer((0..<(rows * inputs)).map { _ in rng.uniformFloat() - 0.5 })
    y = FloatBuffer((0..<(rows * outputs)).map { _ in rng.uniformFloat() - 0.5 })
    weights = FloatBuffer((0..<((inputs + 1) * outputs)).map { _ in rng.uniformFloat() - 0.5 })
    scratch = FloatBuffer(count: pal_scratch_floats(inputs, outputs))
  }

  /// Floating-point operations of one product.
  package var operations: Double { 2 * Double(rows * layer.inputs * layer.outputs) }

  /// With the bias and the nonlinearity that go with the product in a network.
  package mutating func run(_ times: Int) {
    let kernels = unsafe KernelTable.current
    let (rows, inputs, outputs) = (rows, layer.inputs, layer.outputs)
    unsafe x.withMutablePointer { x in
      unsafe y.withMutablePointer { y in
        unsafe weights.withMutablePointer { w in
          unsafe scratch.withMutablePointer { scratch in
            for _ in 0..<times {
              switch operation {
              case .forward:
                unsafe kernels.pointee.affine(
                  x, w, w + inputs * outputs, y, rows, inputs, outputs, Int32(PAL_RELU), 0)
              case .weightGradient: unsafe kernels.pointee.weight_gradient(x, y, w, rows, inputs, outputs, 0)
              case .inputGradient:
                unsafe kernels.pointee.input_gradient(
                  y, w, nil, x, rows, inputs, outputs, Int32(PAL_LINEAR), 0, scratch)
              }
            }
          }
        }
      }
    }
  }
}
