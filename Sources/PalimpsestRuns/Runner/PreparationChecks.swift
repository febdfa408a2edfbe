import PalimpsestCore
import PalimpsestExperiments

/// Checks that the parts of each strategy suit the shape of each scenario: what reading the file could not know.
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
