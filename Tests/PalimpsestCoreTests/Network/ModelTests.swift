import PalimpsestCore
import Testing

/// The network's weights before training, and its growth.
@Suite struct ModelTests {
  private func model(_ initializer: Initializer, inputs: Int = 200, hidden: [Int] = [300], seed: UInt64 = 1) -> MLP {
    let setup = LearnerSetup(
      shape: TaskShape(inputs: inputs, outputs: 50), hidden: hidden, initializer: initializer, seed: Seed(seed))
    return setup.makeModel()
  }

  private func values(_ model: MLP, _ range: Range<Int>) -> [Double] { range.map { Double(model.parameters[$0]) } }

  @Test func `a net of 10-16-8-1 has 321 parameters`() {
    var rng = Seed(1).stream("init")
    let model = MLP(shape: TaskShape(inputs: 10, outputs: 1), hidden: [16, 8], using: &rng)
    // (10 + 1) · 16 + (16 + 1) · 8 + (8 + 1) · 1 = 176 + 136 + 9 = 321.
    #expect(model.parameterCount == 321)
    #expect(model.penultimateWidth == 8)
    // Multiply-adds of a row: 10 · 16 + 16 · 8 + 8 · 1 = 296.
    #expect(model.plainProgram.multiplyAdds == 296)
  }

  @Test func `He's weights are normal with variance 2 / fan-in, 1 / fan-in in the output layer`() {
    let model = model(.he)
    for (layer, variance) in [(model.layers[0], 2.0 / 200), (model.layers[1], 1.0 / 300)] {
      let w = values(model, layer.weightRange)
      let n = Double(w.count)
      let mean = w.reduce(0, +) / n
      let second = w.reduce(0) { $0 + $1 * $1 } / n
      let fourth = w.reduce(0) { $0 + $1 * $1 * $1 * $1 } / n
      // Standard errors: √(σ²/n) of the mean, σ²·√(2/n) of the variance, and about √(96/n) of the kurtosis, which is 3.
      #expect(abs(mean) < 4 * (variance / n).squareRoot())
      #expect(abs(second / variance - 1) < 4 * (2 / n).squareRoot())
      #expect(abs(fourth / (second * second) - 3) < 4 * (96 / n).squareRoot())
      #expect(values(model, layer.biasRange ?? 0..<0) == [Double](repeating: 0, count: layer.outputs))
    }
  }

  @Test(arguments: [Initializer.glorot, .uniform])
  func `Glorot's and the uniform weights fill their interval evenly`(initializer: Initializer) {
    let model = model(initializer)
    for layer in model.layers {
      let fan = initializer == .glorot ? Double(layer.inputs + layer.outputs) / 6 : Double(layer.inputs)
      checkUniform(values(model, layer.weightRange), bound: (1 / fan).squareRoot())
    }
  }

  /// Moments of a uniform law on ±b: mean 0, variance b²/3; kurtosis 9/5.
  private func checkUniform(_ w: [Double], bound: Double) {
    let n = Double(w.count)
    let variance = bound * bound / 3
    let second = w.reduce(0) { $0 + $1 * $1 } / n
    #expect(w.allSatisfy { abs($0) <= bound * (1 + 1e-6) })
    #expect((w.max() ?? 0) > 0.99 * bound && (w.min() ?? 0) < -0.99 * bound)
    #expect(abs(w.reduce(0, +) / n) < 4 * (variance / n).squareRoot())
    // The variance of w² is b⁴ · 4/45.
    #expect(abs(second - variance) < 4 * bound * bound * (4 / 45 / n).squareRoot())
  }

  @Test func `biases are drawn under the uniform law only`() {
    for initializer in [Initializer.he, .glorot, .uniform] {
      let model = model(initializer)
      let biases = model.layers.flatMap { values(model, $0.biasRange ?? 0..<0) }
      #expect(biases.contains { $0 != 0 } == (initializer == .uniform))
      #expect(values(model, model.layers[0].biasRange ?? 0..<0).allSatisfy { abs($0) <= 1 / 200.squareRoot() })
    }
  }

  @Test(arguments: [Initializer.he, .glorot, .uniform])
  func `the same seed gives the same bits, another seed others`(initializer: Initializer) {
    #expect(model(initializer).parameters == model(initializer).parameters)
    #expect(model(initializer).parameters != model(initializer, seed: 2).parameters)
  }

  @Test func `a restarted network has other weights, the same for the same restart`() {
    let setup = LearnerSetup(shape: TaskShape(inputs: 4, outputs: 2), hidden: [5], seed: Seed(3))
    #expect(setup.makeModel(restart: 1).parameters == setup.makeModel(restart: 1).parameters)
    #expect(setup.makeModel(restart: 1).parameters != setup.makeModel().parameters)
  }

  @Test func `growth at the end leaves every parameter at its place`() {
    var model = model(.uniform, inputs: 3, hidden: [5])
    let before = model
    var rng = Seed(9).stream("head")
    let head = model.addLayer("head", inputs: 5, outputs: 2, isOutput: true, using: &rng)
    let factor = model.addMatrix("factor", inputs: 5, outputs: 3, deviation: 0, using: &rng)
    #expect(Array(model.parameters.array.prefix(before.parameters.count)) == before.parameters.array)
    #expect(Array(model.layout.blocks.prefix(before.layout.blocks.count)) == before.layout.blocks)
    #expect(model.layers == before.layers && model.plainRoute == before.plainRoute)
    #expect(head.weight >= before.parameters.count && head.weight % 16 == 0)
    #expect(model.parameterCount == before.parameterCount + 5 * 2 + 2 + 5 * 3)
    #expect(values(model, factor.weightRange).allSatisfy { $0 == 0 })
  }

  @Test func `tensors start at 64-byte boundaries and the gaps hold zeros`() {
    let model = model(.uniform, inputs: 3, hidden: [5])
    var inside = Set<Int>()
    for block in model.layout.blocks {
      #expect(block.offset % 16 == 0)
      inside.formUnion(block.range)
    }
    #expect(inside.count == model.parameterCount)
    #expect((0..<model.parameters.count).allSatisfy { inside.contains($0) || model.parameters[$0] == 0 })
  }
}
