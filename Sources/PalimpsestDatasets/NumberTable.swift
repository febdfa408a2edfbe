import PalimpsestCore
import PalimpsestScenarios

/// A table of numbers to be predicted, read from separated text: the columns asked for, whatever else stands there.
public struct NumberTable: Sendable {
  /// Rows × columns asked for.
  public let values: Matrix

  /// Reads columns by their names; further columns are passed over.
  /// - Throws: ``PalimpsestScenarios/DatasetError`` with file, line and column.
  public init(_ path: String, columns names: [String]) throws {
    try self.init(path) { header, file in
      try names.map { name in
        guard let place = header.firstIndex(of: name) else { throw file.absent(name, of: names, header) }
        return place
      }
    }
  }

  /// Reads as many columns as there are to be; the header line may be left out.
  /// - Throws: ``PalimpsestScenarios/DatasetError`` with file, line and column.
  public init(_ path: String, columns count: Int) throws {
    try self.init(path) { header, file in
      guard header.count == count else {
        throw file.broken(
          line: 1, "\(header.count) \(header.count == 1 ? "column" : "columns"), the model takes \(count)")
      }
      return Array(0..<count)
    }
  }

  private init(_ path: String, choosing choose: ([String], DataFile) throws -> [Int]) throws {
    let file = DataFile(path: path)
    let reader = NumberRows()
    let text = try DelimitedText(file, file.contents(), separator: nil)
    var lines: [(Int, [String])] = []
    try text.forEachRow { line, cells in reader.rows.append((line, cells)) }
    swap(&lines, &reader.rows)
    guard let header = lines.first?.1 else { throw file.broken("there is no row") }
    let places = try choose(header, file)
    if header.contains(where: { Float($0) == nil }) { lines.removeFirst() }
    if lines.isEmpty { throw file.broken(line: 2, "there is a header line, but no row") }
    var values = Matrix(rows: lines.count, columns: places.count)
    for (row, (line, cells)) in lines.enumerated() {
      guard cells.count == header.count else {
        throw file.broken(
          line: line, "\(cells.count) \(cells.count == 1 ? "cell" : "cells"), the first line has \(header.count)")
      }
      for (column, place) in places.enumerated() {
        values[row, column] = try file.number(cells[place], line, place, header[place])
      }
    }
    self.values = values
  }
}

/// Rows on their way out of a callback.
private final class NumberRows {
  var rows: [(Int, [String])] = []
}

extension DataFile {
  fileprivate func absent(_ name: String, of names: [String], _ header: [String]) -> DatasetError {
    let found = header.prefix(20).joined(separator: ", ") + (header.count > 20 ? ", …" : "")
    let wanted = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
    return broken(line: 1, "no column is called \"\(name)\". The model takes \(wanted); the table has \(found)")
  }

  fileprivate func number(_ cell: String, _ line: Int, _ column: Int, _ name: String) throws -> Float {
    let text = cell.filter { !$0.isWhitespace }
    if let number = Float(text), number.isFinite { return number }
    let problem = text.isEmpty ? "the cell is empty" : "\"\(cell)\" is not a number"
    let title = Float(name) == nil ? " (\"\(name)\")" : ""
    throw broken(line: line, "column \(column + 1)\(title): \(problem)")
  }
}
