import PalimpsestCore

/// Low-rank adapters: the first task trains the network, which is then frozen; each later task trains x·A·B · (alpha /
/// rank) beside every layer, the output layer included.
///
/// B starts at 0, so a task starts from the first task's function; A is drawn with standard deviation 1/√inputs. A task
/// with other outputs than the first has a fresh head of its own in place of the low-rank term beside the output layer.
/// The product is never merged into the frozen weights: that would give the isolation up. Predictions for a known
/// earlier task never change. An unknown task, and one that has not begun, takes the latest route.
///
/// - Memory: rank · (inputs + outputs) floats a layer and task. Time: the trunk's forward pass and the factors.
/// - Source: Hu et al. 2022 (LoRA).
public struct LowRankAdapters: Isolation {
  public static let name = "low-rank"
  public static let summary =
    "Low-rank factors beside every layer for each task, over layers frozen after the first task."
  public static let source =
    "Hu et al. 2022 (LoRA): B = 0 and A normal at the start, scale alpha/rank; beside every layer."

  @Parameter("Rank of the factors.", .width) public var rank: Int = 2
  @Parameter("Scale of the product, divided by the rank.", .above(0)) public var alpha: Float = 2

  private var routes = TaskRoutes()

  public init() {}

  public var isolatesPredictions: Bool { true }

  public func parametersAdded(by experience: ExperienceInfo, beside layers: ParameterLayout) -> Double {
    layers.weights.reduce(layers.headParameters(outputs: experience.outputs.count)) {
      $0 + Double(rank) * (Double($1.rows) + Double($1.columns))
    }
  }

  public mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    guard let first = routes.first else {
      return routes.open(model.firstRoute(experience, using: &rng))
    }
    var route = model.sharedHead(experience, like: first, using: &rng)
    let ownHead = route.head != first.head
    for layer in route.layers.indices.dropLast(ownHead ? 1 : 0) {
      route.lowRank[layer] = factors(&model, beside: route.layers[layer], layer, for: experience, using: &rng)
    }
    routes.append(route)
    return .of(route.lowRank.values.flatMap { [$0.a, $0.b] } + (ownHead ? [route.head] : []))
  }

  public func program(for experience: Int?, in model: MLP) -> Program { routes.program(for: experience, in: model) }

  private func factors(
    _ model: inout MLP, beside layer: DenseLayer, _ index: Int, for task: ExperienceInfo, using rng: inout Random
  ) -> LowRank {
    let name = "low-rank\(task.index).layer\(index)"
    let deviation = 1 / Double(layer.inputs).squareRoot()
    return LowRank(
      a: model.addMatrix(name + ".a", inputs: layer.inputs, outputs: rank, deviation: deviation, using: &rng),
      b: model.addMatrix(name + ".b", inputs: rank, outputs: layer.outputs, deviation: 0, using: &rng),
      scale: alpha / Float(rank))
  }
}
