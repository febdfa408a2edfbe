extension Rows {
  /// The inputs of all these rows where they are a whole table of floats in its own order: shared with the table, not gathered.
  /// Nil for any other rows.
  package var wholeTable: Matrix? {
    guard columnOrder == nil, areInTableOrder, count == table.rows, let values = table.rawFloats else { return nil }
    return Matrix(values, columns: table.columns)
  }
}
