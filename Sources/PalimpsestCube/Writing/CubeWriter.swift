import HDF5
import PalimpsestExperiments
import PalimpsestResults

/// Writes columns and arrays along the dimensions of a cube.
struct CubeWriter {
  let root: HDF5Group
  let pack: CubePack
  let axes: CubeAxes

  var plan: StoredPlan { pack.runs.plan }
  var survey: ObservationSurvey { pack.survey }
  /// The runs of the file, in order.
  var runs: [PlannedRun] { pack.runs.runs }

  init(_ root: HDF5Group, _ pack: CubePack) throws(HDF5Error) {
    self.root = root
    self.pack = pack
    axes = try CubeAxes(root, pack.runs, pack.survey)
  }
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
    return try describe(dataset, longName, units: units)
  }

  /// The same of values that are packed.
  func column<T: HDF5Number>(
    _ name: String, _ longName: String, units: String, fill: T?, _ values: HDF5Rows<T>
  ) throws(HDF5Error) -> HDF5Dataset {
    try describe(root.write(name, values, fill: fill), longName, units: units)
  }

  private func describe(
    _ dataset: HDF5Dataset, _ longName: String, units: String
  ) throws(HDF5Error) -> HDF5Dataset {
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
