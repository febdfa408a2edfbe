import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns

/// Finished runs as comparisons see them, whatever they were read from: results with their plan, or a cube by itself.
public struct MeasuredRuns: Sendable {
  package struct Configuration: Sendable {
    /// With the scenario's own settings where a sweep varies them: runs are compared within equal ones.
    package let scenario: SweptLabel
    package internal(set) var strategy: SweptLabel
    /// All its settings; null where they are not known.
    package let record: @Sendable () -> JSONValue

    /// - Parameter settings: what tells it from others of its two labels; those of the scenario are told by `isOfScenario`.
    package init(
      scenario: String, strategy: String, _ settings: [(name: String, value: JSONValue)],
      _ record: @escaping @Sendable () -> JSONValue, isOfScenario: (String) -> Bool
    ) {
      self.scenario = SweptLabel(scenario, settings.filter { isOfScenario($0.name) })
      self.strategy = SweptLabel(strategy, settings.filter { !isOfScenario($0.name) })
      self.record = record
    }
  }

  package struct Run: Sendable {
    /// Place among the configurations.
    package let configuration: Int
    package let seed: Int
    package let status: RunRecord.Status
    package let kind: AccuracyKind
    /// One a metric, NaN where it is undefined; none of a run that did not complete.
    package let values: [Double]
    /// R, of sampled labels and without their noise, where they were asked for.
    package var accuracies: [AccuracyKind: AccuracyMatrix] = [:]

    package init(configuration: Int, seed: Int, status: RunRecord.Status, kind: AccuracyKind, values: [Double]) {
      (self.configuration, self.seed, self.status) = (configuration, seed, status)
      (self.kind, self.values) = (kind, values)
    }
  }

  /// What was tuned before these runs, and on which seeds.
  package struct Tuning: Sendable {
    package let seeds: Set<Int>
    /// Scenario and strategy of each.
    package let tuned: Set<[String]>

    package init(seeds: Set<Int> = [], tuned: Set<[String]> = []) {
      (self.seeds, self.tuned) = (seeds, tuned)
    }

    init(_ selection: Selection?) {
      seeds = Set(selection?.seeds ?? [])
      tuned = Set(selection?.cells.map { [$0.scenario, $0.strategy] } ?? [])
    }
  }

  /// The file that they are from, as it was named.
  public let source: String
  /// The experiment's name.
  public let name: String
  public let metrics: [Metric]
  package let configurations: [Configuration]
  package let runs: [Run]
  /// How settings were chosen before these runs.
  package let tuning: Tuning
  /// Accuracies were stored with 32 bits.
  package var isRounded = false

  package init(
    source: String, name: String, metrics: [Metric], configurations: [Configuration], runs: [Run],
    tuning: Tuning
  ) {
    (self.source, self.name, self.metrics) = (source, name, metrics)
    (self.configurations, self.runs, self.tuning) = (configurations, runs, tuning)
  }

  /// - Parameters:
  ///   - source: the file's name, for messages.
  ///   - metrics: nil: those that suit the runs.
  public init(_ results: Results, source: String, metrics: [Metric]? = nil) {
    let metrics = metrics ?? results.suitedMetrics
    let differing = DifferingSettings(results.plan).settings
    let ofScenario = Set(results.plan.columns.filter { $0.path.hasPrefix("scenarios.") }.map(\.name))
    let references = ReferenceRuns(results)
    self.init(
      source: source, name: results.plan.name, metrics: metrics,
      configurations: zip(results.plan.configurations, differing).map { configuration, settings in
        Configuration(
          scenario: configuration.scenario, strategy: configuration.strategy, settings, { configuration.record },
          isOfScenario: ofScenario.contains)
      },
      runs: results.rows.map { row in
        let marks = ReadingMarks(results.plan.configurations[row.run.configuration])
        return Run(row, metrics.map(marks.counted), references.context(of: row))
      },
      tuning: Tuning(results.plan.selection.flatMap(Selection.init)))
  }

  /// Scenarios in order of the plan.
  var scenarios: [SweptLabel] { configurations.map(\.scenario).distinct }

  /// Strategies in order of the plan.
  var strategies: [SweptLabel] { configurations.map(\.strategy).distinct }
}

extension MeasuredRuns.Run {
  fileprivate init(_ row: ResultRow, _ metrics: [Metric], _ context: MetricContext) {
    let record = row.entry.record
    let outcome = RunOutcome(record, metrics, context)
    self.init(
      configuration: row.run.configuration, seed: row.run.seed, status: outcome.status, kind: outcome.kind,
      values: outcome.values.map(\.number))
    accuracies[.sampled] = record.accuracy
    accuracies[.expected] = record.expectedAccuracy
  }
}

extension Sequence where Element: Hashable {
  /// Each once, in the order in which they come up.
  package var distinct: [Element] {
    var met: Set<Element> = []
    return filter { met.insert($0).inserted }
  }
}
