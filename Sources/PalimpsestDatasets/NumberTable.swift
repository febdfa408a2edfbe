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
    var header: [String] = []
    var places: [Int] = []
    var numbers: [Float] = []
    try DelimitedText(file: file, separator: nil).forEachRow { row in
      if header.isEmpty {
        header = row.texts
        places = try choose(header, file)
        if header.contains(where: { Float($0) == nil }) { return }
      }
      try file.check(row, header)
      for place in places { numbers.append(try file.number(row, place, header[place])) }
    }
    if header.isEmpty { throw file.broken("there is no row") }
    if numbers.isEmpty { throw file.broken(line: 2, "there is a header line, but no row") }
    var values = Matrix(rows: numbers.count / places.count, columns: places.count)
    for (place, number) in numbers.enumerated() { values[place / places.count, place % places.count] = number }
    self.values = values
  }
}

extension DataFile {
  fileprivate func absent(_ name: String, of names: [String], _ header: [String]) -> DatasetError {
    let found = header.prefix(20).joined(separator: ", ") + (header.count > 20 ? ", …" : "")
    let wanted = names.prefix(20).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
    return broken(line: 1, "no column is called \"\(name)\". The model takes \(wanted); the table has \(found)")
  }

  fileprivate func check(_ row: TextRow, _ header: [String]) throws {
    if row.count == header.count { return }
    throw broken(
      line: row.line, "\(row.count) \(row.count == 1 ? "cell" : "cells"), the first line has \(header.count)")
  }

  fileprivate func number(_ row: TextRow, _ column: Int, _ name: String) throws -> Float {
    if let number = decimal(row.bytes, row.range(column)) { return number }
    let cell = row.text(column) ?? ""
    let text = cell.filter { !$0.isWhitespace }
    if let number = Float(text), number.isFinite { return number }
    let problem = text.isEmpty ? "the cell is empty" : "\"\(cell)\" is not a number"
    let title = Float(name) == nil ? " (\"\(name)\")" : ""
    throw broken(line: row.line, "column \(column + 1)\(title): \(problem)")
  }
}
