import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// What the page and its figures are drawn from: made once, from results or from a bare cube.
package struct ReportData: Sendable {
  /// A configuration with completed runs.
  struct Row: Sendable {
    /// Its place among the report's rows.
    let place: Int
    let row: Report.Row
    /// Unlike those of its neighbours: the strategy and its settings by name.
    let label: String
    /// The same as short as it can be: the strategy and the values of its settings.
    let short: String
    /// Colour and shape: the place among all short labels where those are few, else the strategy's.
    let style: Int

    var isBound: Bool { row.marks.isBound }
    /// `†` of what is told the task, `‡` of bounds.
    var marks: String { row.marks.text }
  }

  /// Rows of a scenario that have its settings in common: a sweep may vary them, and with them what is possible.
  struct Variant: Sendable {
    /// Values of the settings that are varied, each with its name: `dose 0.5`; empty where none is.
    let label: String
    let rows: [Row]
  }

  struct Scenario: Sendable {
    let name: String
    /// Its part of figures' names.
    let slug: String
    /// In plan order; of more than ``ReportData/mostRows`` the best and the bounds.
    let rows: [Row]
    /// All with completed runs.
    let all: [Row]

    var kind: AccuracyKind { all.allSatisfy { $0.row.kind == .expected } ? .expected : .sampled }
    var candidates: [Row] { rows.filter { !$0.isBound } }

    /// ``all`` by the scenario's settings, in the order of their first rows.
    let variants: [Variant]

    /// Those that a figure of lines shows: of more than twelve the eight best and the bounds.
    let few: [Row]

    /// Says that figures leave rows out, and which.
    func leavesOut(_ shown: Int) -> String {
      shown < all.count ? " The \(shown) shown of \(all.count) are the best and the bounds." : ""
    }
  }

  /// Configurations of a scenario up to which figures show all.
  static let mostRows = 40
  /// How many they show of more.
  static let shownOfMany = 20
  /// Up to which each seed is a dot.
  static let mostSeeds = 40

  /// What figures need beside the table.
  static let drawn: [Metric] =
    [.driftImpliedForgetting, .interference, .underfit, .normalisedRetention, .averageAccuracy]
    + Report.costs
  private static let truths = ["joint_ceiling", "tracker_accuracy"]

  /// What the table shows.
  let table: [Metric]
  /// Of ``metrics(_:)``.
  package let report: Report
  package let runs: ReportedRuns
  /// All with all by the worth, where there are two and not too many.
  let comparison: Comparison?
  /// What each report row is called there: scenario and strategy.
  let compared: [(scenario: String, strategy: String)]
  /// Two files strategy by strategy, in words; empty of one.
  package var filesText = ""
  let scenarios: [Scenario]
  /// Labels in the order of the plan.
  let strategies: [String]

  /// What the report must show: the table's metrics first.
  package static func metrics(_ table: [Metric]) -> [Metric] {
    let others = drawn + standardMeasures.filter { truths.contains($0.name.text) }.map { Metric($0) }
    return others.reduce(into: table) { all, metric in
      if !all.contains(where: { $0.name == metric.name }) { all.append(metric) }
    }
  }

  /// - Parameters:
  ///   - report: of ``metrics(_:)``.
  ///   - measured: the same runs with the table's first metric; nil: nothing is compared.
  package init(_ report: Report, table: [Metric], _ runs: ReportedRuns, _ measured: MeasuredRuns? = nil) {
    (self.report, self.table, self.runs) = (report, table, runs)
    comparison = measured.flatMap { try? Comparison($0, metric: table[0]) }
    compared = measured?.configurations.map { ($0.scenario.text, $0.strategy.text) } ?? []
    let strategies = report.rows.map(\.strategy).distinct
    self.strategies = strategies
    let labels = report.rows.map { $0.shortLabel(amongSeveral: strategies.count > 1) }
    let all = labels.distinct
    let styles =
      all.count <= Palette.strategies.count
      ? labels.map { all.firstIndex(of: $0) } : report.rows.map { strategies.firstIndex(of: $0.strategy) }
    let names = report.scenarios
    scenarios = zip(names, slugs(names)).compactMap { name, slug in
      let rows = report.rows.indices.filter { report.rows[$0].scenario == name && report.rows[$0].completed > 0 }
      let all = rows.map { place in
        let row = report.rows[place]
        return Row(
          place: place, row: row, label: isolated(row.label), short: isolated(labels[place]), style: styles[place] ?? 0)
      }
      return all.isEmpty ? nil : Scenario(name, slug, all, table[0])
    }
  }

  /// What the page's table shows: costs always.
  var tableWithCosts: [Metric] {
    table + Report.costs.filter { cost in !table.contains { $0.name == cost.name } }
  }

  /// The metric that the figures compare by.
  var worth: Metric { table[0] }

  func index(_ metric: Metric) -> Int? { report.metrics.firstIndex { $0.name == metric.name } }

  func cell(_ row: Row, _ metric: Metric) -> Report.Cell? { index(metric).map { row.row.cells[$0] } }

  /// A number of the scenario itself, J* or the tracker's accuracy, of each variant that it is known of.
  func truths(_ name: String, _ scenario: Scenario) -> [(variant: Variant, value: Double)] {
    guard let place = report.metrics.firstIndex(where: { $0.name == name }) else { return [] }
    return scenario.variants.compactMap { variant in
      variant.rows.lazy.compactMap { $0.row.cells[place].interval?.mean }.first.map { (variant, $0) }
    }
  }

  /// What the completed runs of each report row observed, under the first of several names that any of the row has.
  func arrays(_ names: ObservationName...) throws -> [Int: [Observation]] {
    var arrays: [Int: [Observation]] = [:]
    for name in names {
      for (run, observation) in zip(runs.runs, try runs.observations(name)) where run.status == .completed {
        if let observation, arrays[run.row]?.first.map({ $0.name == name }) ?? true {
          arrays[run.row, default: []].append(observation)
        }
      }
    }
    return arrays
  }

  /// Names of the tasks of a row's first run.
  func tasks(_ row: Row) -> [String] { runs.runs.first { $0.row == row.place }?.tasks ?? [] }
}

extension ReportData.Scenario {
  fileprivate init(_ name: String, _ slug: String, _ all: [ReportData.Row], _ worth: Metric) {
    (self.name, self.slug, self.all) = (name, slug, all)
    let groups = Dictionary(grouping: all) { $0.row.scenarioSettings }
    variants = all.map(\.row.scenarioSettings).distinct.map { ReportData.Variant(label: $0, rows: groups[$0] ?? []) }
    let sign = worth.sign
    let ranked = all.filter { !$0.isBound && $0.row.cells[0].interval != nil }
      .sorted { sign * ($0.row.cells[0].interval?.mean ?? 0) > sign * ($1.row.cells[0].interval?.mean ?? 0) }
    func best(_ count: Int, ifMoreThan most: Int) -> [ReportData.Row] {
      if all.count <= most { return all }
      let shown = Set(ranked.prefix(count).map(\.place) + all.filter(\.isBound).map(\.place))
      return all.filter { shown.contains($0.place) }
    }
    rows = best(ReportData.shownOfMany, ifMoreThan: ReportData.mostRows)
    few = best(8, ifMoreThan: 12)
  }
}

extension Metric {
  /// What numbers are multiplied by, so that more is better.
  var sign: Double { direction == .lower ? -1 : 1 }
}

/// Three significant digits: `140`, `2.11`, `0.00131`.
func threeDigits(_ x: Double) -> String {
  guard x.isFinite, x != 0, abs(x) < 1e6 else { return fourDigits(x).plainText }
  var (unit, places) = (abs(x), 0)
  while unit < 100 && places < 6 { (unit, places) = (unit * 10, places + 1) }
  var text = decimalText(x, places: places)
  while places > 0 && text.hasSuffix("0") { text.removeLast() }
  if text.hasSuffix(".") { text.removeLast() }
  return text
}

extension JSONValue {
  /// A number with three significant digits, anything else as it is.
  var shortText: String { double.map(threeDigits) ?? plainText }
}

extension Report.Row {
  /// Those of its settings that are the scenario's, each with its name.
  fileprivate var scenarioSettings: String {
    let prefix = "scenario_"
    let own = settings.filter { $0.name.hasPrefix(prefix) }
    return own.map { spaced(String($0.name.dropFirst(prefix.count))) + " " + $0.value.shortText }.joined(
      separator: ", ")
  }

  /// - Parameter amongSeveral: there are other strategies, so the label says which it is.
  fileprivate func shortLabel(amongSeveral: Bool) -> String {
    let values = settings.map(\.value.shortText).joined(separator: "/")
    if values.isEmpty { return strategy }
    return amongSeveral ? "\(strategy) \(values)" : values
  }
}

extension [Observation] {
  /// Mean place by place over runs of the same shape, NaN where none has a number; nil where shapes differ or there are none.
  var mean: (lengths: [Int], values: [Double])? {
    guard let lengths = first?.axes.map(\.length), allSatisfy({ $0.axes.map(\.length) == lengths }) else { return nil }
    var (sums, counts) = ([Double](), [Double]())
    for (run, observation) in enumerated() {
      let numbers = observation.numbers
      if run == 0 { (sums, counts) = (numbers.map { _ in 0 }, numbers.map { _ in 0 }) }
      for (place, number) in numbers.enumerated() where number.isFinite {
        sums[place] += number
        counts[place] += 1
      }
    }
    return (lengths, zip(sums, counts).map { $1 > 0 ? $0 / $1 : .nan })
  }
}
