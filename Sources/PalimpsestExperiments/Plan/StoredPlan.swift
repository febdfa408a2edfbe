import PalimpsestJSON

/// A plan as the results folder keeps it: enough to collect and report without the experiment file or the catalogue it
/// was read with.
public struct StoredPlan: Sendable, Equatable {
  public var name: String
  public var question: String
  /// The experiment file as it was given.
  public var experimentText: String
  /// What the command line changed in it: `training.epochs=5`.
  public var overrides: [String] = []
  /// How settings were chosen before these runs, where they were: kept as it is and handed on.
  public var selection: JSONValue?
  public var columns: [HyperparameterColumn]
  public var configurations: [StoredConfiguration]
  public var seeds: [Int]

  /// Runs in plan order: position, configuration, seed and id.
  public var runs: [PlannedRun] {
    var runs: [PlannedRun] = []
    runs.reserveCapacity(runCount)
    for (index, configuration) in configurations.enumerated() {
      for (place, id) in configuration.runIDs.enumerated() where place < seeds.count {
        let position = configuration.positions.map { $0[place] } ?? index * seeds.count + place
        runs.append(PlannedRun(index: position, configuration: index, seed: seeds[place], id: id))
      }
    }
    return runs
  }

  /// Names of the columns that have more than one value among the configurations that have any.
  package var variedColumns: Set<String> {
    var (first, varied) = ([String: ArraySlice<UInt8>](), Set<String>())
    for component in distinctComponents {
      for (name, value) in component.columns {
        if let known = first[name] {
          if known != value { varied.insert(name) }
        } else {
          first[name] = value
        }
      }
    }
    return varied
  }

  /// The components of all configurations, each once.
  var distinctComponents: [StoredComponent] {
    var met: Set<ObjectIdentifier> = []
    return configurations.flatMap { $0.components.filter { met.insert(ObjectIdentifier($0)).inserted } }
  }

  public var runCount: Int { configurations.reduce(0) { $0 + min(seeds.count, $1.runIDs.count) } }
}

/// One configuration of a stored plan. What it shares with others is in memory once.
public struct StoredConfiguration: Sendable, Equatable {
  public var scenario: String
  public var strategy: String
  package var components: [StoredComponent]
  /// One a seed, in the order of the plan's seeds.
  public var runIDs: RunIDs
  /// The runs' positions; nil where they are those of a first generation, configuration by configuration.
  package var positions: [Int]?

  /// Values of hyper-parameter columns; a column that does not concern the configuration is not there.
  public var values: HyperparameterValues { HyperparameterValues(components: components) }

  /// The whole configuration without the seed, every default written out.
  public var record: JSONValue { StoredComponent.record(of: components) }

  /// The same as JSON without whitespace: `record.compactText`.
  package var recordText: String { String(decoding: StoredComponent.json(of: components), as: UTF8.self) }
}

/// The hyper-parameters of a configuration by column.
public struct HyperparameterValues: Sendable {
  fileprivate let components: [StoredComponent]

  public subscript(column: String) -> JSONValue? {
    for component in components {
      if let value = component[column] { return value }
    }
    return nil
  }
}

/// One hyper-parameter as a column of the results.
public struct HyperparameterColumn: Sendable, Equatable {
  public enum Kind: String, Sendable { case integer, number, bool, string }

  /// Such as `ewc_strength` or `training_epochs`.
  public var name: String
  public var kind: Kind
  /// Where it stands in an experiment file.
  public var path: String
  public var help: String
}

extension StoredPlan {
  public init(_ plan: Plan) {
    name = plan.experiment.name
    question = plan.experiment.question
    experimentText = plan.experiment.text
    overrides = plan.experiment.overrides
    selection = plan.selection?.json
    seeds = plan.experiment.seeds
    var columns = ColumnTable()
    var pairs: Set<Int32> = []
    var components = ComponentTable(plan.configurations.pool)
    configurations = plan.configurations.map { configuration in
      let places = configuration.places
      if pairs.insert(places.pair).inserted { columns.add(configuration.resolved) }
      let identity = configuration.identity
      return StoredConfiguration(
        scenario: configuration.scenarioLabel, strategy: configuration.strategyLabel,
        components: components.components(at: places),
        runIDs: RunIDs(keys: plan.experiment.seeds.map { identity.runKey(seed: $0) }))
    }
    self.columns = columns.columns
  }
}
