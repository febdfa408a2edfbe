import PalimpsestCore
import PalimpsestTesting
import Testing

/// What a network tells of itself: outputs, features, activations and gradients of every kind.
@Suite struct NetworkTests {
  /// Gates on the way: none, or one before the first layer, one after it, one on top of another slot and one on the logits, with
  /// numbers other than 0 and 1 that are held or trained.
  enum Gates: CaseIterable { case none, fixed, trained }

  /// A network of 3-5-4-2 with a bottleneck after the first layer, low-rank factors beside the second, and a lateral layer from the
  /// inputs to the last hidden one: every kind of step.
  private func world(_ gates: Gates = .none) -> (Network, Program) {
    var rng = Seed(12).stream("network")
    var model = MLP(
      shape: TaskShape(inputs: 3, outputs: 2), hidden: [5, 4], activation: .tanh, initializer: .uniform, using: &rng)
    let (down, up) = (matrix(&model, 5, 2, &rng), matrix(&model, 2, 5, &rng))
    let (a, b, side) = (matrix(&model, 5, 1, &rng), matrix(&model, 1, 4, &rng), matrix(&model, 3, 4, &rng))
    if gates != .none { return gated(model, down, up, gates) }
    var way = Program(inputs: 3, outputs: 0..<2)
    let first = way.dense(model.layers[0], from: 0, .tanh)
    let inner = way.dense(down, from: first, .tanh)
    let sum = way.dense(up, from: inner, onto: way.copy(first))
    let low = way.dense(a, from: sum)
    way.scale(low, by: 0.5)
    let hidden = way.dense(b, from: low)
    way.dense(side, from: 0, onto: hidden)
    way.dense(model.layers[1], from: sum, onto: hidden, .tanh)
    way.dense(model.layers[2], from: hidden)
    return (Network(model), way)
  }

  /// The same without the low-rank factors, through gates. What a gate reads is read by others too, before it and after it.
  private func gated(_ plain: MLP, _ down: DenseLayer, _ up: DenseLayer, _ gates: Gates) -> (Network, Program) {
    var (model, way) = (plain, Program(inputs: 3, outputs: 0..<2))
    let held = model.parameters.count
    func add(_ values: [Float]) -> Int { model.addVector("gate\(model.layout.blocks.count)", values).lowerBound }
    let input = way.gate(0, at: add([0.5, -1.5, 2]), onto: way.copy(way.gate(0, at: add([2, 0.25, -0.75]))))
    let first = way.dense(model.layers[0], from: input, .tanh)
    let open = way.gate(first, at: add([1.25, -0.5, 3, 0.75, -2]))
    let inner = way.dense(down, from: first, .tanh)
    let sum = way.dense(up, from: inner, onto: open)
    way.gate(first, at: add([-0.75, 1.5, 0.5, -1.25, 2.5]), onto: sum)
    let hidden = way.dense(model.layers[1], from: sum, .tanh)
    way.gate(way.dense(model.layers[2], from: hidden), at: add([1.5, -0.5]))
    if gates == .fixed { way = way.training(ParameterMask([0..<held])) }
    return (Network(model), way)
  }

  private func matrix(_ model: inout MLP, _ inputs: Int, _ outputs: Int, _ rng: inout Random) -> DenseLayer {
    model.addMatrix("m\(model.layout.blocks.count)", inputs: inputs, outputs: outputs, deviation: 0.7, using: &rng)
  }

  private func inputs(_ rows: Int = 5) -> Matrix {
    var rng = Seed(13).stream("inputs")
    return Matrix((0..<rows).map { _ in (0..<3).map { _ in Float(rng.normal()) } })
  }

  /// Σ_rows c_row ‖z_row‖², with c_row = row + 1.
  private func weighted(_ logits: Matrix, _ slope: inout Matrix) -> Double {
    var sum = 0.0
    for row in 0..<logits.rows {
      for c in 0..<logits.columns {
        slope[row, c] = 2 * Float(row + 1) * logits[row, c]
        sum += Double(row + 1) * Double(logits[row, c]) * Double(logits[row, c])
      }
    }
    return sum
  }

  private func gradient(_ network: Network, _ way: Program, _ inputs: Matrix) -> FloatBuffer {
    var (network, gradient) = (network, FloatBuffer(count: network.model.parameters.count))
    _ = network.gradient(of: inputs, way, into: &gradient, weighted)
    return gradient
  }

  @Test(arguments: Gates.allCases)
  func `the gradient of any function of the logits is its derivative`(gates: Gates) {
    let (network, way) = world(gates)
    let (gradient, inputs) = (gradient(network, way, inputs()), inputs())
    #expect(way.problem(in: network.model) == nil)
    let held = world().0.model.parameters.count
    let differences = (0..<gradient.count).map { i in
      gates == .fixed && i >= held
        ? 0
        : difference { h in
          var moved = network
          moved.model.parameters[i] += Float(h)
          var ignored = FloatBuffer(count: gradient.count)
          return moved.gradient(of: inputs, way, into: &ignored, weighted)
        }
    }
    let scale = differences.reduce(0) { max($0, abs($1)) }
    #expect(scale > 1)
    for i in 0..<gradient.count { #expect(abs(Double(gradient[i]) - differences[i]) < 2e-4 * scale) }
  }

  @Test(arguments: Gates.allCases)
  func `a gradient is added to what is there`(gates: Gates) {
    let (network, way) = world(gates)
    var (copy, sum) = (network, FloatBuffer(repeating: 3, count: network.model.parameters.count))
    _ = copy.gradient(of: inputs(), way, into: &sum, weighted)
    let alone = gradient(network, way, inputs())
    for i in 0..<sum.count { #expect(abs(sum[i] - 3 - alone[i]) < 1e-5 * max(1, abs(alone[i]))) }
    #expect(copy.model.parameters == network.model.parameters)
  }

  @Test(arguments: Gates.allCases)
  func `the derivative of the inputs is that of the value`(gates: Gates) {
    let (network, way) = world(gates)
    var copy = network
    let inputs = inputs()
    let gradient = copy.inputGradient(of: inputs, way, weighted)
    for row in 0..<inputs.rows {
      for c in 0..<inputs.columns {
        let expected = difference { h in
          var moved = inputs
          moved[row, c] += Float(h)
          var slope = Matrix(rows: moved.rows, columns: 2)
          return weighted(copy.logits(moved, way), &slope)
        }
        #expect(abs(Double(gradient[row, c]) - expected) < 2e-3 * max(1, abs(expected)), "row \(row), column \(c)")
      }
    }
  }

  /// Of a function at 0, extrapolated.
  private func difference(_ f: (Double) -> Double) -> Double {
    let h = 1.0 / 64
    return (4 * (f(h) - f(-h)) / (2 * h) - (f(2 * h) - f(-2 * h)) / (4 * h)) / 3
  }

  @Test(arguments: Gates.allCases)
  func `gradients of rows are those of each row alone, and add up`(gates: Gates) {
    let (network, way) = world(gates)
    let inputs = inputs()
    var copy = network
    var sum = FloatBuffer(count: network.model.parameters.count)
    var rows: [FloatBuffer] = []
    copy.forEachGradient(of: inputs, way, weighted) { row, gradient in
      #expect(row == rows.count)
      rows.append(gradient)
      sum.add(gradient)
    }
    let whole = gradient(network, way, inputs)
    for i in 0..<sum.count { #expect(abs(sum[i] - whole[i]) < 1e-4 * max(1, abs(whole[i]))) }
    var first = Matrix(rows: 1, columns: 3)
    for c in 0..<3 { first[0, c] = inputs[0, c] }
    #expect(rows[0] == gradient(network, way, first))
  }

  @Test(arguments: [RowMeasure.squares, .magnitudes], Gates.allCases)
  func `sums over rows are those of each row's gradient`(measure: RowMeasure, gates: Gates) {
    let (network, way) = world(gates)
    let inputs = inputs(7)
    var expected = [Double](repeating: 0, count: network.model.parameters.count)
    var copy = network
    copy.forEachGradient(of: inputs, way, weighted) { _, gradient in
      for i in expected.indices {
        let g = Double(gradient[i])
        expected[i] += measure == .squares ? g * g : abs(g)
      }
    }
    var sums = RowGradientSums(network, way, measure)
    // In blocks of 3, 3 and 1; a slope of z counts 2 (row + 1) times, or its square.
    sums.add(Rows(inputs, labels: [Int32](repeating: 0, count: 7), experience: 0), blockRows: 3) { logits, first in
      let factors = (0..<logits.rows).map { Float(2 * (first + $0 + 1)) }
      return [RowGradientSums.Slopes(logits, factors: measure == .squares ? factors.map { $0 * $0 } : factors)]
    }
    let scale = expected.max() ?? 0
    for i in expected.indices { #expect(abs(sums.sums[i] - expected[i]) < 1e-5 * scale) }
  }

  @Test(arguments: [RowMeasure.squares, .magnitudes], Gates.allCases)
  func `sums over blocks are those of each block's mean gradient`(measure: RowMeasure, gates: Gates) {
    let ((network, way), inputs) = (world(gates), inputs(7))
    var expected = [Double](repeating: 0, count: network.model.parameters.count)
    for block in [0..<3, 3..<6, 6..<7] {
      var copy = network
      var mean = FloatBuffer(count: expected.count)
      _ = copy.gradient(of: inputs.rows(block), way, into: &mean) { logits, slope in
        for row in 0..<logits.rows {
          let share = 2 * Float(block.lowerBound + row + 1) / Float(block.count)
          for c in 0..<logits.columns { slope[row, c] = share * logits[row, c] }
        }
        return 0
      }
      for i in expected.indices {
        expected[i] += Double(measure == .squares ? mean[i] * mean[i] : mean[i].magnitude)
      }
    }
    var sums = RowGradientSums(network, way, measure)
    sums.addBatched(Rows(inputs, labels: [Int32](repeating: 0, count: 7), experience: 0), blockRows: 3) {
      logits, first in
      [RowGradientSums.Slopes(logits, factors: (0..<logits.rows).map { Float(2 * (first + $0 + 1)) })]
    }
    let scale = expected.max() ?? 0
    #expect(scale > 1)
    for i in expected.indices { #expect(abs(sums.sums[i] - expected[i]) < 1e-5 * scale) }
  }

  @Test func `sensitivity by hand`() {
    // z = x W with W rows (1, −1), (½, 2) by outputs (z₁ = x₁ − x₂, z₂ = ½ x₁ + 2 x₂): row (1, 2) gives z = (−1, 4.5), row (−1, 1)
    // gives z = (−2, 1.5). |∂‖z‖²/∂w| = 2 |z||x|: for z₁ 2·(1·1 + 2·1) / 2 = 3 and 2·(1·2 + 2·1) / 2 = 4; for z₂
    // 2·(4.5·1 + 1.5·1) / 2 = 6 and 2·(4.5·2 + 1.5·1) / 2 = 10.5.
    var rng = Seed(1).stream("init")
    var model = MLP(shape: TaskShape(inputs: 2, outputs: 2), hidden: [], using: &rng)
    let layer = model.layers[0]
    for (i, w) in [Float(1), 0.5, -1, 2].enumerated() { model.parameters[layer.weight + i] = w }
    var sums = RowGradientSums(Network(model), model.plainProgram, .magnitudes)
    sums.add(Rows(Matrix([[1, 2], [-1, 1]]), labels: [0, 0], experience: 0)) { logits, _ in
      [RowGradientSums.Slopes(logits, factors: [2 * 0.5, 2 * 0.5])]
    }
    #expect(Array(sums.sums[layer.weightRange]) == [3, 6, 4, 10.5])
  }

  @Test func `features and activations are what the layers make`() {
    // Layer 1: relu(x W) with W = (1, −1); layer 2: 2 h₁ + 3 h₂. Row 4: h = (4, 0), z = 8; row −1: h = (0, 1), z = 3.
    var rng = Seed(1).stream("init")
    var model = MLP(shape: TaskShape(inputs: 1, outputs: 1), hidden: [2], using: &rng)
    for (layer, weights) in zip(model.layers, [[Float(1), -1], [2, 3]]) {
      for (i, w) in weights.enumerated() { model.parameters[layer.weight + i] = w }
    }
    var network = Network(model)
    let (way, rows) = (model.plainProgram, Matrix([[4], [-1]]))
    #expect(network.logits(rows, way) == Matrix([[8], [3]]))
    #expect(network.features(rows, way) == Matrix([[4, 0], [0, 1]]))
    #expect(way.hiddenSlots == [1] && network.activations(rows, way, of: 1) == Matrix([[4, 0], [0, 1]]))
    #expect(
      network.activations(rows, way, of: 0) == rows
        && network.activations(rows, way, of: way.logits) == Matrix([[8], [3]]))
    // Five forward passes of two rows: 1 · 2 + 2 · 1 multiply-adds each.
    #expect(network.work.multiplyAdds == 5 * 2 * 4)
    var gradient = FloatBuffer(count: model.parameters.count)
    _ = network.gradient(of: rows, way, into: &gradient) { _, slope in
      slope.clear()
      return 0
    }
    // Forward, weights, and derivatives to the hidden layer: 4 + 4 + 2.
    #expect(network.work.multiplyAdds == 40 + 2 * 10)
  }

  @Test func `rows beyond a block go through in blocks`() {
    let (network, way) = world()
    var copy = network
    let all = inputs(600)
    let logits = copy.logits(all, way)
    for row in [0, 255, 256, 599] {
      var one = Matrix(rows: 1, columns: 3)
      for c in 0..<3 { one[0, c] = all[row, c] }
      #expect(copy.logits(one, way).row(0) == logits.row(row))
    }
  }

  @Test func `a way that a network has not is named`() {
    let (network, way) = world()
    let model = network.model
    func problem(_ change: (inout Program) -> Void) -> String? {
      var way = Program(inputs: 3, outputs: 0..<2)
      change(&way)
      return way.problem(in: model)
    }
    #expect(way.problem(in: model) == nil && model.plainProgram.problem(in: model) == nil)
    #expect(problem { _ in } == "no way to outputs 0..<2")
    #expect(problem { $0.dense(model.layers[0], from: 0) } == "5 logits for outputs 0..<2")
    #expect(
      problem { $0.dense(model.layers[1], from: 0) } == "step 0: a layer of 5 × 4 from 3 to 4 columns")
    #expect(
      problem { $0.dense(DenseLayer(weight: 9999, bias: nil, inputs: 3, outputs: 2), from: 0) }
        == "step 0: a layer outside the \(model.parameters.count) parameters")
    #expect(
      problem {
        let hidden = $0.dense(model.layers[0], from: 0, .tanh)
        $0.scale(hidden, by: 2)
      } == "step 1: it changes what has gone through a nonlinearity")
    #expect(
      problem {
        $0.dense(model.layers[0], from: 0, .tanh)
        $0.dense(DenseLayer(weight: 0, bias: nil, inputs: 3, outputs: 2), from: 0)
      } == "step 0: it leads to no logit")
    #expect(Program(inputs: 4, outputs: 0..<2).problem(in: model) == "no way to outputs 0..<2")
    #expect(
      Program(Route(layers: [], outputs: 0..<2), activation: .relu).problem(in: model) == "no way to outputs 0..<2")
  }
}

extension Matrix {
  /// Some rows of it.
  fileprivate func rows(_ range: Range<Int>) -> Matrix { Matrix(range.map { row($0) }) }
}
