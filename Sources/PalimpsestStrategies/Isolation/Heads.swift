import PalimpsestCore

/// An output layer for each task over shared hidden layers: multi-head training.
///
/// A task's head has the task's outputs. The first task takes the network's own output layer where it uses all outputs.
/// An unknown task, and one that has not begun, is predicted through the latest head. With `old` "trained" a head keeps
/// learning from replayed rows of its task; an optimiser that carries momentum over, or weight decay, then moves old
/// heads without any row of theirs. "frozen" keeps their bits. The hidden layers stay shared, so earlier predictions
/// change either way.
///
/// - Memory: one output layer a task.
/// - Source: the multi-head protocol of task-incremental learning (Li & Hoiem 2016, van de Ven et al. 2022).
public struct Heads: Isolation {
  public static let name = "heads"
  public static let summary = "An output layer for each task over shared hidden layers."
  public static let source =
    "The multi-head protocol of task-incremental learning: Li & Hoiem 2016, van de Ven et al. 2022."

  /// What becomes of the heads of earlier tasks.
  public enum Old: String, ParameterChoice {
    case trained, frozen
  }

  @Parameter("Whether heads of earlier tasks may still change, through replayed rows of their tasks.")
  public var old: Old = .trained
  @Parameter("Whether a new head starts as a copy of the first task's or fresh.") public var headStart: HeadStart =
    .fresh

  private var routes = TaskRoutes()

  public init() {}

  public var isolatesPredictions: Bool { false }

  public mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    let route =
      if let first = routes.first {
        model.ownHead(experience, like: first, start: headStart, using: &rng)
      } else {
        model.firstRoute(experience, using: &rng)
      }
    routes.append(route)
    return old == .trained ? .all(model.parameters.count) : .of(route.layers)
  }

  public func program(for experience: Int?, in model: MLP) -> Program { routes.program(for: experience, in: model) }
}
