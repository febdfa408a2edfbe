import PalimpsestCore

/// Biases for each task: the first task trains the network; each later task trains only biases of its own, which start
/// as the first task's.
///
/// A task with other outputs than the first has a fresh head of its own besides. Predictions for a known earlier task
/// never change. An unknown task, and one that has not begun, takes the latest route.
///
/// - Memory: one float a unit and task. Time: forward, and derivatives passed down to the first layer.
/// - Source: Ben Zaken et al. 2022 (BitFit), with one set of biases a task.
public struct BiasOnly: Isolation {
  public static let name = "bias-only"
  public static let summary = "Biases for each task over weights frozen after the first task."
  public static let source = "Ben Zaken et al. 2022 (BitFit), with one set of biases a task instead of one for all."

  private var routes = TaskRoutes()

  public init() {}

  public var isolatesPredictions: Bool { true }

  /// A bias a unit, and a head.
  public func parametersAdded(by experience: ExperienceInfo, beside layers: ParameterLayout) -> Double {
    layers.headParameters(outputs: experience.outputs.count) + layers.hiddenUnits
  }

  public mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    guard let first = routes.first else {
      return routes.open(model.firstRoute(experience, using: &rng))
    }
    var route = model.sharedHead(experience, like: first, using: &rng)
    let ownHead = route.head != first.head
    let layers = route.layers.indices.dropLast(ownHead ? 1 : 0)
    for layer in layers {
      route.layers[layer] = model.withOwnBias(
        route.layers[layer], "bias\(experience.index).layer\(layer)", using: &rng)
    }
    routes.append(route)
    return ParameterMask(layers.compactMap { route.layers[$0].biasRange } + (ownHead ? route.head.ranges : []))
      .inOrder
  }

  public func program(for experience: Int?, in model: MLP) -> Program { routes.program(for: experience, in: model) }
}

extension MLP {
  /// The layer with its weights and a copy of its bias.
  fileprivate mutating func withOwnBias(_ layer: DenseLayer, _ name: String, using rng: inout Random) -> DenseLayer {
    let bias = addMatrix(name, inputs: 1, outputs: layer.outputs, deviation: 0, using: &rng)
    if let shared = layer.biasRange {
      for (i, j) in zip(shared, bias.weightRange) { parameters[j] = parameters[i] }
    }
    return DenseLayer(weight: layer.weight, bias: bias.weight, inputs: layer.inputs, outputs: layer.outputs)
  }
}

extension ParameterMask {
  fileprivate var inOrder: ParameterMask { ParameterMask(ranges.sorted { $0.lowerBound < $1.lowerBound }) }
}
