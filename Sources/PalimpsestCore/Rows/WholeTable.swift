extension Rows {
  /// The inputs of all these rows where they are a whole table of floats in its own order: shared with the table, not gathered.
  /// Nil for any other rows.
  package var wholeTable: Matrix? {
    guard columnOrder == nil, places.count == table.rows, let values = table.rawFloats,
      places.indices.allSatisfy({ places[$0] == Int32($0) })
    else { return nil }
    return Matrix(values, columns: table.columns)
  }
}
