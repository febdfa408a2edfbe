/// How large a plan is and how much of it is done, counted without reading any setting into the type that runs.
///
/// - Time: about 8 µs a configuration; a microsecond a run where results are there. Memory: 32 bytes a configuration of the
///   largest pair.
public struct PlanSummary: Sendable {
  /// The runs of one scenario and strategy.
  public struct Pair: Sendable {
    public let scenario: String
    public let strategy: String
    public internal(set) var configurations = 0
    /// Runs the selection chooses.
    public internal(set) var runs = 0
    /// Those of them that are done.
    public internal(set) var done = 0
    /// The times of those done that completed.
    package var seconds: [Double] = []
    /// The first, the middle and the last configuration.
    package var samples: [Configuration] = []
    /// The scenario with each of the settings that a sweep gives it.
    package var scenarios: Set<Component> = []
  }

  /// Pairs that the selection chooses, in plan order.
  public let pairs: [Pair]
  /// Configurations of the whole plan.
  public let configurations: Int
  /// Runs of the whole plan.
  public let runs: Int
  /// No more runs than that begin.
  let limit: Int?

  /// - Parameter finished: seconds by id of the finished runs; NaN where a run did not complete.
  /// - Throws: an error for settings that no reader would have let through.
  public init(_ experiment: Experiment, _ selection: RunSelection = .all, finished: [String: Double] = [:]) throws {
    let blocks = SweepByStrategy(experiment.sweep)
    var count = PlanCount(experiment.seeds, selection, finished)
    try experiment.visitConfigurations { configuration, _, identity in
      count.add(configuration, identity) { blocks[$1].count(scenario: $0, strategy: $1) }
    }
    self.init(count)
  }

  /// The whole of a plan that exists.
  public init(_ plan: Plan, finished: [String: Double] = [:]) {
    let lengths = plan.configurations.reduce(into: [:]) { $0[[$1.scenarioLabel, $1.strategyLabel], default: 0] += 1 }
    var count = PlanCount(plan.experiment.seeds, .all, finished)
    for planned in plan.configurations {
      count.add(planned.given, planned.identity) { lengths[[$0, $1]] ?? 0 }
    }
    self.init(count)
  }

  private init(_ count: PlanCount) {
    pairs = count.pairs
    configurations = count.configurations
    runs = count.configurations * count.seeds.count
    limit = count.selection.limit
  }

  /// Chosen runs.
  public var chosen: Int { pairs.reduce(0) { $0 + $1.runs } }
  /// Chosen runs that are done.
  public var done: Int { pairs.reduce(0) { $0 + $1.done } }
  /// Chosen runs that would begin now.
  public var toRun: Int { min(chosen - done, limit ?? .max) }
}

/// Counts configurations that come in plan order.
private struct PlanCount {
  let seeds: [Int]
  let selection: RunSelection
  private let chosenSeeds: [Int]
  private let finished: [String: Double]
  private(set) var pairs: [PlanSummary.Pair] = []
  private(set) var configurations = 0
  private var middle = 0

  init(_ seeds: [Int], _ selection: RunSelection, _ finished: [String: Double]) {
    self.seeds = seeds
    self.selection = selection
    self.finished = finished
    chosenSeeds = seeds.filter { selection.selects(seed: $0) }
  }

  /// - Parameter length: how many configurations a scenario and strategy have, about.
  mutating func add(_ configuration: Configuration, _ identity: RunIdentity, _ length: (String, String) -> Int) {
    configurations += 1
    let (scenario, strategy) = (configuration.scenarioLabel, configuration.strategyLabel)
    guard selection.selects(scenario: scenario, strategy: strategy) else { return }
    if pairs.last?.scenario != scenario || pairs.last?.strategy != strategy {
      pairs.append(PlanSummary.Pair(scenario: scenario, strategy: strategy))
      middle = length(scenario, strategy) / 2
    }
    pairs[pairs.count - 1].add(configuration, middle: middle)
    pairs[pairs.count - 1].count(identity, chosenSeeds, finished)
  }
}

extension PlanSummary.Pair {
  fileprivate mutating func add(_ configuration: Configuration, middle: Int) {
    if configurations < 2 || configurations == middle + 1 {
      samples.append(configuration)
    } else {
      samples[samples.count - 1] = configuration
    }
    configurations += 1
    scenarios.insert(configuration.scenario)
  }

  fileprivate mutating func count(_ identity: RunIdentity, _ seeds: [Int], _ finished: [String: Double]) {
    runs += seeds.count
    if finished.isEmpty { return }
    for seed in seeds {
      guard let time = finished[identity.runID(seed: seed)] else { continue }
      done += 1
      if time.isFinite { seconds.append(time) }
    }
  }
}
