/// One number about a run: a pure function of its record, so it can be added later and computed on old results.
///
///     Metric.forgetting.value(of: record, kind: .expected)
///
/// Tasks are counted from 0 in every definition: R[i, j] is the accuracy on task j after learning task i, of T tasks.
public struct Metric: Sendable {
  /// Whether more is better.
  public enum Direction: String, Sendable, Codable, CaseIterable {
    case higher, lower
    /// It describes the scenario or splits another metric; neither end is good.
    case neither
  }

  /// What a metric is about.
  public enum Subject: String, Sendable, Codable, CaseIterable {
    /// Shares of right answers, or differences and ratios of them: once from drawn labels and once without their noise.
    case accuracy
    /// Time, work or memory.
    case cost
    /// One number that runs observe, whatever it is.
    case observation
  }

  /// The column's name in the results, of sampled labels: lower-case with underscores.
  public let name: String
  /// What a person calls it.
  public let longName: String
  /// The formula in one line.
  public let definition: String
  /// The paper, and who else computes it so; empty for costs.
  public let source: String
  public let direction: Direction
  public let subject: Subject
  /// `1` for shares and counts, else `s` or `byte`.
  public let unit: String
  /// True of what is counted in whole numbers.
  package let isCount: Bool
  /// The measures that it is the sum of; none of what is observed as it is.
  package let terms: [ObservationName]
  /// What a run must have for it to be defined.
  public let needs: [Requirement]
  private let formula: @Sendable (Accuracies) -> Double

  /// A metric of accuracies.
  /// - Parameter formula: gives NaN where a number that it takes was not measured.
  public init(
    _ name: String, _ longName: String, definition: String, source: String, _ direction: Direction,
    needs: [Requirement] = [], formula: @escaping @Sendable (Accuracies) -> Double
  ) {
    self.name = name
    self.longName = longName
    self.definition = definition
    self.source = source
    self.direction = direction
    self.needs = needs
    self.formula = formula
    subject = .accuracy
    unit = "1"
    isCount = false
    terms = []
  }

  /// One number that runs observe, as reports show it.
  /// - Precondition: the measure has no axes.
  public init(_ measure: Measure) {
    precondition(measure.isScalar, "\(measure.name) is not one number a run")
    name = measure.name.text
    longName = measure.longName
    definition = measure.definition
    unit = measure.unit
    isCount = measure.storage.isInteger
    source = ""
    direction = measure.direction
    needs = []
    subject = measure.subject == .cost ? .cost : .observation
    terms = []
    formula = { $0.number(measure.name) }
  }

  /// A cost that is the sum of others.
  /// - Parameter measures: in one unit and whole numbers.
  init(_ name: String, _ longName: String, definition: String, sumOf measures: [Measure]) {
    self.name = name
    self.longName = longName
    self.definition = definition
    source = ""
    direction = .lower
    subject = .cost
    unit = measures[0].unit
    isCount = true
    needs = []
    let terms = measures.map(\.name)
    self.terms = terms
    formula = { accuracies in terms.reduce(0) { $0 + accuracies.number($1) } }
  }

  /// Its value for a run, or why it has none.
  /// - Parameter context: the runs that it is compared with, for the metrics that need one.
  public func value(
    of record: RunRecord, kind: AccuracyKind, context: MetricContext = MetricContext()
  ) -> MetricValue {
    value(in: Accuracies(record, kind, context))
  }

  /// The same for accuracies that several metrics share.
  package func value(in accuracies: Accuracies) -> MetricValue {
    if let fault = subject == .accuracy ? accuracies.fault : accuracies.end { return .undefined(fault) }
    for requirement in needs {
      if let reason = accuracies.unmet(requirement) { return .undefined(reason) }
    }
    let value = formula(accuracies)
    if value.isFinite { return .number(value) }
    return .undefined(
      subject == .accuracy ? accuracies.firstUnmeasured : accuracies.whyUnobserved(unobserved(accuracies)))
  }

  /// The name of what was not observed: its own, or that of its first term that is missing.
  private func unobserved(_ accuracies: Accuracies) -> String {
    terms.first { !accuracies.number($0).isFinite }?.text ?? name
  }

  /// The column's name in the results: `forgetting`, `expected_forgetting`, `steps`.
  public func column(_ kind: AccuracyKind) -> String { subject == .accuracy ? kind.prefix + name : name }
}

/// Which accuracy a metric is computed from.
public enum AccuracyKind: String, Sendable, Codable, CaseIterable {
  /// Share of right answers on labels that were drawn.
  case sampled
  /// The same without the noise of labels: the mean of p* of the answers given.
  case expected

  /// What stands before a column's name.
  public var prefix: String { self == .sampled ? "" : "expected_" }
}

/// A number, or why there is none.
public enum MetricValue: Sendable, Equatable {
  case number(Double)
  case undefined(String)

  /// The number, NaN where it is undefined: what a column of the results holds.
  public var number: Double {
    if case .number(let value) = self { return value }
    return .nan
  }

  /// Why it is undefined.
  public var reason: String? {
    if case .undefined(let reason) = self { return reason }
    return nil
  }
}

/// Runs of the same scenario, training settings and seed that a run is compared with.
public struct MetricContext: Sendable {
  /// Trained after each task on all tasks so far.
  public var joint: RunRecord?
  /// Trained on each task alone, anew from the initial weights.
  public var scratch: RunRecord?

  public init(joint: RunRecord? = nil, scratch: RunRecord? = nil) {
    self.joint = joint
    self.scratch = scratch
  }
}
