import PalimpsestCore
import PalimpsestJSON

/// Whether a plan that was read fits together: damage can leave JSON and lists whole.
extension StoredPlan {
  /// What is wrong first, in words; nil where nothing is.
  /// - Parameters:
  ///   - isSealed: a checksum says already that the file is as it was written.
  ///   - catalog: what its parts are compared with.
  /// - Cost: some microseconds a component and a configuration, and one a run where there is no checksum, shared by all cores.
  package func firstWrong(isSealed: Bool, catalog: Catalog = .standard) -> String? {
    for configuration in configurations where configuration.runIDs.count != seeds.count {
      return "\(configuration.labels) has not one run for each seed"
    }
    if !isSealed, let wrong = firstWrongPosition ?? firstWrongPlace ?? firstWrongColumn { return wrong }
    let index = IdentityCheck(self, catalog, ofEachRun: !isSealed).firstWrong(configurations)
    return index.map { "the settings of \(configurations[$0].labels) are not those of the run ids beside them" }
  }

  /// No two runs stand in one place.
  private var firstWrongPosition: String? {
    guard configurations.contains(where: { $0.positions != nil }) else { return nil }
    var met: Set<Int> = []
    for run in runs where run.index < 0 || !met.insert(run.index).inserted {
      return "run \(run.id) stands at \(run.index), where none can or another does"
    }
    return nil
  }

  /// A configuration has each kind of component once, settings of a stream or none, and any number of a strategy's parts.
  private var firstWrongPlace: String? {
    let people: Set<StoredComponent.Place> = [.personal, .policy, .safeguard, .labels]
    let optional = people.union([.stream])
    let wrong = configurations.first { configuration in
      let places = configuration.components.lazy.map(\.place).filter { $0 != .strategy }
      return places.first != .whole
        && (Set(places).subtracting(optional).count != 6 || Set(places).count != places.count
          || ![0, people.count].contains(Set(places).intersection(people).count))
    }
    return wrong.map { "\($0.labels) lacks a component or has one twice" }
  }

  /// Every setting is a column, and every column some component's setting. Format 1 does not tell.
  private var firstWrongColumn: String? {
    if configurations.contains(where: { $0.components.contains { $0.place == .whole } }) { return nil }
    let known = Set(columns.map(\.name))
    let found = Set(distinctComponents.lazy.flatMap(\.columns).map(\.0))
    return known.symmetricDifference(found).min().map { "of \($0) there is the column or the setting alone" }
  }
}

extension StoredConfiguration {
  fileprivate var labels: String { "\(quotedForMessage(scenario)), \(quotedForMessage(strategy))" }
}

/// Works out anew what the runs of a plan are known by, from the settings beside the ids.
///
/// What cannot be compared passes: a part that the catalogue does not have, or has with another revision or other
/// settings, and other numerics.
private struct IdentityCheck {
  /// A component as it stands in the text that ids are hashes of.
  private enum Piece: Sendable {
    case text(StoredComponent.Place, String)
    case training(ConfigurationText.Training)
    case numerics
    case unknown
  }

  private let catalog: Catalog
  private let seeds: [Int]
  private let pieces: [ObjectIdentifier: Piece]

  /// - Parameter ofEachRun: else of the first of each configuration: settings that are others are others for all seeds.
  init(_ plan: StoredPlan, _ catalog: Catalog, ofEachRun: Bool) {
    self.catalog = catalog
    seeds = ofEachRun ? plan.seeds : Array(plan.seeds.prefix(1))
    let components = plan.distinctComponents.filter { $0.place != .whole }
    let pieces = Cores.map(components.count, atLeast: 64) { range in
      var forms: [String: CanonicalForm] = [:]
      return components[range].map { (ObjectIdentifier($0), IdentityCheck.piece($0, catalog, &forms)) }
    }
    self.pieces = Dictionary(uniqueKeysWithValues: pieces.joined())
  }

  /// The first configuration whose settings give other ids than it has.
  func firstWrong(_ configurations: [StoredConfiguration]) -> Int? {
    Cores.map(configurations.count, atLeast: 64) { range in
      range.first { !isRight(configurations[$0]) }
    }.lazy.compactMap(\.self).first
  }

  private func isRight(_ configuration: StoredConfiguration) -> Bool {
    guard let identity = identity(configuration.components.flatMap { pieces(of: $0) }) else { return true }
    let ids = configuration.runIDs
    return zip(seeds, ids.indices).allSatisfy { identity.runKey(seed: $0) == ids.key(at: $1) }
  }

  /// - Returns: nil where it cannot be said.
  private func identity(_ pieces: [Piece]) -> RunIdentity? {
    var text = ConfigurationText()
    var count = 0
    for piece in pieces {
      switch piece {
      case .text(.scenario, let component): text.scenario = component
      case .text(.model, let component): text.model = component
      case .text(.optimizer, let component): text.optimizer = component
      case .text(.evaluation, let component): text.evaluation = component
      case .text(.stream, let component): text.stream = component
      case .text(.personal, let component): text.personal = component
      case .text(.policy, let component): text.policy = component
      case .text(.safeguard, let component): text.safeguard = component
      case .text(_, let component): text.parts.append(component)
      case .training(let halves): text.training = halves
      case .numerics: break
      case .unknown: return nil
      }
      count += 1
    }
    let isWhole = ![text.scenario, text.model, text.optimizer, text.evaluation].contains("")
    let others = 6 + [text.stream, text.personal, text.policy, text.safeguard].count { !$0.isEmpty }
    return isWhole && count == others + text.parts.count ? text.identity : nil
  }

  // MARK: - Components

  private func pieces(of component: StoredComponent) -> [Piece] {
    if component.place == .labels { return [] }
    if component.place != .whole { return [pieces[ObjectIdentifier(component)] ?? .unknown] }
    var forms: [String: CanonicalForm] = [:]
    return component.split.map { IdentityCheck.piece($0, catalog, &forms) }
  }

  private static func piece(
    _ component: StoredComponent, _ catalog: Catalog, _ forms: inout [String: CanonicalForm]
  ) -> Piece {
    let place = component.place
    if place == .numerics {
      return component.record.int == ResolvedConfiguration.numericsVersion ? .numerics : .unknown
    }
    guard let type = catalog.type(named: component.name, at: place), let record = component.record.object else {
      return .unknown
    }
    let part = type as? any Part.Type
    if let part, record["revision"]?.int != part.revision { return .unknown }
    let settings = Component(record)
    let key = component.name.isEmpty ? place.rawValue : component.name
    let form = forms[key] ?? CanonicalForm(type)
    forms[key] = form
    guard settings.given.keys.allSatisfy(form.declares) else { return .unknown }
    if place == .training {
      return (try? form.halves(settings, around: "optimizer")).map { .training($0) } ?? .unknown
    }
    return (try? form.text(settings)).map { .text(place, $0) } ?? .unknown
  }
}

extension StoredComponent {
  /// The components of a whole configuration.
  fileprivate var split: [StoredComponent] {
    guard let record = record.object, var training = record["training"]?.object else { return [] }
    let optimizer = training["optimizer"]
    training["optimizer"] = nil
    let single: [(Place, JSONValue?)] = [
      (.scenario, record["scenario"]), (.model, record["model"]), (.training, JSONValue(training)),
      (.optimizer, optimizer), (.evaluation, record["evaluation"]), (.stream, record["stream"]),
      (.personal, record["personal"]), (.policy, record["policy"]), (.safeguard, record["safeguard"]),
      (.numerics, record["numerics"]),
    ]
    let parts = (record["strategy"]?.array ?? []).map { (Place.strategy, Optional($0)) }
    return (single + parts).compactMap { place, json in json.map { StoredComponent(place, $0) } }
  }
}
