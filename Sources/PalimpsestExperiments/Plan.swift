import PalimpsestCore

/// All runs of an experiment, in order: scenarios × strategies × sweep × seeds. Configurations of one scenario and strategy
/// that come out equal stand once, at their first place.
///
/// Memory: about 300 bytes a configuration, and what its components hold where no other has the same; nothing a run.
public struct Plan: Sendable {
  public let experiment: Experiment
  public let configurations: [PlannedConfiguration]
  /// How the configurations were chosen, where they were.
  public let selection: Selection?

  /// Runs in plan order, made as they are asked for.
  public var runs: PlannedRuns { PlannedRuns(configurations: configurations, seeds: experiment.seeds) }

  /// - Throws: an error where settings that were fine one by one do not make a part.
  public init(_ experiment: Experiment) throws {
    var writer = PlanWriter(experiment.catalog)
    try experiment.visitConfigurations { try writer.add($0, $1, $2) }
    self.init(experiment, writer.configurations, nil)
  }

  /// - Parameter chosen: the configurations in place of those that the experiment's sweep makes.
  init(_ experiment: Experiment, configurations chosen: [Configuration], selection: Selection? = nil) throws {
    var texts = ConfigurationWriter(experiment.catalog)
    var writer = PlanWriter(experiment.catalog)
    for configuration in chosen {
      let text = try texts.text(configuration)
      try writer.add(configuration, text, text.identity)
    }
    self.init(experiment, writer.configurations, selection)
  }

  private init(_ experiment: Experiment, _ configurations: [PlannedConfiguration], _ selection: Selection?) {
    self.experiment = experiment
    self.configurations = configurations
    self.selection = selection
  }
}

/// Collects the configurations of a plan.
private struct PlanWriter {
  private var builder: ComponentPoolBuilder
  private var planned: [(RunIdentity, ComponentPool.Places)] = []

  init(_ catalog: Catalog) { builder = ComponentPoolBuilder(catalog) }

  mutating func add(_ configuration: Configuration, _ text: ConfigurationText, _ identity: RunIdentity) throws {
    planned.append((identity, try builder.places(of: configuration, text)))
  }

  var configurations: [PlannedConfiguration] {
    let pool = builder.pool
    return planned.enumerated().map { index, item in
      PlannedConfiguration(index: index, identity: item.0, pool: pool, places: item.1)
    }
  }
}

/// One configuration of a plan.
public struct PlannedConfiguration: Sendable {
  /// Position in the plan.
  public let index: Int
  public let identity: RunIdentity
  fileprivate let pool: ComponentPool
  /// Where its components lie: equal places are equal components of one plan.
  let places: ComponentPool.Places

  public var scenarioLabel: String { places.scenarioLabel }
  public var strategyLabel: String { places.strategyLabel }

  /// Its settings, read.
  public var resolved: ResolvedConfiguration { pool.configuration(places) }
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

/// The runs of a plan, each made when it is asked for. Time: a hash of the seed (about a microsecond) a run.
public struct PlannedRuns: RandomAccessCollection, Sendable {
  fileprivate let configurations: [PlannedConfiguration]
  fileprivate let seeds: [Int]

  public var startIndex: Int { 0 }
  public var endIndex: Int { configurations.count * seeds.count }

  public subscript(index: Int) -> PlannedRun {
    let (configuration, position) = index.quotientAndRemainder(dividingBy: seeds.count)
    let seed = seeds[position]
    return PlannedRun(
      index: index, configuration: configuration, seed: seed,
      id: configurations[configuration].identity.runID(seed: seed))
  }
}
