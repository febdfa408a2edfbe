import PalimpsestMetrics

extension SweepStatus {
  /// For people: a line of counts, a table of means, and those who are not heard of.
  public var text: String {
    let header = ["scenario", "strategy", "n"] + SweepStatus.metrics.map { $0.longName.lowercased() }
    let table = aligned([header] + rows.map(\.cells), leftColumns: 2)
    return ([line, "", table] + quiet).joined(separator: "\n")
  }

  /// `12 of 60 runs done (20 %), 1 failed, 2 running, 3.5 runs/s, 14 s left`.
  public var line: String {
    let done = planned - missing
    var parts = ["\(experiment): \(done) of \(planned) runs done (\(planned > 0 ? done * 100 / planned : 100) %)"]
    if failed > 0 { parts.append("\(failed) failed") }
    if diverged > 0 { parts.append("\(diverged) diverged") }
    if missing > 0 {
      parts.append(working.isEmpty ? "nobody is at work" : "\(running) running")
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
    return lines + damaged.map { "\($0): this line is torn or damaged and does not count" }
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
      "rows": JSONValue(rows.map(\.json)), "damaged": JSONValue(damaged.map { JSONValue($0) }),
    ]
  }
}

extension SweepStatus.Row {
  fileprivate var cells: [String] {
    [scenario, strategy, completed == planned ? "\(completed)" : "\(completed)/\(planned)"]
      + intervals.map { interval in
        guard let interval else { return "–" }
        return threeDecimals(interval.mean) + (interval.halfWidth.map { " ± " + threeDecimals($0) } ?? "")
      }
  }

  fileprivate var json: JSONValue {
    let metrics = zip(SweepStatus.metrics, intervals).map { metric, interval -> (String, JSONValue) in
      (
        metric.column(kind),
        [
          "mean": interval.map { JSONValue($0.mean) } ?? .null,
          "half_width": interval?.halfWidth.map { JSONValue($0) } ?? .null, "n": JSONValue(interval?.count ?? 0),
        ]
      )
    }
    return [
      "scenario": JSONValue(scenario), "strategy": JSONValue(strategy), "accuracy_kind": JSONValue(kind.rawValue),
      "planned": JSONValue(planned), "completed": JSONValue(completed), "failed": JSONValue(failed),
      "diverged": JSONValue(diverged), "metrics": JSONValue(JSONObject(metrics)),
    ]
  }
}
