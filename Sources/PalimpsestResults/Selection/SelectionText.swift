import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

extension Selection {
  /// What was chosen, a line a cell, and what a reader must know about it.
  public var text: String {
    let header = ["scenario", "strategy", "chosen", "score", "trials"]
    let table = aligned([header] + cells.map(\.line), leftColumns: 3)
    return ([heading, table] + cells.flatMap(\.notes)).joined(separator: "\n")
  }

  /// The same without a table.
  var sentences: [String] {
    [heading] + cells.map { visible($0.line.joined(separator: ", ")) } + cells.flatMap(\.notes)
  }

  /// `Chosen by average_accuracy (higher is better), mean over seeds 1000 to 1004, none of which is reported above:`
  private var heading: String {
    let better = direction == .lower ? "lower" : "higher"
    let tasks = tasks.map { $0 == 1 ? ", after the first task" : ", after the first \($0) tasks" } ?? ""
    return
      "Chosen by \(criterion) (\(better) is better), mean over \(seedText)\(tasks); no reported run has these seeds:"
  }

  private var seedText: String { seedWords(seeds) }
}

/// `seeds 10 to 14`.
public func seedWords(_ seeds: [Int]) -> String {
  guard let first = seeds.first, let last = seeds.last, seeds.count > 1 else {
    return "seed \(seeds.first.map(String.init) ?? "")"
  }
  let isRange = last - first == seeds.count - 1 && zip(seeds, seeds.dropFirst()).allSatisfy { $1 == $0 + 1 }
  return isRange ? "seeds \(first) to \(last)" : "seeds " + seeds.map(String.init).joined(separator: ", ")
}

extension SelectionCell {
  fileprivate var line: [String] {
    guard let chosen else { return [scenario, strategy, "nothing", "–", String(trials.count)] }
    let values = trials[chosen].values.members.map { "\($0.key) = \($0.value.value.plainText)" }
    let half = Interval(trials[chosen].scores)?.halfWidth.map { " ± " + threeDecimals($0) } ?? ""
    return [
      scenario, strategy, values.joined(separator: ", "), threeDecimals(trials[chosen].mean) + half,
      String(trials.count),
    ]
  }

  fileprivate var notes: [String] {
    var notes = unhelpful.map { "\($0) does not help: the best strength for it is 0." }
    if chosen == nil { notes.append("no trial has the criterion on every seed; the strategy is left out.") }
    notes += atEdge.map { "\($0) is at the edge of what was tried; a wider range may do better." }
    let lost = trials.count { !$0.mean.isFinite }
    if lost > 0 && chosen != nil { notes.append("\(lost) of \(trials.count) trials did not complete on every seed.") }
    if let heldOut { notes.append("trials were judged on \(percent(heldOut)) of the training rows, held out.") }
    return notes.map { visible("\(scenario), \(strategy): \($0)") }
  }
}

private func percent(_ share: Double) -> String {
  let percent = share * 100
  return (percent == percent.rounded() ? String(Int(percent)) : String(percent)) + " %"
}
