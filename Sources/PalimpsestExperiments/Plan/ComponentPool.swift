import PalimpsestCore
import PalimpsestJSON

/// What a plan keeps of its configurations: the texts of their components, equal ones once, and where those of each
/// configuration lie. Settings are read into the types that run when a configuration is asked for.
package final class ComponentPool: Sendable {
  /// The labels of a scenario and a strategy.
  struct Pair: Sendable, Hashable {
    let scenario: String
    let strategy: String
    /// Of a run that goes on with single people: its policy and safeguard.
    let people: People?

    struct People: Sendable, Hashable {
      let policy: String
      let safeguard: String
    }
  }

  /// Where the components of one configuration lie: equal places are equal components.
  package struct Places: Sendable {
    let pair: Int32
    package let scenario: Int32
    package let model: Int32
    package let training: Int32
    let optimizer: Int32
    let evaluation: Int32
    /// Nil for a run through tasks.
    package let stream: Int32?
    package let parts: [Int32]
    /// Nil for a run that goes on with nobody.
    let personal: People?

    /// Settings, policy and safeguard.
    struct People: Sendable {
      let settings: Int32
      let policy: Int32
      let safeguard: Int32
    }
  }

  let pairs: [Pair]
  /// One a configuration.
  let places: [Places]
  package let catalog: Catalog
  private let scenarios: [String]
  private let models: [String]
  private let trainings: [ConfigurationText.Training]
  private let optimizers: [String]
  private let evaluations: [String]
  private let streams: [String]
  private let parts: [String]
  private let personals: [String]
  private let policies: [String]
  private let safeguards: [String]

  fileprivate init(_ builder: ComponentPoolBuilder) {
    pairs = builder.pairs.values
    places = builder.places
    catalog = builder.catalog
    scenarios = builder.scenarios.values
    models = builder.models.values
    trainings = builder.trainings.values
    optimizers = builder.optimizers.values
    evaluations = builder.evaluations.values
    streams = builder.streams.values
    parts = builder.parts.values
    personals = builder.personals.values
    policies = builder.policies.values
    safeguards = builder.safeguards.values
  }

  func text(_ places: Places) -> ConfigurationText {
    ConfigurationText(
      scenario: scenarios[Int(places.scenario)], model: models[Int(places.model)],
      training: trainings[Int(places.training)], optimizer: optimizers[Int(places.optimizer)],
      parts: places.parts.map { parts[Int($0)] }, evaluation: evaluations[Int(places.evaluation)],
      stream: places.stream.map { streams[Int($0)] } ?? "",
      personal: places.personal.map { personals[Int($0.settings)] } ?? "",
      policy: places.personal.map { policies[Int($0.policy)] } ?? "",
      safeguard: places.personal.map { safeguards[Int($0.safeguard)] } ?? "")
  }

  /// A configuration as its texts have it: with the values that are not as declared.
  func configuration(_ places: Places) -> Configuration {
    let (pair, text) = (pairs[Int(places.pair)], text(places))
    return Configuration(
      scenarioLabel: pair.scenario, strategyLabel: pair.strategy, scenario: Component(canonical: text.scenario),
      model: Component(canonical: text.model), training: Component(canonical: text.training.alone),
      optimizer: Component(canonical: text.optimizer), strategy: text.parts.map { Component(canonical: $0) },
      evaluation: Component(canonical: text.evaluation),
      stream: places.stream.map { _ in Component(canonical: text.stream) },
      personal: pair.people.map { people in
        PersonalCell(
          settings: Component(canonical: text.personal), policyLabel: people.policy,
          policy: Component(canonical: text.policy), safeguardLabel: people.safeguard,
          safeguard: Component(canonical: text.safeguard))
      })
  }

  /// One component, with the values that are not as declared.
  package func component(_ kind: StoredComponent.Place, _ place: Int32) -> Component {
    let place = Int(place)
    let text =
      switch kind {
      case .scenario: scenarios[place]
      case .model: models[place]
      case .training: trainings[place].alone
      case .optimizer: optimizers[place]
      case .evaluation: evaluations[place]
      case .stream: streams[place]
      case .strategy: parts[place]
      case .personal: personals[place]
      case .policy: policies[place]
      case .safeguard: safeguards[place]
      case .numerics, .labels, .whole: "{}"
      }
    return Component(canonical: text)
  }
}

extension Catalog {
  /// What the settings of a component are read into; nil where nothing has its name.
  func type(named name: String, at place: StoredComponent.Place) -> (any Configurable.Type)? {
    switch place {
    case .scenario: scenarios[name]
    case .model: ModelSettings.self
    case .training: TrainingSettings.self
    case .optimizer: optimizers[name]
    case .evaluation: EvaluationSettings.self
    case .stream: StreamSettings.self
    case .strategy: parts[name]
    case .personal: PersonalSettings.self
    case .policy: policies[name]
    case .safeguard: safeguards[name]
    case .numerics, .labels, .whole: nil
    }
  }
}

/// Collects configurations and checks that their settings can be read: equal ones once.
struct ComponentPoolBuilder {
  /// Different values in the order in which they were met.
  fileprivate struct Distinct<Value: Hashable> {
    private(set) var values: [Value] = []
    private var known: [Value: Int32] = [:]

    /// - Parameter check: called with a value that is new.
    mutating func place(of value: Value, _ check: () throws -> Void) rethrows -> Int32 {
      if let place = known[value] { return place }
      try check()
      let place = Int32(values.count)
      values.append(value)
      known[value] = place
      return place
    }
  }

  fileprivate let catalog: Catalog
  fileprivate var pairs = Distinct<ComponentPool.Pair>()
  fileprivate var places: [ComponentPool.Places] = []
  fileprivate var scenarios = Distinct<String>()
  fileprivate var models = Distinct<String>()
  fileprivate var trainings = Distinct<ConfigurationText.Training>()
  fileprivate var optimizers = Distinct<String>()
  fileprivate var evaluations = Distinct<String>()
  fileprivate var streams = Distinct<String>()
  fileprivate var parts = Distinct<String>()
  fileprivate var personals = Distinct<String>()
  fileprivate var policies = Distinct<String>()
  fileprivate var safeguards = Distinct<String>()

  init(_ catalog: Catalog) { self.catalog = catalog }

  var pool: ComponentPool { ComponentPool(self) }

  /// - Throws: an error where settings that were fine one by one do not make a part.
  mutating func add(_ configuration: Configuration, _ text: ConfigurationText) throws {
    let pair = ComponentPool.Pair(
      scenario: configuration.scenarioLabel, strategy: configuration.strategyLabel,
      people: configuration.personal.map { .init(policy: $0.policyLabel, safeguard: $0.safeguardLabel) })
    let catalog = catalog
    places.append(
      ComponentPool.Places(
        pair: pairs.place(of: pair) {},
        scenario: try scenarios.place(of: text.scenario) { _ = try catalog.scenario(configuration.scenario) },
        model: try models.place(of: text.model) { _ = try ModelSettings(settings: configuration.model.given) },
        training: try trainings.place(of: text.training) {
          _ = try TrainingSettings(settings: configuration.training.given)
        },
        optimizer: try optimizers.place(of: text.optimizer) { _ = try catalog.optimizer(configuration.optimizer) },
        evaluation: try evaluations.place(of: text.evaluation) {
          _ = try EvaluationSettings(settings: configuration.evaluation.given)
        },
        stream: try configuration.stream.map { settings in
          try streams.place(of: text.stream) { _ = try StreamSettings(settings: settings.given) }
        },
        parts: try zip(configuration.strategy, text.parts).map { part, text in
          try parts.place(of: text) { _ = try catalog.part(part) }
        },
        personal: try configuration.personal.map { cell in
          ComponentPool.Places.People(
            settings: try personals.place(of: text.personal) {
              _ = try PersonalSettings(settings: cell.settings.given)
            },
            policy: try policies.place(of: text.policy) { _ = try catalog.policy(cell.policy) },
            safeguard: try safeguards.place(of: text.safeguard) { _ = try catalog.safeguard(cell.safeguard) })
        }))
  }
}

extension Component {
  /// Reads a component back from its canonical text.
  package init(canonical text: String) {
    self.init(JSONReader.read(text, file: "").root?.object ?? JSONObject())
  }

  /// The settings of an object without its name and revision.
  init(_ object: JSONObject) {
    var given: [String: ParameterValue] = [:]
    for (key, member) in object.members where key != "name" && key != "revision" {
      given[key] = member.value.parameterValue
    }
    self.init(name: object["name"]?.string ?? "", given: given)
  }
}
