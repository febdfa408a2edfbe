import PalimpsestCore
import PalimpsestExperiments
import PalimpsestScenarios

/// What is known of the rows of a stream beside inputs and labels.
struct RowFacts: Sendable {
  let haveTimes: Bool
  let areInOrderOfTime: Bool
  let haveOwners: Bool

  init(_ rows: StreamRows) {
    (haveTimes, areInOrderOfTime, haveOwners) = (rows.times != nil, rows.areInOrderOfTime, rows.haveOwners)
  }
}

extension StreamSettings {
  /// True where it depends on the rows whether they can be followed.
  var needsFacts: Bool { needsTimes || needsOwners || blockOf == .times }

  private var needsTimes: Bool { (labels.delay > 0 && labels.unit == .days) || recovery.unit == .days }
  private var needsOwners: Bool { labels.missing > 0 && labels.missingBy == .user }

  /// What rows lack that these settings speak of; nil: nothing.
  func problem(_ facts: RowFacts) -> String? {
    if needsTimes && !facts.areInOrderOfTime {
      let why = facts.haveTimes ? "do not come in order of time" : "have no times"
      return recovery.unit == .days
        ? "stream.recovery.unit: the rows of this stream \(why); count the window in \"rows\""
        : "stream.labels.unit: the rows of this stream \(why); count the delay in \"rows\""
    }
    if blockOf == .times && !facts.haveTimes {
      return "stream.blockOf: the rows of this stream have no times; count a block in \"rows\""
    }
    if needsOwners && !facts.haveOwners {
      return "stream.labels.missingBy: nobody knows whose the rows of this scenario are; choose \"row\" or \"class\""
    }
    return nil
  }
}

/// Checks that the rows of each scenario have what the settings of streams over them speak of.
struct StreamCheck {
  private struct Key: Hashable {
    let scenario: Int32
    let order: StreamSettings.Order
  }

  private var known: [Key: RowFacts] = [:]

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
    let key = Key(scenario: configuration.places.scenario, order: settings.order)
    let facts = known[key] ?? facts(of: ready.scenario, settings.order)
    known[key] = facts
    if let problem = settings.problem(facts) { throw PreparationError(kind: .settings, place + problem) }
  }

  /// Those of seed 0; all seeds are alike in them.
  private func facts(of scenario: any PreparedScenario, _ order: StreamSettings.Order) -> RowFacts {
    RowFacts(StreamRows(Run.data(of: scenario, seed: 0), order, needsOrigins: true, seed: Seed(0)))
  }
}
