import OrderedCollections
import PalimpsestJSON

/// Which runs of a plan a call is about; the plan itself stays whole.
public struct RunSelection: Sendable, Equatable {
  /// Labels of scenarios; nil: all.
  public var scenarios: Set<String>?
  /// Labels of strategies; nil: all.
  public var strategies: Set<String>?
  public var seeds: Set<Int>?
  /// No more runs than that begin; nil: no limit.
  public var limit: Int?

  /// Every run.
  public static let all = RunSelection()

  public init() {}

  static let keys = ["strategy", "scenario", "seed"]

  /// - Parameters:
  ///   - only: such as `strategy=ewc,si`; more of one key add up, different keys must all hold.
  ///   - limit: no more runs than that begin.
  /// - Throws: ``PalimpsestJSON/Problems`` with what the experiment does not have.
  public init(only: [String], limit: Int? = nil, in experiment: Experiment) throws(Problems) {
    self.limit = limit
    var problems = Problems()
    for argument in only {
      do throws(Mistake) {
        try add(argument, experiment)
      } catch {
        problems.append(Problem(file: "--only \"\(argument)\"", place: nil, message: error.message))
      }
    }
    try problems.throwIfAny()
  }

  /// True where every run is chosen.
  public var isWhole: Bool { scenarios == nil && strategies == nil && seeds == nil }

  /// True where the run is of a chosen scenario, strategy and seed.
  public func selects(_ run: PlannedRun, in plan: Plan) -> Bool {
    let configuration = plan.configurations[run.configuration]
    return selects(scenario: configuration.scenarioLabel, strategy: configuration.strategyLabel)
      && selects(seed: run.seed)
  }

  public func selects(scenario: String, strategy: String) -> Bool {
    scenarios?.contains(scenario) ?? true && strategies?.contains(strategy) ?? true
  }

  public func selects(seed: Int) -> Bool { seeds?.contains(seed) ?? true }

  /// How many runs of a plan it selects, without making them.
  package func count(in plan: Plan) -> Int {
    let configurations = plan.configurations.count {
      selects(scenario: $0.scenarioLabel, strategy: $0.strategyLabel)
    }
    return configurations * plan.experiment.seeds.count { selects(seed: $0) }
  }

  // MARK: - Reading

  private struct Mistake: Error {
    let message: String
  }

  private mutating func add(_ argument: String, _ experiment: Experiment) throws(Mistake) {
    let halves = argument.split(separator: "=", maxSplits: 1).map(String.init)
    guard halves.count == 2 else { throw Mistake(message: "expected key=value, such as strategy=ewc") }
    switch halves[0] {
    case "strategy":
      strategies = try (strategies ?? []).union(labels(halves[1], Array(experiment.strategies.keys), "strategy"))
    case "scenario":
      scenarios = try (scenarios ?? []).union(labels(halves[1], Array(experiment.scenarios.keys), "scenario"))
    case "seed": seeds = try (seeds ?? []).union(seeds(halves[1], experiment))
    default:
      let known = RunSelection.keys
      throw Mistake(
        message: "expected one of \(known.joined(separator: ", ")), found \"\(halves[0])\""
          + suggestion(for: halves[0], among: known))
    }
  }

  /// One label, or several by commas.
  private func labels(_ text: String, _ known: [String], _ kind: String) throws(Mistake) -> [String] {
    if known.contains(text) { return [text] }
    let labels = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for label in labels where !known.contains(label) {
      throw Mistake(message: "no \(kind) is called \"\(label)\"" + suggestion(for: label, among: known))
    }
    return labels
  }

  private func seeds(_ text: String, _ experiment: Experiment) throws(Mistake) -> Set<Int> {
    guard let numbers = SeedText.numbers(text) else {
      throw Mistake(message: "expected a seed, a range such as 100..109, or a list such as 1,2,7")
    }
    let known = Set(experiment.seeds)
    guard let chosen = numbers.count <= known.count ? Set(numbers) : nil, chosen.isSubset(of: known) else {
      let missing = numbers.first { !known.contains($0) }
      throw Mistake(message: "the experiment has no seed \(missing.map(String.init) ?? text)")
    }
    return chosen
  }
}
