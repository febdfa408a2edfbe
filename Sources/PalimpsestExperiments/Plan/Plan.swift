/// All runs of an experiment, in order: scenarios × strategies × sweep × seeds. Configurations of one scenario and strategy
/// that come out equal stand once, at their first place.
///
/// Memory: about 80 bytes a configuration, and the text of each different component; nothing a run.
public struct Plan: Sendable {
  public let experiment: Experiment
  /// In plan order, each put together as it is asked for.
  public let configurations: PlannedConfigurations
  /// How the configurations were chosen, where they were.
  public let selection: Selection?

  /// Runs in plan order, made as they are asked for.
  public var runs: PlannedRuns { PlannedRuns(configurations: configurations, seeds: experiment.seeds) }

  /// - Throws: an error where settings that were fine one by one do not make a part.
  public init(_ experiment: Experiment) throws {
    var builder = ComponentPoolBuilder(experiment.catalog)
    try experiment.visitConfigurations { configuration, text, _ in try builder.add(configuration, text) }
    self.init(experiment, builder.pool, nil)
  }

  /// - Parameter chosen: the configurations in place of those that the experiment's sweep makes.
  init(_ experiment: Experiment, configurations chosen: [Configuration], selection: Selection? = nil) throws {
    var texts = ConfigurationWriter(experiment.catalog)
    var builder = ComponentPoolBuilder(experiment.catalog)
    for configuration in chosen { try builder.add(configuration, texts.text(configuration)) }
    self.init(experiment, builder.pool, selection)
  }

  private init(_ experiment: Experiment, _ pool: ComponentPool, _ selection: Selection?) {
    self.experiment = experiment
    configurations = PlannedConfigurations(pool: pool)
    self.selection = selection
  }
}

/// The configurations of a plan.
public struct PlannedConfigurations: RandomAccessCollection, Sendable {
  package let pool: ComponentPool

  public var startIndex: Int { 0 }
  public var endIndex: Int { pool.places.count }

  public subscript(index: Int) -> PlannedConfiguration { PlannedConfiguration(index: index, pool: pool) }
}

/// One configuration of a plan.
public struct PlannedConfiguration: Sendable {
  /// Position in the plan.
  public let index: Int
  fileprivate let pool: ComponentPool

  public var scenarioLabel: String { pool.pairs[Int(places.pair)].scenario }
  public var strategyLabel: String { pool.pairs[Int(places.pair)].strategy }

  /// Where its components lie: equal places are equal components of one plan.
  package var places: ComponentPool.Places { pool.places[index] }

  /// Its settings as they are given, without those that are as declared.
  var given: Configuration { pool.configuration(places) }

  /// Time: about two microseconds.
  public var identity: RunIdentity { pool.text(places).identity }

  /// Its settings, read. Time: some ten microseconds.
  public var resolved: ResolvedConfiguration {
    do {
      return try ResolvedConfiguration(given, pool.catalog)
    } catch {
      preconditionFailure("settings that could be read when the plan was made: \(error)")
    }
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

/// The runs of a plan, each made when it is asked for. Time: a hash of the seed (about a microsecond) a run.
public struct PlannedRuns: RandomAccessCollection, Sendable {
  fileprivate let configurations: PlannedConfigurations
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
