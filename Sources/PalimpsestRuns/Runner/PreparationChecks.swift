import PalimpsestCore
import PalimpsestExperiments
import PalimpsestStrategies

/// Checks the settings of memories that can be judged only beside the scenario's shape, equal ones once.
struct MemoryCheck {
  private struct Case: Hashable {
    let part: Int32
    let columns: Int
  }

  private let pool: ComponentPool
  /// Labels of the strategies that hold such a memory.
  private let strategies: Set<String>
  private var checked: Set<Case> = []

  init(_ plan: Plan) {
    pool = plan.configurations.pool
    let types = pool.catalog.parts
    strategies = Set(
      plan.experiment.strategies.filter { $0.value.contains { types[$0.name] is any SizedMemory.Type } }.keys)
  }

  mutating func check(_ configuration: PlannedConfiguration, columns: Int) throws {
    guard strategies.contains(configuration.strategyLabel) else { return }
    for place in configuration.places.parts
    where checked.insert(Case(part: place, columns: columns)).inserted {
      guard let memory = try pool.catalog.part(pool.component(.strategy, place)) as? any SizedMemory,
        let problem = memory.limits.problem(columns: columns)
      else { continue }
      throw PreparationError(
        kind: .settings, "strategies.\(configuration.strategyLabel).\(type(of: memory).name): \(problem)")
    }
  }
}

/// Checks that the parts of each strategy suit the outputs of each scenario: what reading the file could not know.
struct CompositionCheck {
  private struct Case: Hashable {
    let scenario: Int32
    let strategy: [Int32]
  }

  private var checked: Set<Case> = []

  /// - Throws: ``PreparationError`` where a part cannot serve.
  mutating func check(_ configuration: PlannedConfiguration, _ shape: TaskShape) throws {
    let places = configuration.places
    guard checked.insert(Case(scenario: places.scenario, strategy: places.parts)).inserted else { return }
    let resolved = configuration.resolved
    let setup = LearnerSetup(resolved, shape, seed: Seed(0))
    guard let problem = setup.problem(with: resolved.strategy) else { return }
    throw PreparationError(
      kind: .settings,
      "strategies.\(configuration.strategyLabel), in scenario \"\(configuration.scenarioLabel)\": \(problem)")
  }
}
