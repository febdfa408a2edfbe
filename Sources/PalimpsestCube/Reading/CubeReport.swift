import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

extension Report {
  /// The report of a cube by itself: from its columns of metrics, without plan and journals.
  ///
  /// Configurations without a run are not there, for a cube does not hold their labels; so runs that are missing are
  /// counted only where a cube of one plan says how many seeds it has.
  ///
  /// - Parameter metrics: nil: those that suit the runs.
  /// - Throws: ``PalimpsestCube/CubeError``.
  public init(_ table: CubeTable, metrics: [Metric]? = nil) throws(CubeError) {
    let metrics = metrics ?? Report.metrics { table.column($0.text) != nil }
    let runs = try CubeRuns(table, metrics)
    self.init(
      name: table.attribute("title"), question: table.attribute("question"), metrics: metrics,
      rows: runs.groups.map { runs.row($0, metrics) })
  }
}

/// What a report needs of a cube's runs.
struct CubeRuns {
  private let scenario: [String]
  private let strategy: [String]
  private let status: [Int]
  private let known: [Bool]
  private let seeds: Int?
  private var values: [AccuracyKind: [[Double]]] = [:]
  private var reasons: [AccuracyKind: [String?]] = [:]
  private var settings: [(name: String, values: [JSONValue])] = []
  /// One a configuration; none where no cost is shown.
  private var traits: [CostTraits] = []
  private let config: [Int]
  /// Runs of one configuration and label, in the order of the first of them.
  let groups: [[Int]]

  init(_ table: CubeTable, _ metrics: [Metric]) throws(CubeError) {
    scenario = try table.strings("scenario")
    strategy = try table.strings("strategy")
    status = try table.integers("status")
    config = try table.integers("config")
    groups = CubeRuns.groups(config, scenario, strategy)
    known = try CubeRuns.knownExpected(table)
    let configurations = table.column("configuration_json")?.shape.first ?? 0
    let planned = table.count("runs_planned")
    let isOnePlan = table.column("source_file") == nil && configurations > 0
    seeds = isOnePlan && planned.isMultiple(of: configurations) ? planned / configurations : nil
    for kind in AccuracyKind.allCases {
      var columns: [[Double]] = []
      for metric in metrics { columns.append(try CubeRuns.values(of: metric, kind, table)) }
      values[kind] = columns
      reasons[kind] = metrics.map { metric in
        CubeRuns.column(of: metric, kind, table).flatMap { table.attribute("undefined_because", of: $0.name) }
      }
    }
    for column in table.columns where column.isRunColumn && table.attribute("config_path", of: column.name) != nil {
      settings.append((column.name, try CubeRuns.values(of: column, table)))
    }
    guard metrics.contains(where: { $0.subject == .cost }) else { return }
    traits = try table.strings("configuration_json").map { text in
      CostTraits(record: JSONReader.read(Array(text.utf8), file: table.name).root ?? .null)
    }
  }

  /// Nil where the cube has none. A hyper-parameter may have the metric's name.
  private static func column(of metric: Metric, _ kind: AccuracyKind, _ table: CubeTable) -> CubeTable.Column? {
    let name = metric.column(kind)
    return [name, Cube.measuredPrefix + name].lazy.compactMap(table.column).first { column in
      column.isRunColumn && table.attribute("config_path", of: column.name) == nil
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

  func row(_ runs: [Int], _ metrics: [Metric]) -> Report.Row {
    let done = runs.filter { status[$0] == 0 }
    let kind: AccuracyKind = !done.isEmpty && done.allSatisfy { known[$0] } ? .expected : .sampled
    let diverged = runs.count { status[$0] == 2 }
    var row = Report.Row(
      scenario: scenario[runs[0]], strategy: strategy[runs[0]], settings: settings(of: runs[0]), kind: kind,
      planned: max(runs.count, seeds ?? 0), completed: done.count, failed: runs.count - done.count - diverged,
      diverged: diverged, cells: metrics.indices.map { cell($0, kind, done) })
    if traits.indices.contains(config[runs[0]]) { row.costs = traits[config[runs[0]]] }
    return row
  }

  private func cell(_ metric: Int, _ kind: AccuracyKind, _ runs: [Int]) -> Report.Cell {
    let numbers = runs.map { values[kind]?[metric][$0] ?? .nan }
    let isDefined = numbers.allSatisfy(\.isFinite)
    return Report.Cell(numbers, undefinedBecause: isDefined ? nil : reasons[kind]?[metric])
  }

  /// Hyper-parameters in which the configurations of the run's two labels differ.
  private func settings(of run: Int) -> [(name: String, value: JSONValue)] {
    let same = groups.map { $0[0] }.filter { scenario[$0] == scenario[run] && strategy[$0] == strategy[run] }
    return settings.compactMap { name, values in
      let differs = same.contains { values[$0] != values[run] }
      return differs && !values[run].isNull ? (name, values[run]) : nil
    }
  }
}
