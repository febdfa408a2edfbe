/// Columns as wide as their widest cell and two spaces apart; the first ones flush left, the others flush right. Each row is
/// one line, whatever its cells hold.
public func aligned(_ rows: [[String]], leftColumns: Int) -> String {
  guard let first = rows.first else { return "" }
  let rows = rows.map { $0.map(visible) }
  let widths = first.indices.map { column in rows.map { $0[column].displayWidth }.max() ?? 0 }
  var out = ""
  for (i, row) in rows.enumerated() {
    if i > 0 { out += "\n" }
    out.append(row, widths, leftColumns: leftColumns)
  }
  return out
}

extension String {
  /// Appends a row of cells, without spaces behind the last that is not empty.
  fileprivate mutating func append(_ row: [String], _ widths: [Int], leftColumns: Int) {
    var spaces = 0
    for (column, cell) in row.enumerated() {
      if column > 0 { spaces += 2 }
      let rest = widths[column] - cell.displayWidth
      if column >= leftColumns { spaces += rest }
      if !cell.isEmpty {
        self += String(repeating: " ", count: spaces) + cell
        spaces = 0
      }
      if column < leftColumns { spaces += rest }
    }
  }
}
