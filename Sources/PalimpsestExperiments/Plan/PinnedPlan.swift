import PalimpsestJSON

/// A plan as a launch pins it for its workers: the configurations without the ids of their runs, which follow from the
/// settings, so that a plan of a million runs is some kilobytes.
extension StoredPlan {
  /// The same without ids and positions.
  package var pinned: StoredPlan {
    var copy = self
    for place in copy.configurations.indices {
      copy.configurations[place].runIDs = []
      copy.configurations[place].positions = nil
    }
    return copy
  }

  /// The plan that runs, from settings alone: neither the file it was read from nor the trials that chose it are needed.
  ///
  /// - Throws: ``PalimpsestJSON/Problems`` where the experiment cannot be read with this catalogue, an error where the settings of a
  ///   configuration do not make a part of it.
  /// - Cost: some ten microseconds a configuration, nothing a run.
  package func plan(_ catalog: Catalog, file: String) throws -> Plan {
    var experiment = try Experiment.read(experimentText, file: file, catalog: catalog)
      .overridden(by: Overrides(arguments: overrides))
    experiment.name = name
    experiment.seeds = seeds
    return try Plan(experiment, configurations: configurations.map { Configuration(stored: $0) })
  }
}

extension Overrides {
  /// From arguments as ``arguments`` writes them; others are passed over.
  init(arguments: [String]) {
    self.init()
    for argument in arguments {
      let halves = argument.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard halves.count == 2 else { continue }
      switch halves[0] {
      case "--set": set.append(halves[1])
      case "--over": over.append(halves[1])
      case "--seeds": seeds = halves[1]
      default: break
      }
    }
  }
}

extension Configuration {
  /// With every setting given, as the record has it.
  fileprivate init(stored configuration: StoredConfiguration) {
    let parts = Dictionary(grouping: configuration.components, by: \.place)
    func all(_ place: StoredComponent.Place) -> [Component] {
      (parts[place] ?? []).map { Component($0.record.object ?? JSONObject()) }
    }
    func one(_ place: StoredComponent.Place) -> Component { all(place).first ?? Component(name: "", given: [:]) }
    self.init(
      scenarioLabel: configuration.scenario, strategyLabel: configuration.strategy, scenario: one(.scenario),
      model: one(.model), training: one(.training), optimizer: one(.optimizer), strategy: all(.strategy),
      evaluation: one(.evaluation), stream: all(.stream).first)
    guard let settings = all(.personal).first else { return }
    let labels = parts[.labels]?.first?.record
    personal = PersonalCell(
      settings: settings, policyLabel: labels?["policy"]?.string ?? "", policy: one(.policy),
      safeguardLabel: labels?["safeguard"]?.string ?? "", safeguard: one(.safeguard))
  }
}
