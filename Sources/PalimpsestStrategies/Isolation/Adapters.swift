import PalimpsestCore

/// Bottleneck adapters: the first task trains the network, which is then frozen; each later task trains a residual
/// bottleneck h + f(h·D)·U after every hidden layer, and a head of its own.
///
/// U starts at 0, so a task starts from the first task's features. D is drawn with standard deviation 1/√width. The
/// adapters have no biases: at 10-16-8-1, rank 2 is 2·2·(16 + 8) + 9 = 105 parameters a task. Rows of each task take
/// its own adapters: predictions for a known earlier task never change, under any optimiser. An unknown task, and one
/// that has not begun, takes the latest route.
///
/// - Memory: 2 · rank · width floats a hidden layer and task, and a head. Time: the trunk's forward pass and the
///   adapters.
/// - Source: Houlsby et al. 2019 (after every hidden layer; there two a transformer block, with biases).
public struct Adapters: Isolation {
  public static let name = "adapters"
  public static let summary = "Residual bottlenecks and a head for each task over layers frozen after the first task."
  public static let source = """
    Houlsby et al. 2019, without biases and for a multilayer perceptron; the trunk is what the first task learned.
    """

  @Parameter("Width of the bottleneck.", .width) public var rank: Int = 2
  @Parameter("A head for each task; false keeps the first task's wherever a task has the same outputs.")
  public var head: Bool = true
  @Parameter("Whether a new head starts as a copy of the first task's or fresh.") public var headStart: HeadStart =
    .copy

  private var routes = TaskRoutes()

  public init() {}

  public var isolatesPredictions: Bool { true }

  public func parametersAdded(by experience: ExperienceInfo, beside layers: ParameterLayout) -> Double {
    layers.headParameters(outputs: experience.outputs.count) + 2 * Double(rank) * layers.hiddenUnits
  }

  public mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    guard let first = routes.first else {
      return routes.open(model.firstRoute(experience, using: &rng))
    }
    var route =
      head
      ? model.ownHead(experience, like: first, start: headStart, using: &rng)
      : model.sharedHead(experience, like: first, using: &rng)
    for layer in model.hidden.indices {
      route.bottlenecks[layer] = bottleneck(&model, after: layer, for: experience, using: &rng)
    }
    routes.append(route)
    return .of(trained(route, first))
  }

  public func program(for experience: Int?, in model: MLP) -> Program { routes.program(for: experience, in: model) }

  private func bottleneck(
    _ model: inout MLP, after layer: Int, for task: ExperienceInfo, using rng: inout Random
  ) -> Bottleneck {
    let width = model.hidden[layer]
    let name = "adapter\(task.index).layer\(layer)"
    return Bottleneck(
      down: model.addMatrix(
        name + ".down", inputs: width, outputs: rank, deviation: 1 / Double(width).squareRoot(), using: &rng),
      up: model.addMatrix(name + ".up", inputs: rank, outputs: width, deviation: 0, using: &rng))
  }

  private func trained(_ route: Route, _ first: Route) -> [DenseLayer] {
    route.bottlenecks.values.flatMap { [$0.down, $0.up] } + (route.head == first.head ? [] : [route.head])
  }
}
