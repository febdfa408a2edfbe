import HDF5
import PalimpsestMetrics
import PalimpsestResults

/// Writes columns and arrays along the dimensions of a cube.
struct CubeWriter {
  let root: HDF5Group
  let results: Results
  let survey: ObservationSurvey
  let axes: CubeAxes

  var rows: [ResultRow] { results.rows }

  init(_ root: HDF5Group, _ results: Results) throws(HDF5Error) {
    self.root = root
    self.results = results
    survey = ObservationSurvey(results)
    axes = try CubeAxes(root, results, survey)
  }
}

extension Results {
  /// True where some run knows p*.
  var knowsExpected: Bool { rows.contains { $0.entry.record.knowsExpected } }
}

// MARK: - Columns

extension CubeWriter {
  /// One number a run.
  ///
  /// - Parameters:
  ///   - fill: the value that means "missing"; for integers only where one is, since readers turn them into floats.
  @discardableResult
  func column<T: HDF5Number>(
    _ name: String, _ longName: String, units: String = "1", fill: T? = nil, _ values: [T]
  ) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try root.write(name, values, shape: [values.count], storage: .column(values.count), fill: fill)
    try dataset.attributes.set("long_name", longName)
    try dataset.attributes.set("units", units)
    return try dataset.attach(axes["run"], axis: 0)
  }

  /// One text a run.
  @discardableResult
  func column(_ name: String, _ longName: String, _ values: [String]) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try root.write(name, values.map(clean))
    try dataset.attributes.set("long_name", longName)
    return try dataset.attach(axes["run"], axis: 0)
  }
}

extension HDF5Storage {
  /// One number a run: chunks and their index pay only for long columns.
  static func column(_ count: Int) -> HDF5Storage { count < 4096 ? .contiguous : .evenRows(of: count, atMost: 1 << 14) }

  /// Whole runs, about a quarter of a megabyte of them a chunk: a chunk fits into the readers' caches, and what each
  /// costs beside its values does not count.
  static func runs(of shape: [Int]) -> HDF5Storage {
    let perRun = max(1, shape.dropFirst().reduce(1, *))
    return .evenRows(of: shape[0], atMost: max(1, (1 << 16) / perRun))
  }

  /// As few chunks as can be, of equal length: what a last chunk has beyond the rows is compressed too.
  private static func evenRows(of count: Int, atMost most: Int) -> HDF5Storage {
    let chunks = max(1, (count + most - 1) / most)
    return .rows((count + chunks - 1) / chunks)
  }
}

/// A text as HDF5 can hold it: U+0000 would end it, so it becomes its visible sign.
func clean(_ text: String) -> String {
  text.utf8.contains(0) ? String(text.map { $0 == "\0" ? "\u{2400}" : $0 }) : text
}
