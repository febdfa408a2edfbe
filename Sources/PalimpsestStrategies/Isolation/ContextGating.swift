import PalimpsestCore

/// Context-dependent gating: every task has a fixed random subset of the hidden units; the others are off.
///
/// h ← a ∘ f(x·W + b), with a 0 for a share `gated` of each layer's units and 1 for the others. What is gated is the activation: a unit
/// that is off says 0, not f(b). Units are shared among tasks, so earlier predictions change: gating weakens interference and does not
/// end it, and is often put beside a penalty. A task with other outputs than the first has a fresh head of its own. An unknown task,
/// and one that has not begun, takes the latest way.
///
/// - Memory: one float a hidden unit and task. Time: one operation a hidden unit.
/// - Source: Masse, Grant & Freedman 2018.
public struct ContextGating: Isolation {
  public static let name = "xdg"
  public static let summary = "Switches a fixed random share of the hidden units off for each task."
  public static let source = "Masse, Grant & Freedman, PNAS 2018: the activation is gated, not what enters the unit."

  @Parameter("Share of each hidden layer's units that are off, at least one stays on.", .within(0..<1))
  public var gated: Double = 0.8

  private var routes = TaskRoutes()
  /// Of each task the places of its gates, layer by layer.
  private var gates: [[Int]] = []

  public init() {}

  public var isolatesPredictions: Bool { false }

  /// A head and a gate a hidden unit.
  public func parametersAdded(by experience: ExperienceInfo, beside layers: ParameterLayout) -> Double {
    layers.headParameters(outputs: experience.outputs.count) + layers.hiddenUnits
  }

  public mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    let route =
      if let first = routes.first {
        model.sharedHead(experience, like: first, using: &rng)
      } else {
        model.firstRoute(experience, using: &rng)
      }
    routes.append(route)
    gates.append(
      model.hidden.enumerated().map { layer, width in
        model.addVector("gate\(experience.index).layer\(layer)", draw(width, using: &rng)).lowerBound
      })
    return mask(model)
  }

  /// 0 for the units that are off, 1 for the others.
  private func draw(_ width: Int, using rng: inout Random) -> [Float] {
    var gate = [Float](repeating: 1, count: width)
    for unit in 0..<min(width - 1, Int((gated * Double(width)).rounded())) { gate[unit] = 0 }
    rng.shuffle(&gate)
    return gate
  }

  /// Everything but the gates.
  private func mask(_ model: MLP) -> ParameterMask {
    let closed = Set(gates.joined())
    let blocks = model.layout.blocks.filter { !closed.contains($0.offset) }
    return ParameterMask(blocks.map(\.range))
  }

  public func program(for experience: Int?, in model: MLP) -> Program {
    guard let latest = gates.indices.last else { return model.plainProgram }
    let (route, places) = (routes.route(for: experience, in: model), gates[min(experience ?? latest, latest)])
    var way = Program(inputs: model.shape.inputs, outputs: route.outputs)
    var slot = 0
    for (layer, place) in zip(route.layers, places) {
      slot = way.gate(way.dense(layer, from: slot, model.activation), at: place)
    }
    way.dense(route.head, from: slot)
    return way
  }
}

extension ContextGating: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    let counts = Set(gates.map(\.count))
    return counts.count <= 1 ? nil : "gates of \(counts.sorted()) layers"
  }
}
