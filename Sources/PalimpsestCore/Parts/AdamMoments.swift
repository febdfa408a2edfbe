/// What Adam and its kin keep from step to step: running means of the gradient and of its squares.
protocol AdamMoments: Optimizer {
  var beta1: Float { get }
  var beta2: Float { get }
  var first: FloatBuffer { get set }
  var second: FloatBuffer { get set }
  /// β₁ᵗ and β₂ᵗ.
  var power1: Double { get set }
  var power2: Double { get set }
}

extension AdamMoments {
  public var bytes: Int { first.bytes + second.bytes }
  public func bytes(in layout: ParameterLayout) -> Int { layout.bytes(of: first, second) }

  /// Room for every parameter, and one step more.
  mutating func advance(_ count: Int) {
    first.resize(to: count)
    second.resize(to: count)
    power1 *= Double(beta1)
    power2 *= Double(beta2)
  }

  /// A step size with the first mean's correction of bias.
  func step(_ rate: Double) -> Float { Float(rate / (1 - power1)) }
  /// The second mean's, behind its root.
  var root: Float { Float(1 / (1 - power2).squareRoot()) }

  public mutating func reset() {
    first.fill(0)
    second.fill(0)
    power1 = 1
    power2 = 1
  }

  /// The count of steps is one for all parameters and goes on.
  public mutating func forget(_ ranges: [Range<Int>]) {
    first.clear(ranges)
    second.clear(ranges)
  }
}
