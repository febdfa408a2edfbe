import PalimpsestCore

/// A plain multilayer perceptron and its backward pass in double, written from the formulae.
struct DoubleNet {
  let model: MLP

  /// Layer by layer what a row becomes; the last are the logits.
  func activations(_ row: [Float]) -> [[Double]] {
    var all = [row.map(Double.init)]
    for (index, layer) in model.layers.enumerated() {
      let isOutput = index == model.layers.count - 1
      let z = affine(all[index], layer)
      all.append(isOutput ? z : z.map(activate))
    }
    return all
  }

  /// ∂/∂θ of Σ weight · cross-entropy.
  func gradient(_ batch: Batch, weights: [Float]) -> [Double] {
    var sum = [Double](repeating: 0, count: model.parameters.count)
    for row in 0..<batch.count {
      let values = activations(batch.inputs.row(row))
      let z = values[values.count - 1]
      let loss = DoubleNet.loss(z, label: Int(batch.labels[row]), isBinary: model.shape.isBinary)
      var above = loss.gradient.map { $0 * Double(weights[row]) }
      for (index, layer) in model.layers.enumerated().reversed() {
        addOuter(values[index], above, layer, to: &sum)
        above = index == 0 ? [] : passDown(above, layer, values[index])
      }
    }
    return sum
  }

  /// ln Σ eᶻ − z_y and softmax − one-hot; for the one logit of yes or no ln(1 + eᶻ) − y z and σ(z) − y.
  static func loss(_ z: [Double], label: Int, isBinary: Bool) -> (value: Double, gradient: [Double]) {
    if isBinary {
      let p = 1 / (1 + Elementary.exp(-z[0]))
      let softplus = max(z[0], 0) + Elementary.log(1 + Elementary.exp(-abs(z[0])))
      return (softplus - Double(label) * z[0], [p - Double(label)])
    }
    let top = z.max() ?? 0
    let powers = z.map { Elementary.exp($0 - top) }
    let sum = powers.reduce(0, +)
    let gradient = z.indices.map { powers[$0] / sum - ($0 == label ? 1 : 0) }
    return (Elementary.log(sum) + top - z[label], gradient)
  }

  private func affine(_ x: [Double], _ layer: DenseLayer) -> [Double] {
    (0..<layer.outputs).map { output in
      var z = layer.bias.map { Double(model.parameters[$0 + output]) } ?? 0
      for (input, value) in x.enumerated() { z += value * weight(layer, input, output) }
      return z
    }
  }

  private func addOuter(_ x: [Double], _ d: [Double], _ layer: DenseLayer, to sum: inout [Double]) {
    for (output, slope) in d.enumerated() {
      for (input, value) in x.enumerated() { sum[layer.weight + input * layer.outputs + output] += value * slope }
      if let bias = layer.bias { sum[bias + output] += slope }
    }
  }

  private func passDown(_ d: [Double], _ layer: DenseLayer, _ a: [Double]) -> [Double] {
    a.enumerated().map { input, a in
      let slope = model.activation == .relu ? (a > 0 ? 1 : 0) : 1 - a * a
      return slope * d.enumerated().reduce(0) { $0 + $1.element * weight(layer, input, $1.offset) }
    }
  }

  private func weight(_ layer: DenseLayer, _ input: Int, _ output: Int) -> Double {
    Double(model.parameters[layer.weight + input * layer.outputs + output])
  }

  private func activate(_ z: Double) -> Double {
    guard model.activation == .tanh else { return max(0, z) }
    let e = Elementary.exp(-2 * abs(z))
    return (z < 0 ? -1 : 1) * (1 - e) / (1 + e)
  }
}

/// Keeps the data gradient of the last step.
struct GradientKeeper: Penalty {
  static let name = "gradient-keeper"
  static let summary = "Keeps the data gradient."
  static let source = "For these tests."
  private(set) var gradient = FloatBuffer(count: 0)
  private(set) var update = FloatBuffer(count: 0)

  func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }

  mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {
    self.gradient.copy(from: gradient)
    self.update.copy(from: update)
  }
}
