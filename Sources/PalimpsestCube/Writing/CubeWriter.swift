import HDF5
import PalimpsestMetrics
import PalimpsestResults

/// Writes columns and arrays along the dimensions of a cube.
struct CubeWriter {
  let root: HDF5Group
  let results: Results
  let axes: CubeAxes

  var rows: [ResultRow] { results.rows }

  init(_ root: HDF5Group, _ results: Results) throws(HDF5Error) {
    self.root = root
    self.results = results
    axes = try CubeAxes(root, results)
  }
}

extension Results {
  /// True where some run knows p*.
  var knowsExpected: Bool { rows.contains { $0.entry.record.expectedAccuracy != nil } }
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
    return try dataset.attach(axes[.run], axis: 0)
  }

  /// One text a run.
  @discardableResult
  func column(_ name: String, _ longName: String, _ values: [String]) throws(HDF5Error) -> HDF5Dataset {
    let dataset = try root.write(name, values.map(clean))
    try dataset.attributes.set("long_name", longName)
    return try dataset.attach(axes[.run], axis: 0)
  }
}

// MARK: - Arrays

extension CubeWriter {
  /// One number a run and task (or after task).
  /// - Parameter value: what a run measured; shorter than the axis, or nil, is padded with NaN.
  @discardableResult
  func array(
    _ name: String, _ longName: String, units: String = "1", _ axis: CubeAxis,
    _ value: (RunRecord) -> [Double]?
  ) throws(HDF5Error) -> HDF5Dataset {
    let width = axes.length(axis)
    var block = PaddedBlock(rows: rows.count, columns: width)
    for row in rows.indices { block.set(value(rows[row].entry.record), at: row) }
    return try array(name, longName, units: units, [.run, axis], block.values)
  }

  /// One matrix a run.
  /// - Parameter value: what a run measured; rows and columns that are missing are padded with NaN.
  @discardableResult
  func array(
    _ name: String, _ longName: String, _ first: CubeAxis, _ second: CubeAxis,
    _ value: (RunRecord) -> [[Double]]?
  ) throws(HDF5Error) -> HDF5Dataset {
    let height = axes.length(first)
    var block = PaddedBlock(rows: rows.count * height, columns: axes.length(second))
    for row in rows.indices {
      for (i, line) in (value(rows[row].entry.record) ?? []).prefix(height).enumerated() {
        block.set(line, at: row * height + i)
      }
    }
    return try array(name, longName, units: "1", [.run, first, second], block.values)
  }

  /// One matrix a run, after task × task.
  @discardableResult
  func array(
    _ name: String, _ longName: String, _ matrix: (RunRecord) -> AccuracyMatrix?
  ) throws(HDF5Error) -> HDF5Dataset {
    let height = axes.length(.afterTask)
    var block = PaddedBlock(rows: rows.count * height, columns: axes.length(.task))
    for row in rows.indices {
      if let matrix = matrix(rows[row].entry.record) { block.set(matrix, at: row * height, height) }
    }
    return try array(name, longName, units: "1", [.run, .afterTask, .task], block.values)
  }

  private func array(
    _ name: String, _ longName: String, units: String, _ along: [CubeAxis], _ values: [Float]
  ) throws(HDF5Error) -> HDF5Dataset {
    let shape = along.map { axes.length($0) }
    let dataset = try root.write(name, values, shape: shape, storage: .runs(of: shape), fill: .nan)
    try dataset.attributes.set("long_name", longName)
    try dataset.attributes.set("units", units)
    return try dataset.attach(along.map { axes[$0] })
  }
}

/// Rows of equal width in one array, NaN where nothing was set.
struct PaddedBlock {
  private(set) var values: [Float]
  private let columns: Int

  init(rows: Int, columns: Int) {
    values = [Float](repeating: .nan, count: rows * columns)
    self.columns = columns
  }

  /// Takes as many numbers as fit.
  mutating func set(_ row: [Double]?, at index: Int) {
    guard let row else { return }
    let start = index * columns
    for i in 0..<min(row.count, columns) { values[start + i] = Float(row[i]) }
  }

  /// Takes as much of a matrix as fits into `height` rows.
  mutating func set(_ matrix: AccuracyMatrix, at index: Int, _ height: Int) {
    guard matrix.isSquare else {
      for (i, row) in matrix.rows.prefix(height).enumerated() { set(row, at: index + i) }
      return
    }
    for i in 0..<min(matrix.tasks, height) {
      let start = (index + i) * columns
      for j in 0..<min(matrix.tasks, columns) { values[start + j] = Float(matrix[i, j]) }
    }
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
