import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

/// What a run ended with, as far as a row of a report shows it.
package protocol EndedOutcome {
  var status: RunRecord.Status { get }
  /// Noise-free where p* is known.
  var kind: AccuracyKind { get }
  /// What a metric of the row came to. Asked of completed runs alone.
  func value(_ metric: Int) -> MetricValue
}

/// The outcome of a run whose record is at hand.
package struct RunOutcome: EndedOutcome, Sendable {
  package let status: RunRecord.Status
  package let kind: AccuracyKind
  /// One a metric; none of a run that did not complete.
  let values: [MetricValue]

  /// - Parameter context: the runs that it is compared with.
  package init(_ record: RunRecord, _ metrics: [Metric], _ context: MetricContext = MetricContext()) {
    let kind: AccuracyKind = record.expectedAccuracy == nil ? .sampled : .expected
    self.kind = kind
    status = record.status
    guard status == .completed else {
      values = []
      return
    }
    let accuracies = Accuracies(record, kind, context)
    values = metrics.map { $0.value(in: accuracies) }
  }

  package func value(_ metric: Int) -> MetricValue { values[metric] }
}

extension Report.Row {
  /// The row of one configuration of a plan.
  /// - Parameters:
  ///   - outcomes: of its runs that have ended.
  ///   - settings: those that tell it from others of its scenario and strategy.
  package init(
    _ plan: StoredPlan, _ index: Int, _ outcomes: [some EndedOutcome], _ metrics: [Metric],
    _ settings: [(name: String, value: JSONValue)]
  ) {
    let configuration = plan.configurations[index]
    let done = outcomes.filter { $0.status == .completed }
    let diverged = outcomes.count { $0.status == .diverged }
    let kind: AccuracyKind = !done.isEmpty && done.allSatisfy { $0.kind == .expected } ? .expected : .sampled
    self.init(
      scenario: configuration.scenario, strategy: configuration.strategy, settings: settings, kind: kind,
      planned: min(plan.seeds.count, configuration.runIDs.count), completed: done.count,
      failed: outcomes.count - done.count - diverged, diverged: diverged,
      cells: metrics.indices.map { metric in Report.Cell(done.map { $0.value(metric, kind) }) })
    marks = ReadingMarks(configuration)
  }
}

extension EndedOutcome {
  /// Never one kind of accuracy among others.
  fileprivate func value(_ metric: Int, _ kind: AccuracyKind) -> MetricValue {
    kind == self.kind ? value(metric) : .undefined("its accuracies are of another kind than those of other runs")
  }
}

extension Report.Cell {
  fileprivate init(_ values: [MetricValue]) {
    self.init(values.map(\.number), undefinedBecause: values.lazy.compactMap(\.reason).first)
  }
}
