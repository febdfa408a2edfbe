/// A dense matrix of floats, row by row, its first element at a 64-byte boundary.
///
/// - Memory: 4 · rows · columns bytes. Setting fewer rows keeps the memory, so a step's buffers are allocated once.
public struct Matrix: Sendable, Equatable, Codable {
  /// Elements, row-major.
  public internal(set) var values: FloatBuffer
  public private(set) var rows: Int
  public private(set) var columns: Int

  /// A matrix of zeros.
  public init(rows: Int, columns: Int) {
    precondition(rows >= 0 && columns >= 0, "a matrix of \(rows) × \(columns)")
    values = FloatBuffer(count: rows * columns)
    self.rows = rows
    self.columns = columns
  }

  /// Values that are there already, row by row: shared, not copied.
  init(_ values: FloatBuffer, columns: Int) {
    precondition(columns > 0 && values.count % columns == 0, "\(values.count) values in rows of \(columns)")
    self.values = values
    self.columns = columns
    rows = values.count / columns
  }

  /// A matrix from its rows, which are of equal length.
  public init(_ rows: [[Float]]) {
    self.init(rows: rows.count, columns: rows.first?.count ?? 0)
    for (r, row) in rows.enumerated() {
      precondition(row.count == columns, "row \(r) has \(row.count) values, the first has \(columns)")
      for (c, value) in row.enumerated() { self[r, c] = value }
    }
  }

  public subscript(row: Int, column: Int) -> Float {
    get {
      precondition(
        row >= 0 && row < rows && column >= 0 && column < columns, "[\(row), \(column)] of \(rows) × \(columns)")
      return values[row * columns + column]
    }
    set {
      precondition(
        row >= 0 && row < rows && column >= 0 && column < columns, "[\(row), \(column)] of \(rows) × \(columns)")
      values[row * columns + column] = newValue
    }
  }

  /// Changes the number of rows: kept rows keep their values, new ones are 0.
  /// - Cost: allocates only beyond the largest size it ever had.
  public mutating func setRows(_ newRows: Int) {
    values.resize(to: newRows * columns)
    rows = newRows
  }

  /// Changes the shape; values have no meaning until they are set.
  /// - Cost: as ``setRows(_:)``, of rows × columns.
  package mutating func reshape(rows newRows: Int, columns newColumns: Int) {
    values.resize(to: newRows * newColumns)
    (rows, columns) = (newRows, newColumns)
  }

  /// One row as an array: for tests and printing.
  public func row(_ r: Int) -> [Float] { (0..<columns).map { self[r, $0] } }

  /// The column with the largest value of a row, within a range of columns; the first one on a tie.
  public func largestColumn(inRow row: Int, of range: Range<Int>) -> Int {
    precondition(row >= 0 && row < rows && range.lowerBound >= 0 && range.upperBound <= columns && !range.isEmpty)
    return values.withSpan { span in
      let base = row * columns
      var best = range.lowerBound
      for c in range where span[base + c] > span[base + best] { best = c }
      return best
    }
  }
}

extension Matrix {
  /// Every element of some rows becomes 0.
  mutating func clear(_ rows: Range<Int>) {
    let columns = columns
    values.withMutableSpan { span in
      for i in (rows.lowerBound * columns)..<(rows.upperBound * columns) { span[i] = 0 }
    }
  }

  /// Every element becomes 0.
  public mutating func clear() { values.fill(0) }

  /// Adds some rows of another matrix of the same shape to the same rows of this one.
  public mutating func addRows(_ rows: Range<Int>, of other: Matrix) {
    precondition(other.columns == columns && rows.upperBound <= self.rows && rows.upperBound <= other.rows)
    values.add(other.values, from: rows.lowerBound * columns, count: rows.count * columns)
  }

  /// Becomes some rows of another matrix, from one of its columns on as many as there are here.
  package mutating func become(_ rows: Range<Int>, of other: Matrix, columnsFrom first: Int) {
    setRows(rows.count)
    for row in 0..<rows.count {
      for column in 0..<columns { self[row, column] = other[rows.lowerBound + row, first + column] }
    }
  }

  /// Takes over the values of another matrix; the memory stays this one's own.
  package mutating func become(_ other: Matrix) {
    reshape(rows: other.rows, columns: other.columns)
    copyRows(0..<other.rows, of: other, toRow: 0)
  }

  /// Columns of a way's logits at their place among all outputs; NaN everywhere else.
  /// - Parameter first: the output that column 0 stands for.
  func known(_ columns: Range<Int>, as first: Int, over width: Int) -> Matrix {
    var wide = Matrix(rows: rows, columns: width)
    wide.values.fill(.nan)
    for row in 0..<rows { for column in columns { wide[row, first + column] = self[row, column] } }
    return wide
  }

  /// Logits of a head at their place among all outputs: the columns stand for `outputs`; those in `kept` are taken over,
  /// everything else is −∞.
  func spread(_ outputs: Range<Int>, keeping kept: Range<Int>, over width: Int) -> Matrix {
    var wide = Matrix(rows: rows, columns: width)
    wide.values.fill(-.infinity)
    for row in 0..<rows {
      for output in kept { wide[row, output] = self[row, output - outputs.lowerBound] }
    }
    return wide
  }
}
