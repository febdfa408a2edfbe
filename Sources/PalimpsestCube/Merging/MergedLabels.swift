import HDF5

/// The names of places along axes (`task_name(task_naming, task)`), of all sources: equal lists become one.
struct MergedLabels {
  /// By axis.
  private(set) var lists: [String: [[String]]] = [:]
  /// By axis, for each source the new place of each of its lists.
  private var places: [String: [[Int32]]] = [:]

  init(_ sources: [CubeTable]) throws(CubeError) {
    for (index, source) in sources.enumerated() {
      for column in source.columns {
        guard let axis = MergedLabels.axis(named: column) else { continue }
        if places[axis] == nil { places[axis] = [[Int32]](repeating: [], count: sources.count) }
        for list in try MergedLabels.lists(column, source) {
          let place = place(list, axis)
          places[axis]?[index].append(place)
        }
      }
    }
  }

  /// The axis whose places a dataset names; nil for other datasets.
  static func axis(named column: CubeTable.Column) -> String? {
    guard column.element == .string, column.dimensions.count == 2 else { return nil }
    let names = CubeLabelNames(column.dimensions[1])
    return column.name == names.variable && column.dimensions[0] == names.dimension ? column.dimensions[1] : nil
  }

  /// The new places of a source's lists, where the column says which list is whose.
  func places(_ column: String, source: Int) -> [Int32]? {
    places.first { CubeLabelNames($0.key).column == column }?.value[source]
  }

  /// How many lists there are along the dimension; nil for other dimensions.
  func count(_ dimension: String) -> Int? { lists.first { CubeLabelNames($0.key).dimension == dimension }?.value.count }

  private mutating func place(_ list: [String], _ axis: String) -> Int32 {
    if let place = lists[axis]?.firstIndex(of: list) { return Int32(clamping: place) }
    lists[axis, default: []].append(list)
    return Int32(clamping: (lists[axis]?.count ?? 1) - 1)
  }

  /// Without the padding.
  private static func lists(_ column: CubeTable.Column, _ source: CubeTable) throws(CubeError) -> [[String]] {
    let (texts, width) = (try source.strings(column.name), column.shape[1])
    return (0..<column.shape[0]).map { row in
      var list = Array(texts[row * width..<(row + 1) * width])
      while list.last == "" { list.removeLast() }
      return list
    }
  }
}

extension CubeMerge {
  /// Writes the names along an axis, padded.
  func writeLabels(_ axis: String, _ root: HDF5Group, _ scales: MergedScales) throws {
    let (names, lists, width) = (CubeLabelNames(axis), labels.lists[axis] ?? [], scales.lengths[axis] ?? 0)
    let texts = lists.flatMap { $0.prefix(width) + repeatElement("", count: max(0, width - $0.count)) }
    let dataset = try root.write(names.variable, texts, shape: [lists.count, width])
    try dataset.attributes.set("long_name", "Name of each place along \(axis)")
    for (place, name) in [names.dimension, axis].enumerated() {
      if let scale = scales.datasets[name] { try dataset.attach(scale, axis: place) }
    }
  }
}
