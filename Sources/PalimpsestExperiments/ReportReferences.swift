import PalimpsestMetrics

/// Finds the runs that others are compared with: those of the bounds `joint` and `scratch` with the same scenario settings,
/// network, training and seed.
///
/// Labels do not count, nor how often was evaluated. Where several configurations would do, one whose strategy is the bound
/// alone goes before those that add parts, and then the first of the plan is taken, whether or not it has run: what a number
/// is compared with does not change while a sweep goes on.
package struct ReferenceRuns {
  private struct Place: Hashable {
    let configuration: Int
    let seed: Int
  }

  /// Records of reference configurations alone.
  private let records: [Place: RunRecord]
  /// Reference configuration of each configuration.
  private let joint: [Int?]
  private let scratch: [Int?]

  package init(_ results: Results) {
    let configurations = results.plan.configurations
    func references(_ part: String) -> [Int?] {
      var first: [ComparedSettings: Int] = [:]
      let holders = configurations.indices.filter { configurations[$0].strategyParts.contains(part) }
      let alone = holders.filter { configurations[$0].strategyParts.count == 1 }
      for index in alone + holders {
        let settings = ComparedSettings(configurations[index])
        if first[settings] == nil { first[settings] = index }
      }
      if first.isEmpty { return [Int?](repeating: nil, count: configurations.count) }
      return configurations.map { first[ComparedSettings($0)] }
    }
    joint = references("joint")
    scratch = references("scratch")
    let compared = Set((joint + scratch).compactMap(\.self))
    let rows = results.rows.filter { compared.contains($0.run.configuration) }
    let places = rows.map { (Place(configuration: $0.run.configuration, seed: $0.run.seed), $0.entry.record) }
    records = Dictionary(places, uniquingKeysWith: { first, _ in first })
  }

  /// What a row of the results is compared with.
  package func context(of row: ResultRow) -> MetricContext {
    MetricContext(joint: record(joint, row), scratch: record(scratch, row))
  }

  private func record(_ references: [Int?], _ row: ResultRow) -> RunRecord? {
    references[row.run.configuration].flatMap { records[Place(configuration: $0, seed: row.run.seed)] }
  }
}

/// Everything that must be equal for two runs to be compared.
private enum ComparedSettings: Hashable {
  /// The components: equal ones of a plan are one object.
  case components([ObjectIdentifier])
  /// Canonical JSON, of plans of format 1.
  case text(String)

  init(_ configuration: StoredConfiguration) {
    let compared = configuration.components.filter { $0.place != .strategy && $0.place != .evaluation }
    if compared.contains(where: { $0.place == .whole }) {
      let keys = ["scenario", "model", "training", "numerics"]
      let record = configuration.record
      self = .text(JSONValue(JSONObject(keys.map { ($0, record[$0] ?? .null) })).canonicalText)
    } else {
      self = .components(compared.map { ObjectIdentifier($0) })
    }
  }
}

extension StoredConfiguration {
  /// Names, in order.
  fileprivate var strategyParts: [String] {
    components.flatMap { component in
      switch component.place {
      case .strategy: [component.name]
      case .whole: component.record["strategy"]?.array?.compactMap { $0["name"]?.string } ?? []
      default: [String]()
      }
    }
  }
}
