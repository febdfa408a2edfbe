import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

extension [ScenarioMatches] {
  /// Runs that are not in the numbers, and why.
  ///
  /// - Parameter files: where contestants are one strategy from two files.
  func notes(_ metric: Metric, files: (old: String, new: String)? = nil) -> [String] {
    flatMap { match -> [Remark] in
      guard let files else { return match.notes(match.contestants, metric, in: "") }
      return match.notes(match.pairs.map(\.b), metric, in: " in \(files.old)")
        + match.notes(match.pairs.map(\.a), metric, in: " in \(files.new)")
    }.sentences
  }
}

extension ScenarioMatches {
  /// - Parameter file: where the runs are, in words.
  fileprivate func notes(_ shown: [Contestant], _ metric: Metric, in file: String) -> [Remark] {
    let seeds = Set(contestants.flatMap(\.seeds))
    let kinds = Set(contestants.filter { !$0.values.isEmpty }.map(\.kind))
    return shown.flatMap { contestant in
      let mixed = kinds.count > 1 && contestant.kind == .sampled && metric.subject == .accuracy
      return [
        contestant.noteOnEnds(file), contestant.noteOnSeeds(seeds, file), contestant.noteOnValues(metric, file),
        mixed ? "its accuracies\(file) are of sampled labels, others noise-free; such are not paired." : nil,
      ].compactMap { $0.map { Remark(scenario: name, label: contestant.label, what: $0) } }
    }
  }
}

extension Contestant {
  fileprivate func noteOnEnds(_ file: String) -> String? {
    let ends = [(diverged, "diverged"), (failed, "failed")].filter { $0.0 > 0 }
    if ends.isEmpty { return nil }
    let counts = ends.map { "\($0.0) of \(seeds.count) runs \($0.1)" }.joined(separator: ", ")
    return "\(counts)\(file); \(diverged + failed == 1 ? "its seed is" : "their seeds are") not compared."
  }

  /// - Parameter all: seeds that any of the scenario has.
  fileprivate func noteOnSeeds(_ all: Set<Int>, _ file: String) -> String? {
    let absent = all.subtracting(seeds).sorted()
    return absent.isEmpty ? nil : "no \(seedWords(absent))\(file); pairs are of the seeds that both have."
  }

  fileprivate func noteOnValues(_ metric: Metric, _ file: String) -> String? {
    let without = completed.subtracting(values.keys).count
    return without == 0 ? nil : "\(without) of \(completed.count) completed runs\(file) have no \(metric.shortName)."
  }
}

extension MeasuredRuns {
  /// Strategies that were tuned on seeds that are compared.
  func notes(onChoice matches: [ScenarioMatches]) -> [String] {
    matches.flatMap { match in
      match.contestants.compactMap { contestant in
        let shared = contestant.seeds.filter(tuning.seeds.contains)
        guard !shared.isEmpty, tuning.tuned.contains([match.scenario.label, contestant.strategy]) else { return nil }
        let what = "tuned on \(seedWords(shared)), which are compared: its numbers are too good."
        return Remark(scenario: match.name, label: contestant.label, what: what)
      }
    }.sentences
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
