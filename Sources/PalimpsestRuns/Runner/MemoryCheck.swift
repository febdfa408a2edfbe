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
