import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// What is known of the rows of a stream beside inputs and labels.
struct RowFacts: Sendable {
  let haveTimes: Bool
  let haveOwners: Bool

  init(_ rows: StreamRows) { (haveTimes, haveOwners) = (rows.times != nil, rows.haveOwners) }
}

extension StreamSettings {
  /// True where it depends on the rows whether they can be followed.
  var needsFacts: Bool { needsTimes || needsOwners }

  private var needsTimes: Bool { (labels.delay > 0 && labels.unit == .days) || recovery.unit == .days }
  private var needsOwners: Bool { labels.missing > 0 && labels.missingBy == .user }

  /// What rows lack that these settings speak of; nil: nothing.
  func problem(_ facts: RowFacts) -> String? {
    if needsTimes && !facts.haveTimes {
      return recovery.unit == .days
        ? "stream.recovery.unit: the rows of this scenario have no times; count the window in \"rows\""
        : "stream.labels.unit: the rows of this scenario have no times; count the delay in \"rows\""
    }
    if needsOwners && !facts.haveOwners {
      return "stream.labels.missingBy: nobody knows whose the rows of this scenario are; choose \"row\" or \"class\""
    }
    return nil
  }
}

/// Checks that the rows of each scenario have what the settings of streams over them speak of.
struct StreamCheck {
  /// By scenario.
  private var known: [Int32: RowFacts] = [:]

  /// - Throws: ``PreparationError`` where a configuration asks for a stream of rows that have no labels, or lack what its settings need.
  mutating func check(_ configuration: PlannedConfiguration, _ ready: PreparedScenarios.Ready) throws(PreparationError)
  {
    guard configuration.places.stream != nil, let settings = configuration.resolved.stream else { return }
    let place = "scenarios.\(configuration.scenarioLabel): "
    if !ready.outlook.shape.target.hasLabels {
      throw PreparationError(
        kind: .settings, place + "a stream judges answers by their labels, and these rows have none")
    }
    guard settings.needsFacts else { return }
    let facts = known[configuration.places.scenario] ?? facts(of: ready.scenario)
    known[configuration.places.scenario] = facts
    if let problem = settings.problem(facts) { throw PreparationError(kind: .settings, place + problem) }
  }

  /// Those of seed 0; all seeds are alike in them.
  private func facts(of scenario: any PreparedScenario) -> RowFacts {
    RowFacts(StreamRows(Run.data(of: scenario, seed: 0), .given, seed: Seed(0)))
  }
}
