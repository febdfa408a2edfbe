import PalimpsestJSON
import PalimpsestMetrics

/// A `select` block that has been read and checked.
public struct Select: Sendable {
  public let settings: SelectSettings
  public let criterion: Metric
  /// Seeds of the trials.
  public private(set) var seeds: [Int]
  /// True where only their number was given.
  let isCounted: Bool
  /// What is tried.
  public let over: SweepBlock
  /// What a candidate must keep to; all of them hold.
  public var constraints: [SelectConstraint] = []
}

/// A `select` block that would not choose fairly, or chooses nothing.
public struct SelectError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The key to change: `seeds` or `over`.
  let key: String
  let message: String

  public var description: String { "select.\(key): \(message)" }
}

extension Select {
  /// A count of seeds means the first so many that are none of the experiment's: what is chosen on a seed must be reported
  /// on others.
  mutating func takeSeeds(besides reported: [Int]) {
    if isCounted { seeds = Select.seeds(seeds.count, besides: reported) }
  }

  static func seeds(_ count: Int, besides reported: [Int]) -> [Int] {
    let taken = Set(reported)
    return Array((0...).lazy.filter { !taken.contains($0) }.prefix(count))
  }

  /// - Throws: ``SelectError`` where a tuning seed is reported, the sweep sets what is to be chosen, strategies would have
  ///   different numbers of trials, or nothing is to be chosen.
  func check(in experiment: Experiment) throws(SelectError) {
    if let shared = Set(seeds).intersection(experiment.seeds).min() {
      throw SelectError(
        key: "seeds",
        message: "seed \(shared) is a seed of the experiment too; what is chosen on a seed must be reported on others. "
          + "\"seeds\": \(seeds.count) takes \(seeds.count == 1 ? "one that is" : "so many that are") none of the experiment's"
      )
    }
    if let shared = over.steppedTargets.intersection(experiment.sweep.steppedTargets).map(\.path).min() {
      throw SelectError(key: "over", message: "the sweep steps through \(shared) already; keep one of them")
    }
    try checkTrials(experiment)
  }

  /// The law of fair tuning: strategies that are tuned in a scenario have equally many trials.
  private func checkTrials(_ experiment: Experiment) throws(SelectError) {
    var isTuned = false
    let blocks = SweepByStrategy(over)
    for scenario in experiment.scenarios.keys {
      let tuned = experiment.strategies.keys.map { ($0, blocks[$0].count(scenario: scenario, strategy: $0)) }
        .filter { $0.1 > 1 }
      isTuned = isTuned || !tuned.isEmpty
      guard let first = tuned.first, let other = tuned.first(where: { $0.1 != first.1 }) else { continue }
      throw SelectError(
        key: "over",
        message: "\"\(first.0)\" has \(first.1) trials and \"\(other.0)\" \(other.1); every strategy that is tuned "
          + "gets the same number" + drawn(tuned.map(\.1).max() ?? 0))
    }
    if !isTuned {
      throw SelectError(
        key: "over", message: "no strategy has anything to choose from; give a path two values or more")
    }
  }
}

extension SweepBlock {
  /// Every parameter that takes several values in the block or its cases.
  var steppedTargets: Set<SettingTarget> {
    let own = factors.filter { $0.count > 1 }.flatMap { $0.settings.flatMap(\.targets) }
    return cases.reduce(into: Set(own)) { $0.formUnion($1.steppedTargets) }
  }
}

// MARK: - Reading

extension ExperimentReader {
  static let selectKeys = ["over", "seeds", "subjectTo"]

  mutating func select(_ value: JSONValue?, _ experiment: Experiment) -> Select? {
    guard let value else { return nil }
    guard let object = value.object else {
      report(value, "select", "expected an object such as {\"over\": {…}, \"seeds\": {…}}, found \(value.shown)")
      return nil
    }
    let known = problems.count
    let given = given(SelectSettings.self, object, "select", besides: ExperimentReader.selectKeys)
    let criterion = criterion(object["criterion"])
    let constraints = constraints(object["subjectTo"])
    let isCounted = object["seeds"]?.int != nil
    var seeds = seeds(object["seeds"], "select.seeds")
    if isCounted { seeds = Select.seeds(seeds.count, besides: experiment.seeds) }
    let over = sweepBlock(object["over"], "select.over", experiment)
    for (key, what) in [
      ("over", "a block such as {\"grid\": {path: [values]}} with what is tried"),
      ("seeds", "seeds of the trials, none of them a seed of the experiment"),
    ] where object[key] == nil {
      report(value, "select", "\"\(key)\" is missing: \(what)")
    }
    guard problems.count == known, let criterion, let settings = try? SelectSettings(settings: given) else {
      return nil
    }
    let select = Select(
      settings: settings, criterion: criterion, seeds: seeds, isCounted: isCounted, over: over,
      constraints: constraints)
    do throws(SelectError) {
      try select.check(in: experiment)
    } catch {
      report(object[error.key] ?? value, "select.\(error.key)", error.message)
    }
    return select
  }

  private mutating func criterion(_ value: JSONValue?) -> Metric? {
    guard let value else { return .averageAccuracy }
    guard let name = value.string else { return nil }
    if let metric = catalog.criteria.first(where: { $0.name == name }) { return metric }
    let message =
      catalog.accuracyMetrics.contains { $0.name == name }
      ? "\"\(name)\" cannot decide: it has no better end, or it needs runs that trials do not have"
      : "no metric is called \"\(name)\"" + suggestion(for: name, among: catalog.criteria.map(\.name))
    report(value, "select.criterion", message)
    return nil
  }
}
