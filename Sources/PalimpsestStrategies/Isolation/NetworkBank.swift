import PalimpsestCore

/// A network for each concept: what being told the concept is worth where nothing is shared.
///
/// The first task trains the network itself. A concept that is met for the first time adds a whole network with fresh weights; one
/// that comes back goes on with its own, which nothing in between has changed. Where nobody says what a task's concept is, each
/// task is one of its own. A concept whose outputs are others than at its last visit is a new one. An unknown task, and one that
/// has not begun, takes the latest network.
///
/// - Memory: a network a concept. Time: that of one network.
/// - Source: the reference of contexts that come back; to store a description of each and to take it out again is Widmer & Kubat
///   1996 (FLORA3), who have to find out by themselves which one is in force.
public struct NetworkBank: Isolation {
  public static let name = "bank"
  public static let summary = "A network for each concept; one that comes back goes on with its own."
  public static let source = "The reference of recurring contexts; Widmer & Kubat 1996 (FLORA3) with the context told."

  private var routes = TaskRoutes()
  /// Of each task so far.
  private var concepts: [Int] = []

  public init() {}

  /// Until a concept comes back: its next visit changes what its network says of the visits before.
  public var isolatesPredictions: Bool { Set(concepts).count == concepts.count }

  public func parametersAdded(by experience: ExperienceInfo, beside layers: ParameterLayout) -> Double {
    layers.hiddenParameters + layers.headParameters(outputs: experience.outputs.count)
  }

  public mutating func prepare(
    _ model: inout MLP, for experience: ExperienceInfo, using rng: inout Random
  ) -> ParameterMask {
    let route = known(experience) ?? fresh(experience, &model, using: &rng)
    routes.append(route)
    concepts.append(experience.concept ?? experience.index)
    return .of(route.layers)
  }

  public func program(for experience: Int?, in model: MLP) -> Program { routes.program(for: experience, in: model) }

  /// The network of the concept's last visit.
  private func known(_ experience: ExperienceInfo) -> Route? {
    guard let visit = concepts.lastIndex(of: experience.concept ?? experience.index) else { return nil }
    let route = routes[visit]
    return route.outputs == experience.outputs ? route : nil
  }

  private func fresh(_ experience: ExperienceInfo, _ model: inout MLP, using rng: inout Random) -> Route {
    if routes.first == nil { return model.firstRoute(experience, using: &rng) }
    return model.ownNetwork(experience, using: &rng)
  }
}

extension NetworkBank: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    concepts.count == routes.count ? nil : "concepts of \(concepts.count) tasks and routes of \(routes.count)"
  }
}
