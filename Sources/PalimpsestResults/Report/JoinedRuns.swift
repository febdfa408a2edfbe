import PalimpsestJSON
import PalimpsestMetrics

/// Results of several files side by side: what each of a file's configurations is called says the file.
///
/// Rows of all have one more setting, `file`.
package enum JoinedRuns {
  package static let setting = "file"

  /// What files are called: their last names without the ending, and more of the path where two are alike.
  package static func names(_ paths: [String]) -> [String] {
    let short = paths.map { path in
      let last = Paths.last(of: path)
      return [".h5", ".palimpsest"].first(where: last.hasSuffix).map { String(last.dropLast($0.count)) } ?? last
    }
    return Set(short).count == short.count ? short : paths
  }

  /// - Parameter parts: of the same metrics.
  package static func report(_ parts: [(file: String, report: Report)]) -> Report {
    let rows = parts.flatMap { part in part.report.rows.map { $0.with(setting, JSONValue(part.file)) } }
    return Report(
      name: parts.map(\.report.name).distinct.joined(separator: ", "), question: parts.first?.report.question ?? "",
      metrics: parts.first?.report.metrics ?? [], rows: rows)
  }

  package static func runs(_ parts: [(file: String, report: Report, runs: ReportedRuns)]) -> ReportedRuns {
    var (runs, first) = ([ReportedRuns.Run](), 0)
    for part in parts {
      runs += part.runs.runs.map { run in
        ReportedRuns.Run(
          row: run.row + first, seed: run.seed, status: run.status, error: run.error, tasks: run.tasks)
      }
      first += part.report.rows.count
    }
    let lists = parts.map(\.runs)
    return ReportedRuns(runs: runs, origin: origin(parts.map { ($0.file, $0.runs.origin) })) {
      name in try lists.flatMap { try $0.observations(name) }
    }
  }

  private static func origin(_ parts: [(file: String, origin: ReportOrigin)]) -> ReportOrigin {
    var origin = ReportOrigin()
    origin.experimentText = parts.map { "\($0.file):\n\($0.origin.experimentText)" }.joined(separator: "\n")
    for (file, part) in parts {
      origin.overrides += part.overrides.map { "\(file): \($0)" }
      origin.inputs += part.inputs.map { ("\($0.name), \(file)", $0.digest) }
      origin.facts += part.facts.map { ("\($0.name), \(file)", $0.text) }
    }
    origin.newest = parts.compactMap(\.origin.newest).max()
    return origin
  }

  /// All with all, by names that say the file.
  package static func measured(_ parts: [(file: String, runs: MeasuredRuns)]) -> MeasuredRuns? {
    guard let first = parts.first else { return nil }
    var (configurations, runs) = ([MeasuredRuns.Configuration](), [MeasuredRuns.Run]())
    for (file, part) in parts {
      let start = configurations.count
      configurations += part.configurations.map { $0.with(setting, file) }
      runs += part.runs.map { $0.moved(by: start) }
    }
    return MeasuredRuns(
      source: parts.map(\.file).joined(separator: ", "), name: first.runs.name, metrics: first.runs.metrics,
      configurations: configurations, runs: runs, tuning: first.runs.tuning)
  }
}

extension Report.Row {
  fileprivate func with(_ name: String, _ value: JSONValue) -> Report.Row {
    var row = Report.Row(
      scenario: scenario, strategy: strategy, settings: settings + [(name, value)], kind: kind, planned: planned,
      completed: completed, failed: failed, diverged: diverged, cells: cells)
    row.marks = marks
    return row
  }
}

extension MeasuredRuns.Configuration {
  fileprivate func with(_ name: String, _ value: String) -> Self {
    var other = self
    other.strategy = strategy.with(name, value)
    return other
  }
}

extension MeasuredRuns.Run {
  fileprivate func moved(by places: Int) -> Self {
    Self(configuration: configuration + places, seed: seed, status: status, kind: kind, values: values)
  }
}
