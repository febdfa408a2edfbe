import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestReport
import PalimpsestResults
import Synchronization
import Testing

/// Runs that never were, and the page that shows them.
struct MadeUp: Sendable, CustomTestStringConvertible {
  struct Configuration: Sendable {
    var scenario = "visible"
    var strategy: String
    var settings: [(name: String, value: JSONValue)] = []
    var isBound = false
    /// One a seed.
    var runs: [RunRecord]
    /// Runs of the plan that have not ended.
    var missing = 0

    var kind: AccuracyKind {
      completed.contains { $0.expectedAccuracy == nil } ? .sampled : .expected
    }
    var completed: [RunRecord] { runs.filter { $0.status == .completed } }

    func count(_ status: RunRecord.Status) -> Int { runs.count { $0.status == status } }
  }

  let what: String
  var name = "made-up"
  var question = "Does it hold?"
  var configurations: [Configuration]
  var table = Report.standardMetrics
  var origin = ReportOrigin()

  var testDescription: String { what }

  var report: Report {
    let metrics = ReportData.metrics(table)
    return Report(
      name: name, question: question, metrics: metrics,
      rows: configurations.map { configuration in
        let cells = metrics.map { metric in
          let values = configuration.completed.map {
            metric.value(of: $0, kind: configuration.kind)
          }
          return Report.Cell(
            values.map(\.number), undefinedBecause: values.lazy.compactMap(\.reason).first)
        }
        var row = Report.Row(
          scenario: configuration.scenario, strategy: configuration.strategy,
          settings: configuration.settings,
          kind: configuration.kind, planned: configuration.runs.count + configuration.missing,
          completed: configuration.completed.count,
          failed: configuration.count(.failed) + configuration.count(.cancelled),
          diverged: configuration.count(.diverged), cells: cells)
        row.marks.isBound = configuration.isBound
        return row
      })
  }

  var runs: ReportedRuns {
    let all = configurations.enumerated().flatMap { row, configuration in
      configuration.runs.enumerated().map { (row: row, seed: $0, record: $1) }
    }
    let runs = all.map { run in
      ReportedRuns.Run(
        row: run.row, seed: run.seed, status: run.record.status, error: run.record.error,
        tasks: run.record.tasks)
    }
    return ReportedRuns(runs: runs, origin: origin) { name in
      all.map { $0.record[name] }
    }
  }

  /// The same with the table's first metric.
  var measured: MeasuredRuns {
    let rows = configurations.map { configuration in
      MeasuredRuns.Configuration(
        scenario: configuration.scenario, strategy: configuration.strategy, configuration.settings,
        { .null },
        isOfScenario: { _ in false })
    }
    let runs = configurations.enumerated().flatMap { row, configuration in
      configuration.runs.enumerated().map { seed, record in
        let values =
          record.status == .completed
          ? [table[0].value(of: record, kind: configuration.kind).number] : []
        return MeasuredRuns.Run(
          configuration: row, seed: seed, status: record.status, kind: configuration.kind,
          values: values)
      }
    }
    return MeasuredRuns(
      source: "made-up.h5", name: name, metrics: [table[0]], configurations: rows, runs: runs,
      tuning: .init())
  }

  var data: ReportData { ReportData(report, table: table, runs, measured) }

  func figures() throws -> ReportFigures { try ReportFigures(data) }

  func page() throws -> String { try fresh().page }

  private func fresh() throws -> (figures: ReportFigures, page: String) {
    let data = data
    let figures = try ReportFigures(data)
    return (figures, HTMLReport(data, figures, version: "1.2.3").text)
  }

  private static let known = Mutex<[String: (figures: ReportFigures, page: String)]>([:])

  /// Of one of ``all`` as it stands there: a dozen tests look at what is made once.
  func made() throws -> (figures: ReportFigures, page: String) {
    if let known = MadeUp.known.withLock({ $0[what] }) { return known }
    let new = try fresh()
    MadeUp.known.withLock { $0[what] = new }
    return new
  }
}

// MARK: - Runs

extension RunRecord {
  /// A completed run that learns each task to `learned` and loses `lost` of it with each later one, a little otherwise with each
  /// seed.
  static func madeUp(
    seed: Int, tasks: Int = 5, learned: Double = 0.85, lost: Double = 0.08, knowsTruth: Bool = true,
    bytes: Int = 4000, work: Int = 1_000_000
  ) -> RunRecord {
    var rng = Seed(UInt64(seed)).stream("made-up", tasks)
    let rows = (0..<tasks).map { after in
      (0..<tasks).map { task in
        let level = task <= after ? learned - lost * Double(after - task) : 0.5
        return min(1, max(0, level + 0.02 * (rng.uniform() - 0.5)))
      }
    }
    var record = RunRecord(status: .completed, tasks: (0..<tasks).map { "phase \($0)" })
    record.accuracy = AccuracyMatrix(rows)
    record.accuracyBefore = (0..<tasks).map { _ in 0.5 }
    if knowsTruth {
      record.expectedAccuracy = record.accuracy
      record.expectedAccuracyBefore = record.accuracyBefore
      record.truth = .madeUp(tasks: tasks)
    }
    record.cost.learner.bytesModel = bytes
    record.cost.learner.bytesImportance = 0
    record.cost.learner.bytesMemory = 0
    record.cost.learner.multiplyAdds = work
    return record
  }

  static func ended(_ status: RunRecord.Status, _ error: String) -> RunRecord {
    var record = RunRecord(status: status, tasks: ["phase 0", "phase 1"])
    record.error = error
    return record
  }

  /// The same with evaluations within tasks.
  var withCurve: RunRecord {
    var record = self
    let count = tasks.count
    record.curve = (0..<count).flatMap { task in
      (1...4).map { step in
        let dip = step == 1 ? 0.2 : 0.02 * Double(4 - step)
        let row = (0..<count).map { accuracy[task, $0] - ($0 < task ? dip : 0) }
        return CurvePoint(
          task: task, examples: 100 * (4 * task + step), accuracy: row,
          expectedAccuracy: expectedAccuracy == nil ? nil : row)
      }
    }
    return record
  }
}

extension ScenarioTruth {
  /// The best rule of a task has 0.9 on it, and 0.05 less on a task one farther away.
  static func madeUp(tasks: Int, ceiling: Double = 0.84) -> ScenarioTruth {
    let apart = { (scale: Double, top: Double) in
      (0..<tasks).map { row in (0..<tasks).map { top - scale * Double(abs(row - $0)) } }
    }
    return ScenarioTruth(
      bayesAccuracy: [Double](repeating: 0.9, count: tasks), crossAccuracy: apart(0.05, 0.9),
      totalVariation: apart(-0.1, 0), hellinger: apart(-0.08, 0), jointCeiling: ceiling)
  }
}
