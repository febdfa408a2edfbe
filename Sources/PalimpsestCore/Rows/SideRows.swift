/// Numbers beside the inputs of some rows, which not all rows have: those without hold NaN. Without columns nothing is held.
struct SideRows: Sendable {
  /// rows × columns.
  private(set) var matrix = Matrix(rows: 0, columns: 0)

  /// No row has any.
  var isEmpty: Bool { matrix.columns == 0 }

  /// Rows with numbers of their own for all.
  init(_ matrix: Matrix) { self.matrix = matrix }

  init() {}

  /// Changes the number of rows; new ones have nothing.
  mutating func setRows(_ rows: Int) {
    guard !isEmpty else { return }
    let before = matrix.rows
    matrix.setRows(rows)
    if rows > before { clear(before..<rows) }
  }

  /// Rows from `first` on become rows of others, which there are as many of as rows in all.
  /// - Parameter count: rows in all.
  mutating func take(_ rows: Range<Int>, of other: borrowing SideRows, toRow first: Int, of count: Int) {
    guard makeRoom(beside: other, rows: count) else { return }
    if other.isEmpty { return clear(first..<(first + rows.count)) }
    matrix.copyRows(rows, of: other.matrix, toRow: first)
  }

  /// The same for rows at some positions.
  mutating func take(_ positions: ArraySlice<Int32>, of other: borrowing SideRows, toRow first: Int, of count: Int) {
    guard makeRoom(beside: other, rows: count) else { return }
    if other.isEmpty { return clear(first..<(first + positions.count)) }
    matrix.gather(other.matrix, rows: positions, toRow: first)
  }

  /// - Returns: false where neither has anything.
  private mutating func makeRoom(beside other: borrowing SideRows, rows: Int) -> Bool {
    if isEmpty {
      if other.isEmpty { return false }
      matrix = Matrix(rows: 0, columns: other.matrix.columns)
      setRows(rows)
    }
    precondition(
      other.isEmpty || other.matrix.columns == matrix.columns,
      "\(other.matrix.columns) numbers beside rows that have \(matrix.columns)")
    return true
  }

  private mutating func clear(_ rows: Range<Int>) {
    let columns = matrix.columns
    matrix.values.withMutableSpan { span in
      for i in (rows.lowerBound * columns)..<(rows.upperBound * columns) { span[i] = .nan }
    }
  }
}

extension Matrix {
  /// The row says nothing: all of it is NaN.
  public func isUnknown(row: Int) -> Bool { (0..<columns).allSatisfy { self[row, $0].isNaN } }
}
