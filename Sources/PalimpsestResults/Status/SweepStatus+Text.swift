import PalimpsestJSON
import PalimpsestMetrics

extension SweepStatus {
  /// For people: a line of counts, a table of means, and those who are not heard of.
  /// - Parameter workers: those of launches that are heard of; they write no progress files.
  public func text(workers: Int = 0) -> String {
    let shown = shownRows
    let more = rows.count - shown.count
    let note = more > 0 ? ["\(more) more configurations are not shown; \"palimpsest report\" has them"] : []
    return ([line(workers: workers), "", table(of: shown)] + note + quiet).joined(separator: "\n")
  }

  /// More configurations than that are not shown.
  static let mostRows = 50

  /// In plan order; where there are many, those that ended a run last, else the first.
  private var shownRows: [Report.Row] {
    guard rows.count > SweepStatus.mostRows else { return rows }
    let order = rows.indices.sorted { latest[$0] == latest[$1] ? $0 < $1 : latest[$0] > latest[$1] }
    return order.prefix(SweepStatus.mostRows).sorted().map { rows[$0] }
  }

  /// As the report has it, all scenarios together.
  private func table(of rows: [Report.Row]) -> String {
    let settings = rows.settingNames
    let unmarked = shown.map { _ in String?.none }
    let lines = rows.map { row in
      let line = ReportTable.Row(row, settings, shown, unmarked)
      return [row.scenario] + line.texts + [line.count] + line.cells.map(\.text)
    }
    let header = ["scenario", "strategy"] + settings + ["n"] + shown.map(\.heading)
    return aligned([header] + lines, leftColumns: 2)
  }

  /// `12 of 60 runs done (20 %), 1 failed, 2 running, 3.5 runs/s, 14 s left`.
  public func line(workers: Int = 0) -> String {
    let done = planned - missing
    var parts = [
      "\(visible(experiment)): \(done) of \(planned) runs done (\(planned > 0 ? done * 100 / planned : 100) %)"
    ]
    if failed > 0 { parts.append("\(failed) failed") }
    if diverged > 0 { parts.append("\(diverged) diverged") }
    if missing > 0 {
      if workers > 0 { parts.append("\(workers) \(workers == 1 ? "worker" : "workers") of launches at work") }
      if workers == 0 || running > 0 { parts.append(working.isEmpty ? "nobody is at work" : "\(running) running") }
      if runsPerSecond > 0 { parts.append("\(oneDecimal(runsPerSecond)) runs/s") }
      if let secondsLeft { parts.append("\(duration(secondsLeft)) left") }
    }
    return parts.joined(separator: ", ")
  }

  /// Who is stale or dead, and damage.
  private var quiet: [String] {
    let lines = processes.filter { $0.state != .working }.map { process in
      let what = process.state == .dead ? "has died" : "is stale"
      return
        "\(process.progress.name) \(what): last heard of \(duration(process.age)) ago, "
        + "\(process.progress.workers.count) runs in hand; they are free for others"
    }
    return (lines + damaged.map { "\($0): this line is torn or damaged and does not count" }).map(visible)
  }

  /// For programs: the names are stable.
  public var json: JSONValue {
    [
      "experiment": JSONValue(experiment), "planned": JSONValue(planned), "completed": JSONValue(completed),
      "failed": JSONValue(failed), "diverged": JSONValue(diverged), "missing": JSONValue(missing),
      "running": JSONValue(running), "complete": JSONValue(missing == 0), "runs_per_s": JSONValue(runsPerSecond),
      "seconds_left": secondsLeft.map { JSONValue($0) } ?? .null,
      "processes": JSONValue(
        processes.map { process in
          [
            "name": JSONValue(process.progress.name), "host": JSONValue(process.progress.host),
            "process": JSONValue(process.progress.process), "state": JSONValue(process.state.rawValue),
            "updated": JSONValue(process.progress.updated), "seconds_since": JSONValue(process.age),
            "runs_per_s": JSONValue(process.progress.runsPerSecond),
            "workers": JSONValue(process.progress.workers.map(\.json)),
          ]
        }),
      "rows": JSONValue(rows.map { $0.json(shown) }), "damaged": JSONValue(damaged.map { JSONValue($0) }),
    ]
  }
}
