import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

extension Selection {
  /// What was chosen, a line a cell, and what a reader must know about it.
  public var text: String {
    let sweep = cells.allSatisfy { $0.sweep.isEmpty } ? [] : ["sweep"]
    let header = ["scenario", "strategy"] + sweep + ["chosen", "score", "trials"]
    let rows = cells.map { $0.label + (sweep.isEmpty ? [] : [$0.sweepText]) + $0.choice }
    let table = aligned([header] + rows, leftColumns: header.count - 2)
    return ([heading, table] + cells.flatMap(\.notes)).joined(separator: "\n")
  }

  /// The same without a table.
  var sentences: [String] {
    let lines = cells.map { cell in
      visible((cell.label + [cell.sweepText] + cell.choice).filter { !$0.isEmpty }.joined(separator: ", "))
    }
    return [heading] + lines + cells.flatMap(\.notes)
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
  fileprivate var label: [String] { [scenario, strategy] }

  /// `scenario_driftTV = 0.2`; empty where the cell is the only one of its scenario and strategy.
  fileprivate var sweepText: String { words(sweep) }

  /// What was chosen, its score, how many were tried.
  fileprivate var choice: [String] {
    guard let chosen else { return ["nothing", "–", String(trials.count)] }
    let half = Interval(trials[chosen].scores)?.halfWidth.map { " ± " + threeDecimals($0) } ?? ""
    return [words(trials[chosen].values), threeDecimals(trials[chosen].mean) + half, String(trials.count)]
  }

  private func words(_ values: JSONObject) -> String {
    values.members.map { "\($0.key) = \($0.value.value.plainText)" }.joined(separator: ", ")
  }

  fileprivate var notes: [String] {
    var notes = unhelpful.map { "\($0) does not help: the best strength for it is 0." }
    if chosen == nil { notes.append("no trial has the criterion on every seed; the strategy is left out.") }
    notes += atEdge.map { "\($0) is at the edge of what was tried; a wider range may do better." }
    let lost = trials.count { !$0.mean.isFinite }
    if lost > 0 && chosen != nil { notes.append("\(lost) of \(trials.count) trials did not complete on every seed.") }
    if let heldOut { notes.append("trials were judged on \(percent(heldOut)) of the training rows, held out.") }
    return notes.map { visible("\((label + [sweepText]).filter { !$0.isEmpty }.joined(separator: ", ")): \($0)") }
  }
}

private func percent(_ share: Double) -> String {
  let percent = share * 100
  return (percent == percent.rounded() ? String(Int(percent)) : String(percent)) + " %"
}
