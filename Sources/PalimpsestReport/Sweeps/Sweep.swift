import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

/// The configurations of one scenario and strategy, which differ in settings: what a sweep has varied and what came of it.
struct Sweep: Sendable {
  /// A setting with its values in order: numbers ascending, texts as they first stand in the plan.
  struct Setting: Sendable {
    let name: String
    let values: [JSONValue]
    /// One a configuration: the place of its value; nil where it has none.
    let places: [Int?]
    /// Share of the variance of worth that the means of its values explain; nil where no value has two configurations: their means are all
    /// there is.
    let importance: Double?

    /// Its values as numbers, where all are.
    var numbers: [Double]? {
      let numbers = values.compactMap(\.double)
      return numbers.count == values.count ? numbers : nil
    }

    /// `40 %`; a dash where it cannot be told.
    var importanceText: String { importance.map { decimalText(100 * $0, places: 0) + " %" } ?? "–" }

    var texts: [String] { values.map(\.shortText) }
  }

  let scenario: ReportData.Scenario
  let strategy: String
  let style: Int
  let metric: Metric
  /// Means over seeds, one a configuration.
  let worths: [Double]
  let labels: [String]
  /// The most important first.
  let settings: [Setting]

  /// Those with several configurations, of all scenarios.
  static func all(_ data: ReportData) -> [Sweep] {
    data.scenarios.flatMap { scenario in
      data.strategies.compactMap { strategy in Sweep(data, scenario, strategy) }
    }
  }

  /// Nil where there is no setting with two values.
  init?(_ data: ReportData, _ scenario: ReportData.Scenario, _ strategy: String) {
    let rows = scenario.all.filter { $0.row.strategy == strategy && data.cell($0, data.worth)?.interval != nil }
    guard rows.count > 1 else { return nil }
    let worths = rows.compactMap { data.cell($0, data.worth)?.interval?.mean }
    // Files are no setting.
    let names = rows[0].row.settings.map(\.name).filter { $0 != JoinedRuns.setting }
    let settings = names.compactMap { name in
      Setting(name, rows.map { row in row.row.settings.first { $0.name == name }?.value }, worths)
    }
    guard !settings.isEmpty else { return nil }
    (self.scenario, self.strategy, style, metric) = (scenario, strategy, rows[0].style, data.worth)
    (self.worths, labels) = (worths, rows.map(\.label))
    self.settings = settings.enumerated().sorted {
      ($1.element.importance ?? 0, $0.offset) < ($0.element.importance ?? 0, $1.offset)
    }
    .map(\.element)
  }

  /// The better of two numbers.
  func better(_ a: Double, _ b: Double) -> Double { metric.direction == .lower ? min(a, b) : max(a, b) }

  var yTitle: String { spaced(metric.column(scenario.kind)) }

  /// Of one sweep's figures.
  var slug: String { "\(scenario.slug)-\(PalimpsestReport.slug(strategy))" }
}

extension Sweep.Setting {
  /// Nil where there are fewer than two values.
  fileprivate init?(_ name: String, _ values: [JSONValue?], _ worths: [Double]) {
    var distinct: [JSONValue] = []
    for value in values { if let value, !distinct.contains(value) { distinct.append(value) } }
    guard distinct.count > 1 else { return nil }
    if distinct.allSatisfy({ $0.double != nil }) { distinct.sort { ($0.double ?? 0) < ($1.double ?? 0) } }
    self.name = name
    self.values = distinct
    places = values.map { value in value.flatMap { distinct.firstIndex(of: $0) } }
    let isAlone = places.compactMap(\.self).count == distinct.count
    importance = isAlone ? nil : explainedShare(of: worths, by: places, distinct.count)
  }
}

/// η²: the variance of group means over the whole variance; 0 where nothing varies.
func explainedShare(of numbers: [Double], by groups: [Int?], _ count: Int) -> Double {
  let known = zip(numbers, groups).compactMap { number, group in group.map { (number, $0) } }
  guard !known.isEmpty else { return 0 }
  let mean = known.reduce(0) { $0 + $1.0 } / Double(known.count)
  let whole = known.reduce(0) { $0 + ($1.0 - mean) * ($1.0 - mean) }
  guard whole > 0 else { return 0 }
  let between = (0..<count).reduce(0.0) { sum, group in
    let members = known.filter { $0.1 == group }.map(\.0)
    if members.isEmpty { return sum }
    let own = members.reduce(0, +) / Double(members.count)
    return sum + Double(members.count) * (own - mean) * (own - mean)
  }
  return between / whole
}
