import PalimpsestCore

/// How an output layer of a task's own starts.
public enum HeadStart: String, ParameterChoice {
  /// With the weights that the first task's head has now, where it is as wide; else fresh.
  case copy
  /// With fresh weights.
  case fresh
}

/// The routes of the tasks begun so far, in their order.
struct TaskRoutes: Sendable, Codable {
  private var routes: [Route] = []

  var first: Route? { routes.first }
  var count: Int { routes.count }

  subscript(task: Int) -> Route { routes[task] }

  mutating func append(_ route: Route) { routes.append(route) }

  /// Appends the first task's route, whose layers it trains all.
  mutating func open(_ route: Route) -> ParameterMask {
    append(route)
    return .of(route.layers)
  }

  /// A task's route. The latest serves an unknown task and one that has not begun; before any task it is the plain one.
  func route(for experience: Int?, in model: MLP) -> Route {
    guard let latest = routes.indices.last else { return model.plainRoute }
    return routes[min(experience ?? latest, latest)]
  }

  func program(for experience: Int?, in model: MLP) -> Program { model.program(route(for: experience, in: model)) }
}

extension Route {
  var head: DenseLayer { layers[layers.count - 1] }

  /// The same hidden layers under another head.
  func replacingHead(_ head: DenseLayer, outputs: Range<Int>) -> Route {
    var copy = self
    copy.layers[layers.count - 1] = head
    copy.outputs = outputs
    return copy
  }
}

extension MLP {
  /// The route of the first task: the network's own output layer where the task uses all outputs, else a head for its
  /// outputs.
  mutating func firstRoute(_ task: ExperienceInfo, using rng: inout Random) -> Route {
    if task.outputs == 0..<shape.outputs { return plainRoute }
    return plainRoute.replacingHead(addHead(task, using: &rng), outputs: task.outputs)
  }

  /// The first task's route under an output layer of the task's own.
  mutating func ownHead(
    _ task: ExperienceInfo, like first: Route, start: HeadStart, using rng: inout Random
  ) -> Route {
    let head = addHead(task, using: &rng)
    if start == .copy && head.outputs == first.head.outputs { copy(first.head, to: head) }
    return first.replacingHead(head, outputs: task.outputs)
  }

  /// The first task's route, under a head of its own only where the task's outputs are others.
  mutating func sharedHead(_ task: ExperienceInfo, like first: Route, using rng: inout Random) -> Route {
    if task.outputs == first.outputs { return first }
    return ownHead(task, like: first, start: .fresh, using: &rng)
  }

  /// A whole network of the task's own, with fresh weights.
  mutating func ownNetwork(_ task: ExperienceInfo, using rng: inout Random) -> Route {
    var width = shape.inputs
    var layers: [DenseLayer] = []
    for (index, next) in hidden.enumerated() {
      layers.append(
        addLayer("network\(task.index).layer\(index)", inputs: width, outputs: next, isOutput: false, using: &rng))
      width = next
    }
    return Route(layers: layers + [addHead(task, using: &rng)], outputs: task.outputs)
  }

  private mutating func addHead(_ task: ExperienceInfo, using rng: inout Random) -> DenseLayer {
    addLayer(
      "head\(task.index)", inputs: penultimateWidth, outputs: task.outputs.count, isOutput: true, using: &rng)
  }

  private mutating func copy(_ source: DenseLayer, to target: DenseLayer) {
    for (from, to) in zip(source.ranges, target.ranges) {
      for (i, j) in zip(from, to) { parameters[j] = parameters[i] }
    }
  }
}

extension ParameterMask {
  /// Exactly the weights and biases of some layers.
  static func of(_ layers: [DenseLayer]) -> ParameterMask {
    ParameterMask(layers.flatMap(\.ranges).sorted { $0.lowerBound < $1.lowerBound })
  }
}
