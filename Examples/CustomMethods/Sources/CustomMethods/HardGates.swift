import Palimpsest

/// Hard attention with drawn masks: each task switches on a random share of the hidden units, and what enters a unit that an
/// earlier task had on is closed to later ones. Earlier predictions keep their bits; units are shared as long as they last.
///
/// It builds the way of a task with gates, and masks single parameters.
/// - Memory: one float a hidden unit and task. A head of its own for each task.
public struct HardGates: Isolation {
  public static let name = "hard-gates"
  public static let summary = "A drawn share of the hidden units for each task; what earlier tasks used is closed."
  public static let source =
    "Serrà et al., \"Overcoming catastrophic forgetting with hard attention\", ICML 2018; masks are drawn."

  @Parameter("Share of each hidden layer's units that are on for a task.", .within(0...1)) public var share: Double =
    0.4

  private var gates: [[Range<Int>]] = []
  private var heads: [DenseLayer] = []
  private var outputs: [Range<Int>] = []

  public init() {}

  public var isolatesPredictions: Bool { true }

  public mutating func prepare(_ model: inout MLP, for task: ExperienceInfo, using rng: inout Random) -> ParameterMask {
    let used = model.hidden.indices.map { layer in gates.map { $0[layer] } }
    let closed = used.map { ranges in ranges.map { $0.map { model.parameters[$0] > 0 } } }
    gates.append(
      model.hidden.enumerated().map { layer, width in
        var gate = (0..<width).map { Float($0 < Int((share * Double(width)).rounded(.up)) ? 1 : 0) }
        rng.shuffle(&gate)
        return model.addVector("gate\(task.index).\(layer)", gate)
      })
    heads.append(
      model.addLayer(
        "head\(task.index)", inputs: model.penultimateWidth, outputs: task.outputs.count, isOutput: true, using: &rng))
    outputs.append(task.outputs)
    return mask(model, closed)
  }

  /// The weights and biases of units that no earlier task had on, and the task's head.
  private func mask(_ model: MLP, _ closed: [[[Bool]]]) -> ParameterMask {
    var isOpen = [UInt8](repeating: 0, count: model.parameters.count)
    for (layer, dense) in model.layers.dropLast().enumerated() {
      for unit in 0..<dense.outputs where !closed[layer].contains(where: { $0[unit] }) {
        for input in 0..<dense.inputs { isOpen[dense.weight + input * dense.outputs + unit] = 1 }
        if let bias = dense.bias { isOpen[bias + unit] = 1 }
      }
    }
    for range in heads.last?.ranges ?? [] { for i in range { isOpen[i] = 1 } }
    return ParameterMask(owners: isOpen) { $0 == 1 }
  }

  public func program(for experience: Int?, in model: MLP) -> Program {
    guard let latest = heads.indices.last else { return model.plainProgram }
    let task = min(experience ?? latest, latest)
    var way = Program(inputs: model.shape.inputs, outputs: outputs[task])
    var slot = 0
    for (layer, gate) in zip(model.layers, gates[task]) {
      slot = way.gate(way.dense(layer, from: slot, model.activation), at: gate.lowerBound)
    }
    way.dense(heads[task], from: slot)
    return way
  }
}
