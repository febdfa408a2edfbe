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
    return ([heading, table] + notes).joined(separator: "\n")
  }

  /// The same without a table.
  var sentences: [String] {
    let lines = cells.map { cell in
      visible((cell.label + [cell.sweepText] + cell.choice).filter { !$0.isEmpty }.joined(separator: ", "))
    }
    return [heading] + lines + notes
  }

  private var notes: [String] { cells.flatMap { $0.notes(constraints) } }

  /// `Chosen by average_accuracy (higher is better), mean over seeds 1000 to 1004, none of which is reported above:`
  private var heading: String {
    let better = direction == .lower ? "lower" : "higher"
    let tasks = tasks.map { $0 == 1 ? ", after the first task" : ", after the first \($0) tasks" } ?? ""
    return
      "Chosen by \(criterion) (\(better) is better), mean over \(seedText)\(tasks)\(bounds); no reported run has these seeds:"
  }

  /// `, subject to bytes_kept at most 4096`.
  private var bounds: String {
    constraints.isEmpty ? "" : ", subject to " + constraints.map(\.words).joined(separator: ", ")
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

  fileprivate func notes(_ constraints: [SelectConstraint]) -> [String] {
    var notes = unhelpful.map { "\($0) does not help: the best strength for it is 0." }
    if chosen == nil { notes.append(nothing(constraints)) }
    let breaking = trials.count { !$0.breaks.isEmpty }
    if breaking > 0 && chosen != nil {
      notes.append(
        "\(breaking) of \(trials.count) trials do not keep to \(constraints.map(\.words).joined(separator: ", ")).")
    }
    notes += atEdge.map { "\($0) is at the edge of what was tried; a wider range may do better." }
    let lost = trials.count { !$0.mean.isFinite }
    if lost > 0 && chosen != nil { notes.append("\(lost) of \(trials.count) trials did not complete on every seed.") }
    if let heldOut { notes.append("trials were judged on \(percent(heldOut)) of the training rows, held out.") }
    return notes.map { visible("\((label + [sweepText]).filter { !$0.isEmpty }.joined(separator: ", ")): \($0)") }
  }
}

extension SelectionCell {
  /// Why nothing was chosen; what the best trial comes to that breaks a bound.
  fileprivate func nothing(_ constraints: [SelectConstraint]) -> String {
    let measured = trials.filter { $0.mean.isFinite }
    guard let breaks = measured.first?.breaks, !breaks.isEmpty else {
      return "no trial has the criterion on every seed; the strategy is left out."
    }
    let found = Set(measured.flatMap(\.breaks)).sorted { $0.count == $1.count ? $0 < $1 : $0.count < $1.count }
    let shown = found.prefix(4).joined(separator: ", ") + (found.count > 4 ? ", …" : "")
    return "no trial keeps to \(constraints.map(\.words).joined(separator: ", ")) (found: \(shown)); "
      + "the strategy is left out."
  }
}

private func percent(_ share: Double) -> String {
  let percent = share * 100
  return (percent == percent.rounded() ? String(Int(percent)) : String(percent)) + " %"
}
