import PalimpsestExperiments
import PalimpsestScenarios

/// Scenarios ready to be run, with shape and tasks, which only a stream knows. Configurations of equal scenario settings
/// share one.
struct PreparedScenarios {
  struct Ready {
    let scenario: any PreparedScenario
    let outlook: StreamOutlook
  }

  private var known: [Int32: Ready] = [:]

  /// A configuration's scenario.
  /// - Parameter prepare: called where it is new.
  mutating func scenario(
    for configuration: PlannedConfiguration, _ prepare: () throws -> any PreparedScenario
  ) rethrows -> Ready {
    let place = configuration.places.scenario
    if let ready = known[place] { return ready }
    let scenario = try prepare()
    let ready = Ready(scenario: scenario, outlook: scenario.outlook)
    known[place] = ready
    return ready
  }

  subscript(configuration: PlannedConfiguration) -> any PreparedScenario {
    guard let ready = known[configuration.places.scenario] else {
      preconditionFailure("a scenario that no pending run asks for")
    }
    return ready.scenario
  }
}
