import PalimpsestExperiments
import PalimpsestMetrics

/// Finds the runs that others are compared with: those of the bounds `joint` and `scratch` with the same scenario settings,
/// network, training and seed.
///
/// Labels do not count, nor how often was evaluated. Where several configurations would do, the first of the plan is taken,
/// whether or not it has run: what a number is compared with does not change while a sweep goes on.
struct ReferenceRuns {
  private struct Place: Hashable {
    let configuration: Int
    let seed: Int
  }

  private let rows: [ResultRow]
  private let records: [Place: RunRecord]
  /// Reference configuration of each configuration.
  private let joint: [Int?]
  private let scratch: [Int?]

  init(_ results: Results) {
    rows = results.rows
    let places = rows.map { Place(configuration: $0.run.configuration, seed: $0.run.seed) }
    records = Dictionary(zip(places, rows.map(\.entry.record)), uniquingKeysWith: { first, _ in first })
    let settings = results.plan.configurations.map(\.comparedSettings)
    func references(_ part: String) -> [Int?] {
      var first: [String: Int] = [:]
      for (index, configuration) in results.plan.configurations.enumerated() where configuration.holds(part) {
        if first[settings[index]] == nil { first[settings[index]] = index }
      }
      return settings.map { first[$0] }
    }
    joint = references("joint")
    scratch = references("scratch")
  }

  /// What each row is compared with.
  var contexts: [MetricContext] {
    rows.map { row in
      func record(_ references: [Int?]) -> RunRecord? {
        references[row.run.configuration].flatMap { records[Place(configuration: $0, seed: row.run.seed)] }
      }
      return MetricContext(joint: record(joint), scratch: record(scratch))
    }
  }
}

extension StoredConfiguration {
  /// Everything that must be equal for two runs to be compared, as canonical JSON.
  fileprivate var comparedSettings: String {
    let keys = ["scenario", "model", "training", "numerics"]
    return JSONValue(JSONObject(keys.map { ($0, record[$0] ?? .null) })).canonicalText
  }

  fileprivate func holds(_ part: String) -> Bool {
    record["strategy"]?.array?.contains { $0["name"]?.string == part } ?? false
  }
}
