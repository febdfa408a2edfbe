import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

extension [ScenarioMatches] {
  /// Runs that are not in the numbers, and why, a sentence a contestant.
  ///
  /// - Parameter files: where contestants are one strategy from two files.
  func notes(_ metric: Metric, files: (old: String, new: String)? = nil) -> [String] {
    flatMap { match -> [String] in
      guard let files else { return match.notes(match.contestants, metric, in: "") }
      return match.notes(match.pairs.map(\.b), metric, in: " of \(files.old)")
        + match.notes(match.pairs.map(\.a), metric, in: " of \(files.new)")
    }
  }
}

extension ScenarioMatches {
  fileprivate func notes(_ shown: [Contestant], _ metric: Metric, in file: String) -> [String] {
    let all = Set(contestants.flatMap(\.seeds))
    return shown.flatMap { contestant in
      contestant.notes(metric, all, kinds: Set(contestants.filter { !$0.values.isEmpty }.map(\.kind)).count)
        .map { "\(name), \(contestant.label)\(file): \($0)" }
    }
  }
}

extension Contestant {
  /// - Parameters:
  ///   - all: seeds that any of the scenario has.
  ///   - kinds: how many kinds of accuracy the scenario's contestants have.
  fileprivate func notes(_ metric: Metric, _ all: Set<Int>, kinds: Int) -> [String] {
    var notes: [String] = []
    let ends = [(diverged, "diverged"), (failed, "failed")].filter { $0.0 > 0 }
    if !ends.isEmpty {
      let counts = ends.map { "\($0.0) of \(seeds.count) runs \($0.1)" }.joined(separator: ", ")
      notes.append("\(counts); \(diverged + failed == 1 ? "its seed is" : "their seeds are") not compared.")
    }
    let absent = all.subtracting(seeds).sorted()
    if !absent.isEmpty { notes.append("it has no \(seedWords(absent)), so its pairs are of the seeds that both have.") }
    let unmeasured = completed.subtracting(values.keys)
    if !unmeasured.isEmpty {
      notes.append("\(unmeasured.count) of \(completed.count) completed runs have no \(metric.shortName).")
    }
    if kinds > 1 && kind == .sampled && metric.subject == .accuracy {
      notes.append("its accuracies are of sampled labels, those of others noise-free; such are not paired.")
    }
    return notes
  }
}

extension MeasuredRuns {
  /// Strategies that were tuned on seeds that are compared.
  func notes(onChoice matches: [ScenarioMatches]) -> [String] {
    guard let selection else { return [] }
    return matches.flatMap { match in
      match.contestants.compactMap { contestant in
        let shared = contestant.seeds.filter(selection.seeds.contains)
        let isTuned = selection.cells.contains { cell in
          cell.scenario == match.scenario.label && cell.strategy == contestant.strategy
        }
        guard isTuned, !shared.isEmpty else { return nil }
        return "\(match.name), \(contestant.label): tuned on \(seedWords(shared)), so its numbers there are too good."
      }
    }
  }

  /// A configuration that was picked from a sweep is tested as if it had been named before.
  func notes(onNames names: [String], _ asked: [SweptLabel]) -> [String] {
    let picked = asked.filter { strategy in names.contains { $0 != strategy.label && strategy.isMeant(by: $0) } }
    return picked.compactMap { strategy in
      let kin = strategies.count { $0.label == strategy.label }
      guard kin > 1 else { return nil }
      return "\(strategy.text) is one of \(kin) configurations of \(strategy.label): if it was picked because of these "
        + "results, its p is too small; compare all of them, or choose by a select block."
    }
  }
}

extension Comparison {
  /// What the tests cannot show.
  var limits: [String] {
    var limits: [String] = []
    let few = Set(pairs.map(\.seeds.count).filter { $0 > 0 && $0 < Comparison.leastPairs }).sorted()
    if !few.isEmpty {
      let counts = few.map(String.init).joined(separator: ", ")
      limits.append(
        "With \(counts) \(few == [1] ? "seed" : "seeds") no sign-flip test can reach .05 (\(leastWords(few[few.count - 1])) at "
          + "least), so there is no p: \(Comparison.leastPairs) are wanted, better 10.")
    }
    if let holm = holmSentence { limits.append(holm) }
    return limits
  }

  private func leastWords(_ pairs: Int) -> String { "p " + sentenceP(SignFlips.leastP(pairs: pairs)) }

  /// Where Holm's least p times the number of comparisons is over the level, nothing could have been shown.
  private var holmSentence: String? {
    guard adjustment == .holm, let pairs = pairs.filter({ $0.p != nil }).map(\.seeds.count).max() else { return nil }
    let least = SignFlips.leastP(pairs: pairs)
    guard least * Double(tested) > Comparison.level else { return nil }
    return "With Holm nothing could be shown: the least p of \(pairs) seeds, \(sentenceP(least)), times \(tested) "
      + "comparisons is \(sentenceP(min(1, least * Double(tested)))), over .05. Max-T has no such bound: leave out --adjust."
  }
}
