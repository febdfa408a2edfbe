import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestStrategies

/// Finds the runs that others are compared with: those of the bounds `joint` and `scratch` with the same scenario settings,
/// network, training and seed.
///
/// Labels do not count, nor how often was evaluated. Where several configurations would do, ``ReferenceRank`` decides:
/// neither results nor the order of the file, so that what a number is compared with changes neither while a sweep goes
/// on nor when strategies are listed in another order.
package struct ReferenceRuns {
  private struct Place: Hashable {
    let configuration: Int
    let seed: Int
  }

  /// Of reference configurations alone.
  private let rows: [Place: ResultRow]
  /// Reference configuration of each configuration.
  private let joint: [Int?]
  private let scratch: [Int?]
  private let strategies: [String]

  package init(_ results: Results) {
    self.init(results.plan) { compared in results.rows.filter { compared.contains($0.run.configuration) } }
  }

  /// Of runs whose records are not in memory: of those that others are compared with the accuracies are kept, which is all that metrics
  /// see of them.
  /// - Throws: what reading them throws.
  package init(_ runs: FinishedRuns) throws {
    try self.init(runs.plan) { compared in
      let places = runs.runs.indices.filter { compared.contains(runs.runs[$0].configuration) }
      return try stride(from: 0, to: places.count, by: 4096).flatMap { first in
        try runs.rows(Array(places[first..<min(first + 4096, places.count)])).map(\.withAccuraciesAlone)
      }
    }
  }

  /// - Parameter read: the finished runs of some configurations.
  private init(_ plan: StoredPlan, _ read: (Set<Int>) throws -> [ResultRow]) rethrows {
    let configurations = plan.configurations
    joint = ReferenceRuns.references(Joint.self, configurations)
    scratch = ReferenceRuns.references(Scratch.self, configurations)
    strategies = configurations.map(\.strategy)
    let rows = try read(Set((joint + scratch).compactMap(\.self)))
    let places = rows.map { (Place(configuration: $0.run.configuration, seed: $0.run.seed), $0) }
    self.rows = Dictionary(places, uniquingKeysWith: { first, _ in first })
  }

  /// The configuration of least rank for each.
  private static func references(_ bound: any Bound.Type, _ configurations: [StoredConfiguration]) -> [Int?] {
    var least: [ComparedSettings: (rank: ReferenceRank, index: Int)] = [:]
    for (index, configuration) in configurations.enumerated() {
      guard let rank = ReferenceRank(configuration, bound) else { continue }
      let settings = ComparedSettings(configuration)
      if let known = least[settings], known.rank <= rank { continue }
      least[settings] = (rank, index)
    }
    if least.isEmpty { return [Int?](repeating: nil, count: configurations.count) }
    return configurations.map { least[ComparedSettings($0)]?.index }
  }

  /// What a row of the results is compared with.
  package func context(of row: ResultRow) -> MetricContext {
    MetricContext(joint: record(joint, row), scratch: record(scratch, row))
  }

  /// The strategies that a metric compares with, by their labels: several where a sweep gives several references.
  package func labels(_ metric: Metric) -> [String] {
    let places = (metric.needs.contains(.joint) ? joint : []) + (metric.needs.contains(.scratch) ? scratch : [])
    return Set(places.compactMap(\.self).map { strategies[$0] }).sorted()
  }

  /// The run that another is compared with by metrics that need one of `joint`, or of `scratch`; nil where there is none.
  package func runID(_ need: Requirement, of run: PlannedRun) -> String? {
    reference(need == .joint ? joint : scratch, run)?.run.id
  }

  private func record(_ references: [Int?], _ row: ResultRow) -> RunRecord? {
    reference(references, row.run)?.entry.record
  }

  private func reference(_ references: [Int?], _ run: PlannedRun) -> ResultRow? {
    references[run.configuration].flatMap { rows[Place(configuration: $0, seed: run.seed)] }
  }
}

extension ResultRow {
  /// The same run with what metrics take of the runs that they compare with.
  fileprivate var withAccuraciesAlone: ResultRow {
    ResultRow(
      run: run,
      entry: JournalEntry(
        runID: entry.runID, record: entry.record.asReference, started: entry.started, host: entry.host,
        worker: entry.worker,
        instructionSet: entry.instructionSet, toolkitVersion: entry.toolkitVersion, gitCommit: entry.gitCommit))
  }
}

/// Which of several configurations with a bound is the reference: the one with the fewest parts, so the bound alone if there
/// is one; of those the one whose bound has the fewest settings off their defaults; then the first by its strategy's JSON,
/// by run id, by label.
private struct ReferenceRank: Comparable {
  private let counts: [Int]
  private let texts: [String]

  /// - Returns: nil for a strategy without the bound.
  init?(_ configuration: StoredConfiguration, _ bound: any Bound.Type) {
    guard configuration.holds(bound.name) else { return nil }
    let parts = configuration.strategyParts
    guard let settings = parts.first(where: { $0["name"]?.string == bound.name }) else { return nil }
    let changed = bound.declaredParameters.count { parameter in
      settings[parameter.name].map { $0 != JSONValue(parameter: parameter.value) } ?? false
    }
    counts = [parts.count, changed]
    texts = [JSONValue(parts).canonicalText, configuration.runIDs.first ?? "", configuration.strategy]
  }

  static func < (a: ReferenceRank, b: ReferenceRank) -> Bool {
    a.counts == b.counts
      ? a.texts.lexicographicallyPrecedes(b.texts) : a.counts.lexicographicallyPrecedes(b.counts)
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
  /// True where a part of that name is in the strategy; the record is not read for that but in plans of format 1.
  fileprivate func holds(_ part: String) -> Bool {
    components.contains { component in
      switch component.place {
      case .strategy: component.name == part
      case .whole: strategyParts.contains { $0["name"]?.string == part }
      default: false
      }
    }
  }

  /// The records of the strategy's parts, in order.
  fileprivate var strategyParts: [JSONValue] {
    components.flatMap { component in
      switch component.place {
      case .strategy: [component.record]
      case .whole: component.record["strategy"]?.array ?? []
      default: [JSONValue]()
      }
    }
  }
}
