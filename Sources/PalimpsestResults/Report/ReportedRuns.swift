import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

/// The runs behind a report's rows, and what they observed along axes: asked for one name at a time, so that a cube gives one column
/// after the other.
package struct ReportedRuns: Sendable {
  /// A run that has ended.
  package struct Run: Sendable {
    /// Place of its configuration among the report's rows.
    package let row: Int
    package let seed: Int
    package let status: RunRecord.Status
    /// Why, where it did not complete.
    package let error: String
    /// Names of its tasks.
    package let tasks: [String]

    package init(row: Int, seed: Int, status: RunRecord.Status, error: String, tasks: [String]) {
      (self.row, self.seed, self.status, self.error, self.tasks) = (row, seed, status, error, tasks)
    }
  }

  package let runs: [Run]
  package let origin: ReportOrigin
  private let read: @Sendable (ObservationName) throws -> [Observation?]

  /// - Parameter read: what each of `runs` observed under a name.
  package init(
    runs: [Run], origin: ReportOrigin,
    read: @escaping @Sendable (ObservationName) throws -> [Observation?]
  ) {
    (self.runs, self.origin, self.read) = (runs, origin, read)
  }

  /// One a run, nil where it did not observe it. Under the name of an axis: where its places lie, such as the days of `curve_day`.
  package func observations(_ name: ObservationName) throws -> [Observation?] { try read(name) }
}

extension ReportedRuns {
  package init(_ results: Results) {
    let rows = results.rows
    let runs = rows.map { row in
      let record = row.entry.record
      return Run(
        row: row.run.configuration, seed: row.run.seed, status: record.status, error: record.error, tasks: record.tasks)
    }
    self.init(runs: runs, origin: ReportOrigin(results)) { name in
      rows.map { $0.entry.record[name] ?? $0.entry.record.positions(along: name) }
    }
  }
}

extension RunRecord {
  /// Where the places of an axis lie, along itself; nil where they are only counted.
  fileprivate func positions(along axis: ObservationName) -> Observation? {
    guard case .positions(let places)? = ticks[axis.text] else { return nil }
    return Observation(axis, along: [Axis(axis.text, places.count)], .integers(places))
  }
}

/// Where a report's numbers come from.
package struct ReportOrigin: Sendable, Equatable {
  /// The experiment file as it was given; empty where it is not known.
  package var experimentText = ""
  /// What the command line changed in it.
  package var overrides: [String] = []
  /// SHA-256 of data sets' files, by name.
  package var inputs: [(name: String, digest: String)] = []
  /// What else is known: name and text.
  package var facts: [(name: String, text: String)] = []
  /// When the newest run began, in seconds since 1970; nil where no run has begun.
  package var newest: Double?

  package init() {}

  package static func == (a: ReportOrigin, b: ReportOrigin) -> Bool {
    a.experimentText == b.experimentText && a.overrides == b.overrides && a.newest == b.newest
      && a.inputs.elementsEqual(b.inputs, by: ==) && a.facts.elementsEqual(b.facts, by: ==)
  }
}

extension ReportOrigin {
  fileprivate init(_ results: Results) {
    experimentText = results.plan.experimentText
    overrides = results.plan.overrides
    inputs = results.inputs.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let entries = results.rows.map(\.entry)
    newest = entries.map(\.started).filter(\.isFinite).max()
    facts = ReportOrigin.facts(
      hosts: entries.map(\.host), instructionSets: entries.map(\.instructionSet),
      versions: entries.map(\.toolkitVersion), toolkitCommits: entries.map(\.toolkitCommit),
      commits: entries.map(\.gitCommit))
  }

  /// What runs say of where they were run, each text once.
  package static func facts(
    hosts: [String], instructionSets: [String], versions: [String], toolkitCommits: [String], commits: [String]
  ) -> [(name: String, text: String)] {
    let all = [
      ("machines", hosts), ("instructions of the kernels", instructionSets), ("toolkit version", versions),
      ("toolkit commit", toolkitCommits), ("commit of the working directory", commits),
    ]
    return all.compactMap { name, texts in
      let distinct = Set(texts).subtracting([""]).sorted()
      return distinct.isEmpty ? nil : (name, distinct.joined(separator: ", "))
    }
  }
}
