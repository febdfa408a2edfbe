import PalimpsestCore
import PalimpsestScenarios

/// The components of a plan, each read once and shared by the configurations that have the same.
final class ComponentPool: Sendable {
  /// Where the components of one configuration lie.
  struct Places: Sendable {
    let scenarioLabel: String
    let strategyLabel: String
    var scenario: Int32
    var model: Int32
    var training: Int32
    var optimizer: Int32
    var evaluation: Int32
    var parts: [Int32]
  }

  private let scenarios: [any Scenario]
  private let models: [ModelSettings]
  private let trainings: [TrainingSettings]
  private let optimizers: [any Optimizer]
  private let evaluations: [EvaluationSettings]
  private let parts: [any StrategyPart]

  fileprivate init(_ builder: ComponentPoolBuilder) {
    scenarios = builder.scenarios.values
    models = builder.models.values
    trainings = builder.trainings.values
    optimizers = builder.optimizers.values
    evaluations = builder.evaluations.values
    parts = builder.parts.values
  }

  func configuration(_ places: Places) -> ResolvedConfiguration {
    ResolvedConfiguration(
      scenarioLabel: places.scenarioLabel, strategyLabel: places.strategyLabel,
      scenario: scenarios[Int(places.scenario)],
      model: models[Int(places.model)], training: trainings[Int(places.training)],
      optimizer: optimizers[Int(places.optimizer)], strategy: places.parts.map { parts[Int($0)] },
      evaluation: evaluations[Int(places.evaluation)])
  }
}

/// Reads components, equal ones once.
struct ComponentPoolBuilder {
  /// Values by the text that stands for their settings.
  fileprivate struct Values<Value> {
    private(set) var values: [Value] = []
    private var places: [String: Int32] = [:]

    mutating func place(of text: String, _ make: () throws -> Value) rethrows -> Int32 {
      if let place = places[text] { return place }
      let place = Int32(values.count)
      values.append(try make())
      places[text] = place
      return place
    }
  }

  private let catalog: Catalog
  fileprivate var scenarios = Values<any Scenario>()
  fileprivate var models = Values<ModelSettings>()
  fileprivate var trainings = Values<TrainingSettings>()
  fileprivate var optimizers = Values<any Optimizer>()
  fileprivate var evaluations = Values<EvaluationSettings>()
  fileprivate var parts = Values<any StrategyPart>()

  init(_ catalog: Catalog) { self.catalog = catalog }

  var pool: ComponentPool { ComponentPool(self) }

  mutating func places(of configuration: Configuration, _ text: ConfigurationText) throws -> ComponentPool.Places {
    ComponentPool.Places(
      scenarioLabel: configuration.scenarioLabel, strategyLabel: configuration.strategyLabel,
      scenario: try scenarios.place(of: text.scenario) { try catalog.scenario(configuration.scenario) },
      model: try models.place(of: text.model) { try ModelSettings(settings: configuration.model.given) },
      training: try trainings.place(of: text.training.before + text.training.after) {
        try TrainingSettings(settings: configuration.training.given)
      },
      optimizer: try optimizers.place(of: text.optimizer) { try catalog.optimizer(configuration.optimizer) },
      evaluation: try evaluations.place(of: text.evaluation) {
        try EvaluationSettings(settings: configuration.evaluation.given)
      },
      parts: try zip(configuration.strategy, text.parts).map { part, text in
        try parts.place(of: text) { try catalog.part(part) }
      })
  }
}
