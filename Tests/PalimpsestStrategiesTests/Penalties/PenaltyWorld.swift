import PalimpsestCore

/// Small tasks whose Fisher information and gradients are known in closed form.
enum PenaltyWorld {
  /// A linear model with the given number of inputs and outputs, and random weights.
  static func linear(inputs: Int, outputs: Int, seed: UInt64 = 1) -> MLP {
    var rng = Seed(seed).stream("linear model")
    return MLP(shape: TaskShape(inputs: inputs, outputs: outputs), hidden: [], initializer: .uniform, using: &rng)
  }

  static func rows(_ count: Int, inputs: Int, labels: Range<Int>, seed: UInt64 = 1) -> Rows {
    var rng = Seed(seed).stream("rows")
    let matrix = Matrix((0..<count).map { _ in (0..<inputs).map { _ in Float(rng.normal()) } })
    let drawn = (0..<count).map { _ in Int32(labels.lowerBound + rng.index(below: labels.count)) }
    return Rows(matrix, labels: drawn, experience: 0)
  }

  static func ended(_ model: MLP, _ data: Rows, route: Route? = nil, outputs: Range<Int>? = nil) -> EndedExperience {
    let all = 0..<model.shape.outputs
    return EndedExperience(
      info: info(0, outputs: model.shape.outputs), data: data, network: Network(model),
      way: model.program(route ?? model.plainRoute),
      outputs: outputs ?? all)
  }

  static func info(_ index: Int, outputs: Int) -> ExperienceInfo {
    ExperienceInfo(index: index, name: "task", outputs: 0..<outputs, seenOutputs: 0..<outputs, rows: 1)
  }

  /// Probabilities of a linear model in double: softmax over `outputs`, or of label 1 where there is one output.
  static func probabilities(_ model: MLP, _ layer: DenseLayer, _ x: [Float], _ outputs: Range<Int>) -> [Double] {
    let z = (0..<layer.outputs).map { k -> Double in
      var sum = layer.bias.map { Double(model.parameters[$0 + k]) } ?? 0
      for (j, value) in x.enumerated() {
        sum += Double(value) * Double(model.parameters[layer.weight + j * layer.outputs + k])
      }
      return sum
    }
    if z.count == 1 { return [Elementary.logistic(z[0])] }
    let e = z.indices.map { outputs.contains($0) ? Elementary.exp(z[$0]) : 0 }
    return e.map { $0 / e.reduce(0, +) }
  }
}
