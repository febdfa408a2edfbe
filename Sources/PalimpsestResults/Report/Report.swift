import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

/// What results say: one row a configuration, one interval a metric.
///
/// Accuracies are noise-free (`expected_…`) in the scenarios that know p*, else of sampled labels.
public struct Report: Sendable {
  /// One configuration of scenario and strategy.
  public struct Row: Sendable, Equatable {
    public let scenario: String
    public let strategy: String
    /// Hyper-parameters in which the configurations of these two labels differ.
    public let settings: [(name: String, value: JSONValue)]
    public let kind: AccuracyKind
    public let planned: Int
    public let completed: Int
    public let failed: Int
    public let diverged: Int
    /// One a metric of the report.
    public let cells: [Cell]
    /// What else its settings say of its numbers.
    package var marks = ReadingMarks()

    package init(
      scenario: String, strategy: String, settings: [(name: String, value: JSONValue)], kind: AccuracyKind,
      planned: Int,
      completed: Int, failed: Int, diverged: Int, cells: [Cell]
    ) {
      self.scenario = scenario
      self.strategy = strategy
      self.settings = settings
      self.kind = kind
      self.planned = planned
      self.completed = completed
      self.failed = failed
      self.diverged = diverged
      self.cells = cells
    }

    /// Runs of the configuration that have not ended yet.
    public var missing: Int { planned - completed - failed - diverged }

    public static func == (a: Row, b: Row) -> Bool {
      a.scenario == b.scenario && a.strategy == b.strategy && a.settings.elementsEqual(b.settings, by: ==)
        && a.kind == b.kind && a.planned == b.planned && a.completed == b.completed && a.failed == b.failed
        && a.diverged == b.diverged && a.cells == b.cells && a.marks == b.marks
    }
  }

  /// One metric over the completed runs of a row.
  public struct Cell: Sendable, Equatable {
    /// Nil where no run has the metric.
    public let interval: Interval?
    /// Why runs do not have it.
    public let undefinedBecause: String?
    /// One a completed run in the order of seeds, NaN where it is undefined.
    package let values: [Double]

    /// - Parameter values: one a completed run, NaN where it is undefined.
    package init(_ values: [Double], undefinedBecause: String?) {
      self.values = values
      interval = Interval(values.filter(\.isFinite))
      self.undefinedBecause = undefinedBecause
    }

    /// NaN equals NaN.
    public static func == (a: Cell, b: Cell) -> Bool {
      a.interval == b.interval && a.undefinedBecause == b.undefinedBecause
        && a.values.elementsEqual(b.values) { $0 == $1 || $0.isNaN && $1.isNaN }
    }
  }

  /// What the table shows of runs through tasks; of streams it shows ``PalimpsestMetrics/Metric/streamMetrics(observed:)``, of runs that
  /// predict values ``PalimpsestMetrics/Metric/errorMetrics``; ``costs`` of all.
  public static let standardMetrics: [Metric] =
    [
      .averageAccuracy, .forgetting, .learningAccuracy, .backwardTransfer, .forwardTransfer, .normalisedRetention,
    ] + costs

  /// What the table shows of any runs that have them, behind the others: memory and work of a device.
  public static let costs: [Metric] = [.bytesKept, .multiplyAdds]

  public let name: String
  public let question: String
  public let metrics: [Metric]
  public let rows: [Row]
  /// How hyper-parameters were chosen before these runs, where they were.
  public private(set) var selection: Selection? = nil

  package init(name: String, question: String, metrics: [Metric], rows: [Row]) {
    self.name = name
    self.question = question
    self.metrics = metrics
    self.rows = rows
  }

  /// - Parameter metrics: nil: those that suit the runs.
  public init(_ results: Results, metrics: [Metric]? = nil) {
    let metrics = metrics ?? results.suitedMetrics
    let references = ReferenceRuns(results)
    let finished = Dictionary(grouping: results.rows, by: \.run.configuration)
      .map { place, rows in
        let metrics = Report.counted(metrics, of: results.plan.configurations[place])
        return (place, rows.map { RunOutcome($0.entry.record, metrics, references.context(of: $0)) })
      }
    self.init(results.plan, metrics, Dictionary(uniqueKeysWithValues: finished))
  }

  /// The metrics as they are counted of the runs of a configuration.
  static func counted(_ metrics: [Metric], of configuration: StoredConfiguration) -> [Metric] {
    metrics.map(ReadingMarks(configuration).counted)
  }

  /// - Parameter finished: of the runs of each configuration that have ended, in plan order.
  init(_ plan: StoredPlan, _ metrics: [Metric], _ finished: [Int: [RunOutcome]]) {
    let differing = DifferingSettings(plan)
    selection = plan.selection.flatMap(Selection.init)
    name = plan.name
    question = plan.question
    self.metrics = metrics
    rows = plan.configurations.indices.map { index in
      Row(plan, index, finished[index] ?? [], metrics, differing.settings[index])
    }
  }

  /// Of streams, and of runs that predict values, what was observed, where anything was; else the standard ones.
  package static func metrics(observed: (ObservationName) -> Bool) -> [Metric] {
    let own =
      Metric.streamMetrics(observed: observed) + Metric.personalMetrics(observed: observed)
      + Metric.errorMetrics.filter { observed(ObservationName($0.name)) }
    let costs = Report.costs.filter { cost in
      (cost.terms.isEmpty ? [ObservationName(cost.name)] : cost.terms).allSatisfy(observed)
    }
    return own.isEmpty ? standardMetrics : own + costs
  }

  public var planned: Int { rows.reduce(0) { $0 + $1.planned } }
  public var completed: Int { rows.reduce(0) { $0 + $1.completed } }
  public var failed: Int { rows.reduce(0) { $0 + $1.failed } }
  public var diverged: Int { rows.reduce(0) { $0 + $1.diverged } }
  /// Runs of the plan that have not ended yet.
  public var missing: Int { planned - completed - failed - diverged }
}

extension Results {
  /// The metrics that suit the runs: what a report shows where none are chosen.
  package var suitedMetrics: [Metric] {
    Report.metrics { name in rows.contains { $0.entry.record[name] != nil } }
  }
}

/// For each configuration the hyper-parameters in which it differs from others of its scenario, strategy, policy and safeguard: what a
/// sweep varies; and the labels of the latter two where there are several.
package struct DifferingSettings {
  /// One a configuration: columns and values, in the plan's order of columns.
  package let settings: [[(name: String, value: JSONValue)]]

  package init(_ plan: StoredPlan) {
    let varied = plan.variedColumns
    let names = plan.columns.map(\.name).filter(varied.contains)
    let labels = ["policy", "safeguard"].filter(names.contains)
    /// What is one thing but for a sweep. A policy's settings are told by its label.
    func group(_ configuration: StoredConfiguration) -> [String] {
      [configuration.scenario, configuration.strategy] + labels.map { configuration.values[$0]?.string ?? "" }
    }
    let groups = Dictionary(grouping: plan.configurations, by: group)
    let columns = groups.mapValues { group in
      labels + names.filter { name in group.contains { $0.values[name] != group[0].values[name] } }
    }
    settings = plan.configurations.map { configuration in
      (columns[group(configuration)] ?? []).compactMap { name in
        configuration.values[name].map { (name: name, value: $0) }
      }
    }
  }
}
