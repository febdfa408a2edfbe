import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns

/// What reports and comparisons need of a cube's runs.
struct CubeRuns {
  let scenario: [String]
  let strategy: [String]
  let seed: [Int]
  /// Place of the run's configuration in the cube.
  let config: [Int]
  /// How many seeds the plan has; nil where the cube is not of one plan.
  let seedsPlanned: Int?
  /// One a configuration: its settings as JSON, empty where the cube has none.
  private let recordTexts: [String]
  /// One a configuration.
  private let marks: [ReadingMarks]
  private let status: [Int]
  private let known: [Bool]
  /// One a metric, one a run.
  private var values: [AccuracyKind: [[Double]]] = [:]
  private var reasons: [AccuracyKind: [String?]] = [:]
  private var settings: [(name: String, values: [JSONValue])] = []
  /// Runs of one configuration and label, in the order of the first of them.
  let groups: [[Int]]

  init(_ table: CubeTable, _ metrics: [Metric]) throws(CubeError) {
    scenario = try table.strings("scenario")
    seed = try table.integers("seed")
    strategy = try table.strings("strategy")
    status = try table.integers("status")
    config = try table.integers("config")
    groups = CubeRuns.groups(config, scenario, strategy)
    known = try CubeRuns.knownExpected(table)
    let texts = table.column("configuration_json") == nil ? [] : try table.strings("configuration_json")
    (recordTexts, marks) = (texts, texts.map { ReadingMarks(record: CubeRuns.record($0)) })
    let configurations = texts.count
    let planned = table.count("runs_planned")
    let isOnePlan = table.column("source_file") == nil && configurations > 0
    seedsPlanned = isOnePlan && planned.isMultiple(of: configurations) ? planned / configurations : nil
    for kind in AccuracyKind.allCases {
      var columns: [[Double]] = []
      for metric in metrics { columns.append(try values(of: metric, kind, table)) }
      values[kind] = columns
      reasons[kind] = metrics.map { metric in
        CubeRuns.column(of: metric, kind, table).flatMap { table.attribute("undefined_because", of: $0.name) }
      }
    }
    for column in table.columns where column.isRunColumn && table.attribute("config_path", of: column.name) != nil {
      settings.append((column.name, try CubeRuns.values(of: column, table)))
    }
  }

  /// Nil where the cube has none. A hyper-parameter may have the metric's name.
  private static func column(of metric: Metric, _ kind: AccuracyKind, _ table: CubeTable) -> CubeTable.Column? {
    let name = metric.column(kind)
    return [name, Cube.measuredPrefix + name].lazy.compactMap(table.column).first { column in
      column.isRunColumn && table.attribute("config_path", of: column.name) == nil
    }
  }

  /// One a run, NaN where it has none; of a sum what each run's configuration counts in it.
  private func values(of metric: Metric, _ kind: AccuracyKind, _ table: CubeTable) throws(CubeError) -> [Double] {
    if metric.terms.isEmpty { return try CubeRuns.values(of: metric, kind, table) }
    var terms: [ObservationName: [Double]] = [:]
    for cost in standardCosts where cost.terms.isEmpty {
      terms[ObservationName(cost.name)] = try CubeRuns.values(of: cost, kind, table)
    }
    return config.indices.map { run in
      marks(of: run).counted(metric).terms.reduce(0) { $0 + (terms[$1]?[run] ?? .nan) }
    }
  }

  /// One a run, NaN where it has none.
  private static func values(
    of metric: Metric, _ kind: AccuracyKind, _ table: CubeTable
  ) throws(CubeError) -> [Double] {
    guard let column = column(of: metric, kind, table) else { return [Double](repeating: .nan, count: table.runs) }
    let values = try table.doubles(column.name)
    guard case .integer = column.element else { return values }
    return values.map { $0 == -1 ? .nan : $0 }  // A missing integer.
  }

  /// Runs of one configuration and label, in the order of the first of them.
  static func groups(_ config: [Int], _ scenario: [String], _ strategy: [String]) -> [[Int]] {
    var places: [[String]: Int] = [:]
    var groups: [[Int]] = []
    for run in config.indices {
      let key = [String(config[run]), scenario[run], strategy[run]]
      if let place = places[key] {
        groups[place].append(run)
      } else {
        places[key] = groups.count
        groups.append([run])
      }
    }
    return groups
  }

  /// True for the runs that have noise-free accuracies.
  private static func knownExpected(_ table: CubeTable) throws(CubeError) -> [Bool] {
    guard let column = table.column("expected_accuracy"), table.runs > 0 else {
      return [Bool](repeating: false, count: table.runs)
    }
    let values = try table.doubles("expected_accuracy")
    let width = column.shape.dropFirst().reduce(1, *)
    return (0..<table.runs).map { run in values[run * width..<(run + 1) * width].contains { !$0.isNaN } }
  }

  /// Null for what a run does not have.
  private static func values(of column: CubeTable.Column, _ table: CubeTable) throws(CubeError) -> [JSONValue] {
    let isBool = table.attribute("dtype", of: column.name) == "bool"
    let hasFlags = table.attribute("flag_meanings", of: column.name) != nil
    switch column.element {
    case .string, .other: return try table.strings(column.name).map { $0.isEmpty ? .null : JSONValue($0) }
    case .float: return try table.doubles(column.name).map { JSONValue($0) }
    case .integer:
      return try table.integers(column.name).map { value in
        if value == -1 { return .null }
        return isBool || hasFlags ? JSONValue(value == 1) : JSONValue(value)
      }
    }
  }

  func status(of run: Int) -> RunRecord.Status { RunRecord.Status(cube: status[run]) }

  func kind(of run: Int) -> AccuracyKind { known[run] ? .expected : .sampled }

  /// Its whole configuration; null where the cube has none.
  func record(of run: Int) -> JSONValue {
    recordTexts.indices.contains(config[run]) ? CubeRuns.record(recordTexts[config[run]]) : .null
  }

  private static func record(_ text: String) -> JSONValue {
    JSONReader.read(Array(text.utf8), file: "configuration_json").root ?? .null
  }

  /// What its settings say of its numbers; nothing where the cube has no settings.
  func marks(of run: Int) -> ReadingMarks {
    marks.indices.contains(config[run]) ? marks[config[run]] : ReadingMarks()
  }

  /// NaN where the run does not have it.
  func value(of metric: Int, _ kind: AccuracyKind, run: Int) -> Double { values[kind]?[metric][run] ?? .nan }

  /// Why runs do not have a metric.
  func reason(of metric: Int, _ kind: AccuracyKind) -> String? { reasons[kind]?[metric] }

  /// Hyper-parameters in which the configurations of the run's two labels differ.
  func settings(of run: Int) -> [(name: String, value: JSONValue)] {
    let same = groups.map { $0[0] }.filter { scenario[$0] == scenario[run] && strategy[$0] == strategy[run] }
    return settings.compactMap { name, values in
      let differs = same.contains { values[$0] != values[run] }
      return differs && !values[run].isNull ? (name, values[run]) : nil
    }
  }
}

extension RunRecord.Status {
  /// From the column `status`.
  init(cube code: Int) {
    let all = RunRecord.Status.allCases
    self = all.indices.contains(code) ? all[code] : .failed
  }
}
