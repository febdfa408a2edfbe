import PalimpsestJSON
import PalimpsestMetrics

/// More comparisons at once are a slip: nobody reads them.
private let mostComparisons = 2_000

extension Comparison {
  /// Strategies of one file: those that are named, else all; each with each, or with the reference.
  ///
  /// - Parameters:
  ///   - names: labels, or `strategy@setting=value` for one configuration of a sweep.
  ///   - metric: one of the runs' metrics.
  /// - Throws: ``ComparisonError`` for names that nothing has, and where no two runs share a seed.
  public init(
    _ runs: MeasuredRuns, _ names: [String] = [], metric: Metric, _ question: Question = Question()
  ) throws(ComparisonError) {
    let scenarios = try runs.scenarios(question)
    let strategies = runs.strategies
    let reference = try question.reference.map { name throws(ComparisonError) in
      try strategies.one(named: name, in: runs.source)
    }
    var asked: [SweptLabel] = []
    for name in names { asked += try strategies.meant(by: name, "strategy", in: runs.source) }
    if names.isEmpty { asked = strategies }
    let others = asked.distinct.filter { $0 != reference }
    try runs.check(others.count + (reference == nil ? 0 : 1), hasReference: reference != nil, scenarios.count)
    let groups = Grouped(runs, metric)
    let matches = scenarios.map { groups.matches($0, others, reference) }
    try runs.checkSharedSeeds(matches)
    self.init(
      runs.name, metric, reference.map { .reference($0.text) } ?? .pairs, question, matches,
      matches.notes(metric) + runs.notes(onChoice: matches) + runs.notes(onNames: names, others))
  }

  /// The same strategies of two files, the second minus the first.
  ///
  /// - Throws: ``ComparisonError`` where no scenario and strategy of both share a seed.
  public init(
    old: MeasuredRuns, new: MeasuredRuns, metric: Metric, _ question: Question = Question()
  ) throws(ComparisonError) {
    let scenarios = try new.scenarios(question)
    let (before, after) = (Grouped(old, metric), Grouped(new, metric))
    let matches = scenarios.compactMap { scenario -> ScenarioMatches? in
      let pairs = new.strategies.compactMap { strategy in
        after.contestant(scenario, strategy).flatMap { a in
          before.contestant(scenario, strategy).map { Match(a: a, b: $0) }
        }
      }
      return pairs.isEmpty
        ? nil
        : ScenarioMatches(scenario: scenario, contestants: pairs.flatMap { [$0.a, $0.b] }, pairs: pairs)
    }
    guard matches.contains(where: { $0.pairs.contains(where: \.sharesSeed) }) else {
      throw .noSharedRun(old, new)
    }
    let single = Grouped.unmatched(before, after, question.scenario == nil ? nil : scenarios)
    self.init(
      new.name, metric, .files(old.source, new.source), question, matches,
      matches.notes(metric, files: (old.source, new.source)) + single)
  }
}

/// Runs by scenario and strategy.
private struct Grouped {
  private struct Key: Hashable {
    let scenario: SweptLabel
    let strategy: SweptLabel
  }

  private let source: String
  private let contestants: [Key: Contestant]
  private let order: [Key]

  init(_ runs: MeasuredRuns, _ metric: Metric) {
    let place = runs.metrics.firstIndex { $0.name == metric.name } ?? 0
    let groups = Dictionary(grouping: runs.runs) { run in
      let configuration = runs.configurations[run.configuration]
      return Key(scenario: configuration.scenario, strategy: configuration.strategy)
    }
    source = runs.source
    contestants = Dictionary(
      uniqueKeysWithValues: groups.map { key, group in
        let configuration = runs.configurations[group[0].configuration]
        return (key, Contestant(key.strategy, group, configuration.record, metric: place))
      })
    order = runs.configurations.map { Key(scenario: $0.scenario, strategy: $0.strategy) }.distinct
  }

  func contestant(_ scenario: SweptLabel, _ strategy: SweptLabel) -> Contestant? {
    contestants[Key(scenario: scenario, strategy: strategy)]
  }

  func matches(_ scenario: SweptLabel, _ strategies: [SweptLabel], _ reference: SweptLabel?) -> ScenarioMatches {
    let others = strategies.compactMap { contestant(scenario, $0) }
    guard let reference else {
      let pairs = others.indices.flatMap { i in others[(i + 1)...].map { Match(a: others[i], b: $0) } }
      return ScenarioMatches(scenario: scenario, contestants: others, pairs: pairs)
    }
    guard let reference = contestant(scenario, reference) else {
      return ScenarioMatches(scenario: scenario, contestants: others, pairs: [])
    }
    return ScenarioMatches(
      scenario: scenario, contestants: [reference] + others, pairs: others.map { Match(a: $0, b: reference) },
      reference: reference)
  }

  /// What only one of two files has.
  /// - Parameter scenarios: those that count; nil: all.
  static func unmatched(_ old: Grouped, _ new: Grouped, _ scenarios: [SweptLabel]?) -> [String] {
    [(old, new), (new, old)].flatMap { one, other in
      one.order.filter { scenarios?.contains($0.scenario) ?? true }
        .filter { one.contestants[$0] != nil && other.contestants[$0] == nil }
        .map { Remark(scenario: $0.scenario.text, label: $0.strategy.text, what: "only \(one.source) has runs.") }
    }.sentences
  }
}

extension MeasuredRuns {
  fileprivate func scenarios(_ question: Comparison.Question) throws(ComparisonError) -> [SweptLabel] {
    guard let name = question.scenario else { return scenarios }
    return try scenarios.meant(by: name, "scenario", in: source)
  }

  /// - Throws: ``ComparisonError`` where there is nothing to compare, or more than anybody reads.
  fileprivate func check(_ count: Int, hasReference: Bool, _ scenarios: Int) throws(ComparisonError) {
    guard count > 1 else {
      throw ComparisonError(.unknown, "\(source): two strategies are wanted; there \(strategies.countWords)")
    }
    let comparisons = scenarios * (hasReference ? count - 1 : count * (count - 1) / 2)
    if comparisons > mostComparisons {
      throw ComparisonError(
        .unknown,
        "\(source): \(comparisons) comparisons are more than \(mostComparisons); name some strategies, or a "
          + "--reference")
    }
  }

  /// - Throws: ``ComparisonError`` where no pair shares a seed: nothing can be paired.
  fileprivate func checkSharedSeeds(_ matches: [ScenarioMatches]) throws(ComparisonError) {
    let pairs = matches.flatMap(\.pairs)
    if pairs.contains(where: \.sharesSeed) { return }
    guard let pair = pairs.first else {
      throw ComparisonError(.unpaired, "\(source): no scenario has runs of two of these strategies")
    }
    throw ComparisonError(
      .unpaired,
      "\(source): \(pair.a.label) has \(seedWords(pair.a.seeds)), \(pair.b.label) has \(seedWords(pair.b.seeds)); runs are "
        + "paired by seed, and no seed has both")
  }
}

extension [SweptLabel] {
  fileprivate func one(named name: String, in file: String) throws(ComparisonError) -> SweptLabel {
    let meant = try meant(by: name, "strategy", in: file)
    if meant.count == 1 { return meant[0] }
    throw ComparisonError(
      .unknown,
      "\(file): --reference \(quotedForMessage(name)) has \(meant.count) configurations; name one: "
        + meant.map(\.text).listed)
  }

  fileprivate var countWords: String {
    isEmpty ? "are none" : count == 1 ? "is \(self[0].text) alone" : "are \(map(\.text).listed)"
  }
}
