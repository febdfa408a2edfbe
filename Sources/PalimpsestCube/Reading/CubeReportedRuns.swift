import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults

extension ReportedRuns {
  /// The runs of a cube by itself. Rows are those of ``PalimpsestResults/Report/init(_:metrics:)`` of the same cube; what runs observed is read
  /// column by column when it is asked for.
  /// - Throws: ``PalimpsestCube/CubeError``.
  package init(_ table: CubeTable) throws(CubeError) {
    let (scenario, strategy) = (try table.strings("scenario"), try table.strings("strategy"))
    let (config, status) = (try table.integers("config"), try table.integers("status"))
    let seeds = try table.integers("seed")
    let errors = table.column("error") == nil ? [] : try table.strings("error")
    let tasks = try CubeTaskNames(table)
    let groups = CubeRuns.groups(config, scenario, strategy)
    var rows = [Int](repeating: 0, count: table.runs)
    for (row, runs) in groups.enumerated() { for run in runs { rows[run] = row } }
    let runs = (0..<table.runs).map { run in
      Run(
        row: rows[run], seed: seeds[run], status: RunRecord.Status(cube: status[run]),
        error: errors.indices.contains(run) ? errors[run] : "", tasks: tasks[run])
    }
    self.init(runs: runs, origin: try ReportOrigin(table)) { name in
      try table.observations(name, tasks: runs.map(\.tasks.count))
    }
  }
}

/// Names of the tasks of each run.
private struct CubeTaskNames {
  private let counts: [Int]
  private let names: [[String]]
  private let places: [Int]

  init(_ table: CubeTable) throws(CubeError) {
    counts = try table.integers("tasks")
    let labels = CubeLabelNames(MeasureAxis.task.name)
    guard let column = table.column(labels.variable), column.shape.count == 2, table.column(labels.column) != nil else {
      (names, places) = ([], [])
      return
    }
    let texts = try table.strings(labels.variable)
    let width = column.shape[1]
    names = (0..<column.shape[0]).map { Array(texts[$0 * width..<($0 + 1) * width]) }
    places = try table.integers(labels.column)
  }

  subscript(run: Int) -> [String] {
    let count = max(0, counts[run])
    let list = places.indices.contains(run) && names.indices.contains(places[run]) ? names[places[run]] : []
    return (0..<count).map { list.indices.contains($0) ? list[$0] : String($0) }
  }
}

extension CubeTable {
  /// What each run observed under a name, without the padding: along tasks as many places as the run has tasks, along other axes up to
  /// the last place with a number.
  fileprivate func observations(_ name: ObservationName, tasks: [Int]) throws(CubeError) -> [Observation?] {
    if let positions = try positions(along: name) { return [Observation?](repeating: positions, count: runs) }
    guard
      let column = [Cube.measuredPrefix + name.text, name.text].lazy.compactMap(self.column).first(where: {
        $0.dimensions.first == "run"
      }),
      attribute("config_path", of: column.name) == nil
    else { return [Observation?](repeating: nil, count: runs) }
    let lengths = Array(column.shape.dropFirst())
    let axes = Array(column.dimensions.dropFirst())
    let isInteger = if case .integer = column.element { true } else { false }
    let values = try doubles(column.name).map { isInteger && $0 == -1 ? .nan : $0 }
    let size = lengths.reduce(1, *)
    return (0..<runs).map { run in
      let block = PaddedBlock(values: Array(values[run * size..<(run + 1) * size]), lengths: lengths)
      let wanted = axes.map { CubeTable.taskAxes.contains($0) ? tasks[run] : nil }
      return block.observation(name, axes, wanted, isInteger: isInteger)
    }
  }

  /// The coordinate of an axis: the same for all runs.
  private func positions(along axis: ObservationName) throws(CubeError) -> Observation? {
    guard let column = column(axis.text), column.dimensions == [axis.text], case .integer = column.element else {
      return nil
    }
    let places = try integers(axis.text)
    return Observation(axis, along: [Axis(axis.text, places.count)], .integers(places))
  }

  private static let taskAxes = [MeasureAxis.task, .afterTask, .otherTask].map(\.name)
}

/// One run's values with the padding of longer runs.
private struct PaddedBlock {
  let values: [Double]
  let lengths: [Int]

  /// - Parameter wanted: along each axis how many places the run has; nil: up to the last that holds a number.
  func observation(_ name: ObservationName, _ axes: [String], _ wanted: [Int?], isInteger: Bool) -> Observation? {
    guard values.contains(where: \.isFinite) else { return nil }
    let used = lengths.indices.map { axis in min(lengths[axis], wanted[axis] ?? last(axis) + 1) }
    var kept: [Double] = []
    for place in values.indices where zip(places(place), used).allSatisfy({ $0 < $1 }) { kept.append(values[place]) }
    let all = zip(axes, used).map { Axis($0, $1) }
    if isInteger { return Observation(name, along: all, .integers(kept.map { $0.isNaN ? -1 : Int($0) })) }
    return Observation(name, along: all, .numbers(kept))
  }

  /// The last place along an axis with a number.
  private func last(_ axis: Int) -> Int {
    values.indices.reduce(-1) { most, place in values[place].isFinite ? max(most, places(place)[axis]) : most }
  }

  private func places(_ place: Int) -> [Int] {
    var rest = place
    return lengths.reversed().map { length in
      defer { rest /= length }
      return rest % length
    }.reversed()
  }
}

extension ReportOrigin {
  fileprivate init(_ table: CubeTable) throws(CubeError) {
    self.init()
    let group = table.provenance
    experimentText = group("experiment_json") ?? ""
    overrides = (group("overrides") ?? "").split(separator: "\n").map(String.init)
    let digests = group("input_digests").flatMap { JSONReader.read(Array($0.utf8), file: table.name).root?.object }
    inputs = digests.map { object in object.keys.map { ($0, object[$0]?.plainText ?? "") } } ?? []
    newest = table.column("started") == nil ? nil : try table.doubles("started").filter(\.isFinite).max()
    func texts(_ name: String) throws(CubeError) -> [String] {
      table.column(name) == nil ? [] : try table.strings(name)
    }
    let origins = [("processor", "cpu"), ("operating system", "os"), ("compiler", "swift"), ("command", "command")]
    facts =
      origins.compactMap { name, field in group(field).map { (name, $0) } }
      + ReportOrigin.facts(
        hosts: try texts("host"), instructionSets: try texts("instruction_set"), versions: try texts("toolkit_version"),
        toolkitCommits: try texts("toolkit_commit"), commits: try texts("git_commit"))
  }
}

extension CubeTable {
  /// A text of the group `provenance`; nil where there is none.
  fileprivate func provenance(_ name: String) -> String? {
    guard let group = try? root.group("provenance"), let dataset = try? group.dataset(name) else { return nil }
    return try? dataset.strings().first
  }
}
