import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

extension Comparison {
  /// More comparisons a scenario than that have their table alone; ``json`` has a sentence of each.
  private static let mostSentences = 10

  /// What differs beside the strategies first, then a table a scenario with what it says, what it comes to over scenarios, and
  /// what a reader must know.
  public var text: String {
    let beside = ["They differ in more than the strategy:"] + differences
    var blocks = differences.isEmpty ? [] : [beside.joined(separator: "\n")]
    blocks += scenarios.filter { !$0.pairs.isEmpty }.map(block)
    if !pooled.isEmpty { blocks.append(pooledTable) }
    let rest = limits + notes
    if !rest.isEmpty { blocks.append(rest.joined(separator: "\n")) }
    return blocks.map(visibleLines).joined(separator: "\n\n")
  }

  private func block(_ scenario: Scenario) -> String {
    var lines = [heading(scenario), table(scenario)]
    if let seen = sentenceOnSight(scenario) { lines.append(seen) }
    if let plan = sentencesOnPlan(scenario) { lines.append(plan) }
    if scenario.pairs.count <= Comparison.mostSentences { lines.append(contentsOf: scenario.pairs.map(sentence)) }
    return lines.joined(separator: "\n")
  }

  // MARK: - Heading

  /// `visible, expected average accuracy, 10 seeds; reference naive; adjusted by step-down max-T over 2 comparisons`.
  private func heading(_ scenario: Scenario) -> String {
    let parts = ["\(visible(scenario.name)), \(spaced(metric.column(scenario.kind)))\(unit), \(seedCounts(scenario))"]
    return (parts + [formWords, testWords].compactMap(\.self)).joined(separator: "; ")
  }

  private var unit: String { metric.unit == "1" ? "" : " (\(metric.unit))" }

  private func seedCounts(_ scenario: Scenario) -> String {
    let counts = Set(scenario.pairs.map(\.seeds.count)).sorted()
    guard let least = counts.first, let most = counts.last else { return "no seeds" }
    let words = most == 1 && least == 1 ? "1 seed" : "\(most) seeds"
    return counts.count > 1 ? "\(least) to \(words)" : words
  }

  private var formWords: String? {
    switch form {
    case .pairs: nil
    case .reference(let name): "reference \(name)"
    case .files(let old, let new): "new (\(new)) minus old (\(old))"
    }
  }

  private var testWords: String? {
    guard tested > 0 else { return nil }
    guard tested > 1 else { return "sign-flip test" }
    switch adjustment {
    case .maxT: return "adjusted by step-down max-T over \(tested) comparisons"
    case .holm: return "adjusted by Holm over \(tested) comparisons"
    case .none: return "\(tested) comparisons, not adjusted"
    }
  }

  // MARK: - Table

  private var isAdjusted: Bool { adjustment != .none && tested > 1 }

  private func table(_ scenario: Scenario) -> String {
    let header = names + ["difference", "wins", "p"] + (isAdjusted ? ["adj. p"] : []) + ["d_z"]
    var rows = scenario.pairs.map { labels($0) + numbers($0) }
    if let reference = scenario.reference {
      let empty = [String](repeating: "", count: header.count - 2)
      rows.insert([reference.label, reference.mean.map(metric.text) ?? "–"] + empty, at: 0)
    }
    return aligned([header] + rows, leftColumns: form == .pairs ? 2 : 1)
  }

  private var names: [String] {
    switch form {
    case .pairs: ["A", "B", "mean A", "mean B"]
    case .reference: ["", "mean"]
    case .files: ["", "old", "new"]
    }
  }

  private func labels(_ pair: Pair) -> [String] {
    let (a, b) = (mean(pair.valuesOfA), mean(pair.valuesOfB))
    return switch form {
    case .pairs: [pair.a.label, pair.b.label, a, b]
    case .reference: [pair.a.label, a]
    case .files: [pair.a.label, b, a]
    }
  }

  private func mean(_ values: [Double]) -> String { Interval(values).map { metric.text($0.mean) } ?? "–" }

  private func numbers(_ pair: Pair) -> [String] {
    let p = [pair.p.map(tableP) ?? "–"] + (isAdjusted ? [pair.adjusted.map(tableP) ?? "–"] : [])
    guard let difference = pair.difference else { return ["–", "–"] + p + ["–"] }
    let half = difference.interval.halfWidth.map { " ± " + metric.text($0) } ?? ""
    return [signed(difference.interval.mean) + half, "\(difference.wins)/\(pair.seeds.count)"] + p
      + [difference.effect.map(oneDecimal) ?? "–"]
  }

  // MARK: - What could be seen

  /// `10 seeds show a difference of 1.00 sd of the differences (0.019 to 0.027) with probability 0.8.`
  private func sentenceOnSight(_ scenario: Scenario) -> String? {
    let groups = Dictionary(grouping: scenario.pairs.filter { $0.detectable != nil }, by: \.seeds.count)
    let sentences = groups.keys.sorted(by: >).map { count in
      let sizes = (groups[count] ?? []).compactMap(\.detectable)
      let ends = [sizes.min(), sizes.max()].compactMap { $0.map(metric.text) }.distinct.joined(separator: " to ")
      let effect = twoDecimals(DetectableEffect.of(pairs: count))
      return "\(count) seeds show a difference of \(effect) sd of the differences (\(ends)) with probability 0.8."
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  /// `A difference of 0.01 takes 38 seeds for replay-200 and naive: 28 more.`
  private func sentencesOnPlan(_ scenario: Scenario) -> String? {
    guard let wanted else { return nil }
    let sentences = scenario.pairs.compactMap { pair -> String? in
      guard let seeds = pair.seeds(toSee: wanted) else { return nil }
      let more = seeds > pair.seeds.count ? "\(seeds - pair.seeds.count) more" : "there are \(pair.seeds.count)"
      return "To see a difference of \(shortNumber(wanted)) between \(pairWords(pair)) with probability 0.8 takes "
        + "\(seeds) seeds: \(more)."
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: "\n")
  }

  private func pairWords(_ pair: Pair) -> String {
    form.files != nil ? "new and old \(pair.a.label)" : "\(pair.a.label) and \(pair.b.label)"
  }

  // MARK: - Over scenarios

  private var pooledTable: String {
    let rows = pooled.map { pair in
      [pair.a] + (form == .pairs ? [pair.b] : []) + [
        String(pair.scenarios), threeDecimals(pair.probability), "\(pair.wins)/\(pair.count)",
      ]
    }
    let header = (form == .pairs ? ["A", "B"] : [""]) + ["scenarios", "P(better)", "wins"]
    let what = "Over scenarios: chance that a run of \(form == .pairs ? "A is better than one of B" : otherWords)"
    return what + ", mean over scenarios; wins on the same seed\n"
      + aligned([header] + rows, leftColumns: form == .pairs ? 2 : 1)
  }

  private var otherWords: String {
    switch form {
    case .pairs: ""
    case .reference(let name): "it is better than one of \(name)"
    case .files: "new is better than one of old"
    }
  }
}
