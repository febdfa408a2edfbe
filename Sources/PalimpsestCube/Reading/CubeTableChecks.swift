import PalimpsestMetrics

/// What must hold of a cube before its columns are used by place: every array as long as its dimensions.
extension CubeTable {
  private static let needed = [
    "run", "run_id", "config", "scenario", "strategy", "seed", "status", "configuration_json",
  ]

  func check() throws(CubeError) {
    if let missing = CubeTable.needed.first(where: { column($0) == nil }) {
      throw CubeError(file: name, .damaged, "it has no dataset \(missing)")
    }
    for column in columns where column.dimensions.first == "run" && column.shape.first != runs {
      throw CubeError(file: name, .damaged, "\(column.name) has not one value for each of its \(runs) runs")
    }
    for column in columns {
      try checkDimensions(of: column)
      try checkPlace(of: column)
    }
    if let run = column("run"), (try? run.isBare()) != false {
      throw CubeError(file: name, .damaged, "run has no coordinates")
    }
  }

  private func checkDimensions(of column: Column) throws(CubeError) {
    guard column.dimensions.first == "run" else { return }
    for (axis, dimension) in column.dimensions.enumerated() {
      guard let scale = self.column(dimension), scale.isScale, scale.shape == [column.shape[axis]] else {
        let along = dimension.isEmpty ? "no dimension" : dimension
        throw CubeError(
          file: name, .damaged, "\(column.name) has \(column.shape[axis]) places along \(along), which has not so many")
      }
    }
  }

  /// A name of the schema stands for one arrangement.
  private func checkPlace(of column: Column) throws(CubeError) {
    guard let wanted = Cube.dimensions(of: column.name), column.dimensions != wanted else { return }
    func listed(_ names: [String]) -> String { names.map { $0.isEmpty ? "nothing" : $0 }.joined(separator: ", ") }
    throw CubeError(
      file: name, .damaged, "\(column.name) runs along \(listed(column.dimensions)) and not along \(listed(wanted))")
  }
}

extension Cube {
  /// The dimensions of a dataset that the schema names; nil for those it does not.
  static func dimensions(of name: String) -> [String]? {
    if CubeAxes.names.contains(name) { return [name] }
    return arrays[name] ?? (oneARun.contains(name) ? ["run"] : nil)
  }

  private static let oneARun = columns.union(
    AccuracyKind.allCases.flatMap { kind in standardMetrics.map { $0.column(kind) } })

  private static let arrays: [String: [String]] = {
    let arrays = Dictionary(uniqueKeysWithValues: standardMeasures.map { ($0.name.text, $0.dimensions) })
    let labels = CubeLabelNames(MeasureAxis.task.name)
    return arrays.merging([
      "configuration_json": [CubeAxes.configuration], labels.variable: [labels.dimension, MeasureAxis.task.name],
    ]) { first, _ in first }
  }()
}
