import HDF5
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns

extension MeasuredRuns {
  /// The runs of a cube by itself: from its columns of metrics, without plan and journals.
  ///
  /// - Parameters:
  ///   - source: the file's name, for messages.
  ///   - metrics: nil: those that suit the runs.
  ///   - withAccuracies: R of each run too, as the cube has it: with 32 bits.
  /// - Throws: ``PalimpsestCube/CubeError``.
  public init(
    _ table: CubeTable, source: String, metrics: [Metric]? = nil, withAccuracies: Bool = false
  ) throws(CubeError) {
    let metrics = metrics ?? table.suitedMetrics
    let runs = try CubeRuns(table, metrics)
    let ofScenario = Set(
      table.columns.map(\.name).filter { table.attribute("config_path", of: $0)?.hasPrefix("scenarios.") ?? false })
    var places = [Int](repeating: 0, count: table.runs)
    for (place, group) in runs.groups.enumerated() {
      for run in group { places[run] = place }
    }
    var measured = places.indices.map { runs.measured($0, metrics, configuration: places[$0]) }
    if withAccuracies {
      for (kind, matrices) in try table.accuracies() {
        for (run, matrix) in matrices.enumerated() { measured[run].accuracies[kind] = matrix }
      }
    }
    self.init(
      source: source, name: table.attribute("title"), metrics: metrics,
      configurations: runs.groups.map { group in
        Configuration(
          scenario: runs.scenario[group[0]], strategy: runs.strategy[group[0]], runs.settings(of: group[0]),
          { runs.record(of: group[0]) }, isOfScenario: ofScenario.contains)
      }, runs: measured, tuning: try table.tuning())
    isRounded = true
  }
}

extension CubeRuns {
  fileprivate func measured(_ run: Int, _ metrics: [Metric], configuration: Int) -> MeasuredRuns.Run {
    let (status, kind) = (status(of: run), kind(of: run))
    return MeasuredRuns.Run(
      configuration: configuration, seed: seed[run], status: status, kind: kind,
      values: status == .completed ? metrics.indices.map { value(of: $0, kind, run: run) } : [])
  }
}

extension CubeTable {
  /// From the group `selection`; nothing where there is none.
  fileprivate func tuning() throws(CubeError) -> MeasuredRuns.Tuning {
    try CubeTable.reading(name) { () throws(HDF5Error) in
      guard try root.groupNames().contains("selection") else { return MeasuredRuns.Tuning() }
      let group = try root.group("selection")
      let seeds = try group.dataset("tuning_seed").read(as: Int64.self)
      let (scenarios, strategies) = (try group.dataset("scenario").strings(), try group.dataset("strategy").strings())
      return MeasuredRuns.Tuning(
        seeds: Set(seeds.map { Int($0) }), tuned: Set(zip(scenarios, strategies).map { [$0, $1] }))
    }
  }

  /// R of each run, by kind of accuracy.
  fileprivate func accuracies() throws(CubeError) -> [AccuracyKind: [AccuracyMatrix]] {
    let tasks = try integers("tasks")
    var found: [AccuracyKind: [AccuracyMatrix]] = [:]
    for kind in AccuracyKind.allCases {
      guard let column = column(kind.prefix + "accuracy"), column.shape.count == 3 else { continue }
      let values = try doubles(column.name)
      found[kind] = tasks.enumerated().map { run, tasks in
        let (rows, width) = (column.shape[1], column.shape[2])
        let kept = min(max(0, tasks), rows, width)
        let first = run * rows * width
        return AccuracyMatrix(
          (0..<kept).map { row in Array(values[first + row * width..<first + row * width + kept]) })
      }
    }
    return found
  }
}
