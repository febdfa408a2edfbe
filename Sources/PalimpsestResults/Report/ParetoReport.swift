import PalimpsestJSON
import PalimpsestMetrics

/// Worth against cost: for each scenario which configurations are beaten by none.
///
/// Bounds (`joint`, `scratch`, `frozen`) are shown and never candidates. Means over seeds are compared as they are: an interval
/// says more of each than a place on the front.
public struct ParetoReport: Sendable {
  /// What is spent.
  public enum Cost: String, Sendable, CaseIterable {
    /// Kept between updates.
    case bytes
    case multiplyAdds = "multiply-adds"

    package var metric: Metric { self == .bytes ? .bytesKept : .multiplyAdds }
    var column: String { metric.name }
    var heading: String { metric.heading }
  }

  struct Scenario {
    let name: String
    let rows: [Report.Row]
    let kind: AccuracyKind
    let front: ParetoFront
    /// One a row: its place among the candidates, nil for bounds.
    let places: [Int?]
    let costs: [Double?]
    let worths: [Double?]
    /// Beyond any candidate.
    let reference: Double
  }

  let report: Report
  let worth: Metric
  let cost: Cost
  let scenarios: [Scenario]

  /// What the report must show: the worth first.
  public static func metrics(worth: Metric) -> [Metric] { [worth] + Report.costs }

  /// - Parameter report: of ``metrics(worth:)``.
  public init(_ report: Report, worth: Metric, cost: Cost) {
    self.report = report
    self.worth = worth
    self.cost = cost
    let rows = Dictionary(grouping: report.rows.filter { $0.completed > 0 }, by: \.scenario)
    scenarios = report.scenarios.compactMap { name in rows[name].map { Scenario(name, $0, report.metrics, worth, cost) }
    }
  }

  /// Share of the rectangle up to the reference point (1.1 times the largest cost, worth 0) and worth 1 that the front dominates.
  func hypervolume(_ scenario: Scenario) -> Double {
    scenario.reference > 0 ? scenario.front.hypervolume(cost: scenario.reference, worth: 0) / scenario.reference : 0
  }
}

extension ParetoReport.Scenario {
  fileprivate init(
    _ name: String, _ rows: [Report.Row], _ metrics: [Metric], _ worth: Metric, _ cost: ParetoReport.Cost
  ) {
    self.name = name
    self.rows = rows
    kind = rows.allSatisfy { $0.kind == .expected } ? .expected : .sampled
    costs = rows.map { $0.mean(of: cost.metric, metrics) }
    worths = rows.map { $0.mean(of: worth, metrics) }
    var places: [Int?] = []
    var candidates: [ParetoFront.Candidate] = []
    for (place, row) in rows.enumerated() {
      places.append(row.marks.isBound ? nil : candidates.count)
      if !row.marks.isBound { candidates.append(.init(cost: costs[place] ?? .nan, worth: worths[place] ?? .nan)) }
    }
    self.places = places
    front = ParetoFront(candidates)
    reference = 1.1 * (candidates.map(\.cost).filter(\.isFinite).max() ?? 0)
  }

  /// In order of cost; those without one last.
  fileprivate var order: [Int] {
    rows.indices.sorted { (costs[$0] ?? .infinity, $0) < (costs[$1] ?? .infinity, $1) }
  }

  /// The label of the row that a candidate beats.
  private func label(ofCandidate candidate: Int) -> String {
    places.firstIndex(of: candidate).map { rows[$0].label } ?? ""
  }

  fileprivate func beater(of row: Int) -> String? {
    places[row].flatMap { front.beatenBy[$0] }.map(label(ofCandidate:))
  }

  fileprivate func isOnFront(_ row: Int) -> Bool { places[row].map { front.isOnFront[$0] } ?? false }

  /// `front`, `bound`, `beaten by si`, or that a number is missing.
  fileprivate func words(_ row: Int) -> String {
    if places[row] == nil { return "bound" }
    if isOnFront(row) { return "front" }
    return beater(of: row).map { "beaten by \($0)" } ?? "not measured"
  }
}

extension ParetoReport {
  /// A table a scenario, cheapest first.
  public var text: String {
    (scenarios.map(table) + report.notes).joined(separator: "\n\n")
  }

  private func table(_ scenario: Scenario) -> String {
    let lines = scenario.order.map { row in
      let cell = scenario.rows[row].cells[0]
      let half = cell.interval?.halfWidth.map { " ± " + worth.text($0) } ?? ""
      return [
        scenario.isOnFront(row) ? "*" : "", scenario.rows[row].label, scenario.costs[row].map(costText) ?? "–",
        scenario.worths[row].map { worth.text($0) + half } ?? "–", scenario.words(row),
      ]
    }
    let header = ["", "strategy", cost.heading, spaced(worth.column(scenario.kind)), ""]
    let volume =
      "hypervolume \(threeDecimals(hypervolume(scenario))) of the area up to \(costText(scenario.reference)) "
    return """
      \(visible(scenario.name)): \(worth.shortName) against \(cost.heading), means over seeds; * none is cheaper and better
      \(aligned([header] + lines, leftColumns: 2))
      \(volume)\(cost.heading) (1.1 times the largest cost) and \(worth.shortName) 0 to 1; bounds take no part
      """
  }

  /// Whole below a million, as tables print counts.
  private func costText(_ x: Double) -> String { Metric.multiplyAdds.text(x.rounded()) }

  /// For programs: the names are stable.
  public var json: JSONValue {
    let list = scenarios.map { scenario -> JSONValue in
      [
        "scenario": JSONValue(scenario.name), "hypervolume": JSONValue(hypervolume(scenario)),
        "reference_cost": JSONValue(scenario.reference), "reference_worth": 0,
        "rows": JSONValue(scenario.order.map { json(scenario, $0) }),
      ]
    }
    return [
      "experiment": JSONValue(report.name), "worth": JSONValue(worth.name), "cost": JSONValue(cost.column),
      "scenarios": JSONValue(list),
    ]
  }

  private func json(_ scenario: Scenario, _ place: Int) -> JSONValue {
    let row = scenario.rows[place]
    return [
      "strategy": JSONValue(row.strategy), "settings": JSONValue(JSONObject(row.settings.map { ($0.name, $0.value) })),
      "accuracy_kind": JSONValue(row.kind.rawValue), "n": JSONValue(row.completed),
      "cost": scenario.costs[place].map { JSONValue($0) } ?? .null,
      "worth": scenario.worths[place].map { JSONValue($0) } ?? .null,
      "bound": JSONValue(row.marks.isBound), "front": JSONValue(scenario.isOnFront(place)),
      "beaten_by": scenario.beater(of: place).map { JSONValue($0) } ?? .null,
    ]
  }
}
