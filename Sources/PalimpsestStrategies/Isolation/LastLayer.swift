import PalimpsestCore

/// A head for each task over hidden layers that only the first task trains.
///
/// Predictions for a known earlier task never change. An unknown task, and one that has not begun, takes the latest
/// head.
///
/// - Memory: one output layer a task. Time: a forward pass, and the gradient of one layer.
/// - Source: the linear probe of transfer learning.
public struct LastLayer: Isolation {
  public static let name = "last-layer"
  public static let summary = "A head for each task over hidden layers frozen after the first task."
  public static let source = "The linear probe of transfer learning, with one head a task."

  @Parameter("Whether a new head starts as a copy of the first task's or fresh.") public var headStart: HeadStart =
    .copy

  private var routes = TaskRoutes()

  public init() {}

  public var isolatesPredictions: Bool { true }

  public mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    guard let first = routes.first else {
      return routes.open(model.firstRoute(experience, using: &rng))
    }
    let route = model.ownHead(experience, like: first, start: headStart, using: &rng)
    routes.append(route)
    return .of([route.head])
  }

  public func program(for experience: Int?, in model: MLP) -> Program { routes.program(for: experience, in: model) }
}
