import PalimpsestCore

/// All runs of an experiment, in order: scenarios × strategies × grid × seeds.
public struct Plan: Sendable {
  public let experiment: Experiment
  public let configurations: [PlannedConfiguration]
  public let runs: [PlannedRun]

  /// - Throws: an error where settings that were fine one by one do not make a part.
  public init(_ experiment: Experiment) throws {
    self.experiment = experiment
    configurations = try experiment.configurations.enumerated().map { index, configuration in
      try PlannedConfiguration(index: index, configuration, experiment.catalog)
    }
    let seeds = experiment.seeds
    runs = configurations.flatMap { configuration in
      seeds.enumerated().map { position, seed in
        PlannedRun(
          index: configuration.index * seeds.count + position, configuration: configuration.index, seed: seed,
          id: configuration.identity.runID(seed: seed))
      }
    }
  }
}

/// One configuration of a plan.
public struct PlannedConfiguration: Sendable {
  /// Position in the plan.
  public let index: Int
  public let resolved: ResolvedConfiguration
  public let identity: RunIdentity

  init(index: Int, _ configuration: Configuration, _ catalog: Catalog) throws {
    self.index = index
    resolved = try ResolvedConfiguration(configuration, catalog)
    identity = RunIdentity(resolved)
  }
}

/// One run of a plan.
public struct PlannedRun: Sendable, Equatable {
  /// Position in the plan.
  public let index: Int
  /// Position of its configuration.
  public let configuration: Int
  public let seed: Int
  /// What it is known by: equal settings and seed have an equal id.
  public let id: String
}

extension Experiment {
  /// Scenarios × strategies × grid. An axis on a part of one strategy multiplies that strategy's runs only.
  public var configurations: [Configuration] {
    scenarios.flatMap { scenarioLabel, scenario in
      strategies.flatMap { strategyLabel, parts in
        let start = Configuration(
          scenarioLabel: scenarioLabel, strategyLabel: strategyLabel, scenario: scenario, model: model,
          training: training, optimizer: optimizer, strategy: parts, evaluation: evaluation)
        return grid.reduce([start]) { configurations, axis in configurations.flatMap { axis.applied(to: $0) } }
      }
    }
  }
}

extension Experiment {
  /// How many runs there are, counted without making them.
  var runCount: Double {
    scenarios.keys.reduce(0) { sum, scenario in
      strategies.keys.reduce(sum) { sum, strategy in
        let axes = grid.filter { $0.targets.contains { $0.concerns(scenario: scenario, strategy: strategy) } }
        return sum + axes.reduce(Double(seeds.count)) { $0 * Double($1.values.count) }
      }
    }
  }
}

extension GridAxis {
  /// One configuration for each value, or the configuration as it is where the axis does not concern it.
  func applied(to configuration: Configuration) -> [Configuration] {
    let mine = targets.filter {
      $0.concerns(scenario: configuration.scenarioLabel, strategy: configuration.strategyLabel)
    }
    guard !mine.isEmpty else { return [configuration] }
    return values.map { value in
      var copy = configuration
      for target in mine { copy.set(target, to: value) }
      return copy
    }
  }
}
