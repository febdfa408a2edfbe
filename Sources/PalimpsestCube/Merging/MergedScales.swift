import HDF5

/// The dimensions of the new cube.
struct MergedScales {
  var lengths: [String: Int] = [:]
  var datasets: [String: HDF5Dataset] = [:]
}

extension CubeMerge {
  /// Dimensions are as long as the longest; runs are counted anew.
  func writeScales(_ root: HDF5Group, _ columns: [MergedColumn]) throws -> MergedScales {
    var scales = MergedScales()
    for column in columns where column.dimensions == [column.name] {
      let longest = sources.indices.max { (column.parts[$0]?.shape[0] ?? -1) < (column.parts[$1]?.shape[0] ?? -1) } ?? 0
      guard let part = column.parts[longest] else { continue }
      try checkPlaces(column, longest)
      scales.datasets[column.name] = try scale(root, column, part, sources[longest])
      scales.lengths[column.name] = try scales.datasets[column.name]?.shape().first ?? 0
    }
    return scales
  }

  /// An axis has one list of places: windows of several lengths do not stand side by side. Where a shorter one ends, its run did.
  private func checkPlaces(_ column: MergedColumn, _ longest: Int) throws {
    guard column.name != "run", column.name != "configuration", labels.count(column.name) == nil else { return }
    var known: [Int]?
    for index in [longest] + sources.indices.filter({ $0 != longest }) {
      guard let part = column.parts[index], try !part.isBare() else { continue }
      let places = try sources[index].integers(column.name)
      let wanted = known ?? places
      known = wanted
      if places.dropLast().elementsEqual(wanted.prefix(max(0, places.count - 1))) { continue }
      func listed(_ places: [Int]) -> String { places.prefix(3).map(String.init).joined(separator: ", ") }
      throw CubeError(
        file: sources[index].name, .otherSchema,
        "its places along \(column.name) are \(listed(places)) …, in \(sources[longest].name) \(listed(wanted)) …; such files "
          + "do not merge")
    }
  }

  private func scale(
    _ root: HDF5Group, _ column: MergedColumn, _ part: CubeTable.Column, _ source: CubeTable
  ) throws -> HDF5Dataset {
    if column.name == "configuration" { return try root.createDimension(column.name, length: configurations.count) }
    if let count = labels.count(column.name) { return try root.createDimension(column.name, length: count) }
    if try part.isBare() { return try root.createDimension(column.name, length: part.shape[0]) }
    let values =
      column.name == "run" ? .integer32(rows.indices.map { Int32(clamping: $0) }) : try source.values(part)
    let dataset = try root.write(column.name, values, shape: [column.name == "run" ? rows.count : part.shape[0]])
    if column.name == "run" { try dataset.attributes.set("long_name", "Position of the run in this file") }
    try part.dataset.attributes.copy(to: dataset.attributes)
    try dataset.makeScale()
    return dataset
  }
}
