/// The nonlinearity after each hidden layer.
public enum Activation: String, ParameterChoice {
  case relu, tanh
}

/// How weights start. Biases start at 0, except under `uniform`, where they are drawn like the weights.
public enum Initializer: String, ParameterChoice {
  /// Normal, standard deviation √(2 / fan-in) (He et al. 2015); the output layer √(1 / fan-in), as it has no ReLU.
  case he
  /// Uniform ±√(6 / (fan-in + fan-out)) (Glorot & Bengio 2010).
  case glorot
  /// Uniform ±1/√fan-in, weights and biases (the default of a well-known toolkit's linear layer).
  case uniform
}

/// A multilayer perceptron of any depth over one flat parameter vector.
///
/// Layer l computes f(x·W + b) with W stored inputs × outputs. Heads, adapters and low-rank factors are further tensors at the
/// end of the same vector; a ``Route`` says which of them a row passes.
public struct MLP: Sendable, Codable {
  public let shape: TaskShape
  public let hidden: [Int]
  public let activation: Activation
  public let initializer: Initializer
  public private(set) var layout = ParameterLayout()
  public var parameters = FloatBuffer(count: 0)
  /// The hidden layers and, last, the output layer that the network was made with.
  public private(set) var layers: [DenseLayer] = []

  /// A network with fresh weights.
  /// - Parameters:
  ///   - hidden: width of each hidden layer; empty gives a linear model.
  ///   - rng: the stream of initial weights; the same stream gives the same weights.
  public init(
    shape: TaskShape, hidden: [Int], activation: Activation = .relu, initializer: Initializer = .he,
    using rng: inout Random
  ) {
    precondition(hidden.allSatisfy { $0 > 0 }, "hidden layers of \(hidden)")
    self.shape = shape
    self.hidden = hidden
    self.activation = activation
    self.initializer = initializer
    MLP.forEachLayer(shape, hidden) { name, inputs, outputs in
      layers.append(addLayer(name, inputs: inputs, outputs: outputs, isOutput: name == "output", using: &rng))
    }
  }

  /// Where the tensors of such a network would lie, without making it.
  package static func layout(_ shape: TaskShape, hidden: [Int]) -> ParameterLayout {
    var layout = ParameterLayout()
    forEachLayer(shape, hidden) { name, inputs, outputs in
      _ = layout.addDense(name, inputs: inputs, outputs: outputs)
    }
    return layout
  }

  /// The layers that a network is made with.
  private static func forEachLayer(
    _ shape: TaskShape, _ hidden: [Int], _ body: (_ name: String, _ inputs: Int, _ outputs: Int) -> Void
  ) {
    var width = shape.inputs
    for (index, next) in hidden.enumerated() {
      body("layer\(index)", width, next)
      width = next
    }
    body("output", width, shape.outputs)
  }

  /// Parameters, without the gaps between tensors.
  public var parameterCount: Int { layout.parameterCount }

  /// Width of what enters the output layer.
  public var penultimateWidth: Int { hidden.last ?? shape.inputs }

  /// Appends a layer (weights and bias) with fresh weights: a head, or half an adapter.
  public mutating func addLayer(
    _ name: String, inputs: Int, outputs: Int, isOutput: Bool, using rng: inout Random
  ) -> DenseLayer {
    let (weight, bias) = layout.addDense(name, inputs: inputs, outputs: outputs)
    parameters.resize(to: layout.length)
    initialize(weight, fanIn: inputs, fanOut: outputs, isOutput: isOutput, using: &rng)
    if initializer == .uniform { draw(bias, spread: 1 / Double(inputs).squareRoot(), using: &rng) }
    return DenseLayer(weight: weight.offset, bias: bias.offset, inputs: inputs, outputs: outputs)
  }

  /// Appends a tensor without a bias: zeros, or normal with the given standard deviation.
  public mutating func addMatrix(
    _ name: String, inputs: Int, outputs: Int, deviation: Double, using rng: inout Random
  ) -> DenseLayer {
    let weight = layout.add(name, rows: inputs, columns: outputs)
    parameters.resize(to: layout.length)
    if deviation > 0 { for i in weight.range { parameters[i] = Float(rng.normal() * deviation) } }
    return DenseLayer(weight: weight.offset, bias: nil, inputs: inputs, outputs: outputs)
  }

  /// Appends a vector of its own, such as the numbers of a gate.
  /// - Returns: its place in the parameters.
  public mutating func addVector(_ name: String, _ values: [Float]) -> Range<Int> {
    let block = layout.add(name, rows: 1, columns: values.count)
    parameters.resize(to: layout.length)
    for (i, value) in zip(block.range, values) { parameters[i] = value }
    return block.range
  }

  /// The weights and biases of a layer set to 0.
  public mutating func clear(_ layer: DenseLayer) { for range in layer.ranges { for i in range { parameters[i] = 0 } } }

  /// The route through the layers that the network was made with.
  public var plainRoute: Route { Route(layers: layers, outputs: 0..<shape.outputs) }

  private mutating func initialize(
    _ block: ParameterLayout.Block, fanIn: Int, fanOut: Int, isOutput: Bool, using rng: inout Random
  ) {
    switch initializer {
    case .he:
      let deviation = ((isOutput ? 1 : 2) / Double(fanIn)).squareRoot()
      for i in block.range { parameters[i] = Float(rng.normal() * deviation) }
    case .glorot: draw(block, spread: (6 / Double(fanIn + fanOut)).squareRoot(), using: &rng)
    case .uniform: draw(block, spread: 1 / Double(fanIn).squareRoot(), using: &rng)
    }
  }

  private mutating func draw(_ block: ParameterLayout.Block, spread: Double, using rng: inout Random) {
    for i in block.range { parameters[i] = Float((2 * rng.uniform() - 1) * spread) }
  }
}

/// One x·W + b in the flat vector: where its weights and bias lie.
public struct DenseLayer: Sendable, Hashable, Codable {
  public let weight: Int
  /// Nil: no bias.
  public let bias: Int?
  public let inputs: Int
  public let outputs: Int

  /// A layer over tensors that lie in the vector already: layers may share weights and differ in their bias.
  public init(weight: Int, bias: Int?, inputs: Int, outputs: Int) {
    self.weight = weight
    self.bias = bias
    self.inputs = inputs
    self.outputs = outputs
  }

  public var weightRange: Range<Int> { weight..<(weight + inputs * outputs) }
  public var biasRange: Range<Int>? { bias.map { $0..<($0 + outputs) } }
  public var ranges: [Range<Int>] { [weightRange] + (biasRange.map { [$0] } ?? []) }
}

/// A low-rank branch beside a layer: x·A·B times `scale` is added before the nonlinearity.
public struct LowRank: Sendable, Hashable, Codable {
  public let a: DenseLayer
  public let b: DenseLayer
  public let scale: Float

  public init(a: DenseLayer, b: DenseLayer, scale: Float) {
    self.a = a
    self.b = b
    self.scale = scale
  }
}

/// A residual bottleneck after a hidden layer: h + f(h·D + d)·U + u.
public struct Bottleneck: Sendable, Hashable, Codable {
  public let down: DenseLayer
  public let up: DenseLayer

  public init(down: DenseLayer, up: DenseLayer) {
    self.down = down
    self.up = up
  }
}

/// The way a row takes through the network.
public struct Route: Sendable, Hashable, Codable {
  /// Hidden layers and, last, the head.
  public var layers: [DenseLayer]
  /// The head's outputs within the scenario's.
  public var outputs: Range<Int>
  /// Beside layer l, by its index.
  public var lowRank: [Int: LowRank] = [:]
  /// After hidden layer l, by its index.
  public var bottlenecks: [Int: Bottleneck] = [:]

  public init(layers: [DenseLayer], outputs: Range<Int>) {
    self.layers = layers
    self.outputs = outputs
  }
}
