import PalimpsestCore
import PalimpsestScenarios

/// A table to be predicted, read from separated text: the columns asked for, whatever else stands there.
public struct NumberTable: Sendable {
  /// Rows × inputs.
  public let values: Matrix

  /// Reads columns by their names; further columns are passed over.
  /// - Throws: ``PalimpsestScenarios/DatasetError`` with file, line and column.
  public init(_ path: String, columns names: [String]) throws {
    let columns = names.map { InputColumn(name: $0, kind: .number) }
    try self.init(path, TableColumns(columns: columns, missing: []))
  }

  /// Reads columns by their names and makes the inputs of their cells that those of the training rows became; further
  /// columns are passed over.
  /// - Throws: ``PalimpsestScenarios/DatasetError`` with file, line and column.
  public init(_ path: String, _ table: TableColumns) throws {
    let names = table.columns.map(\.name)
    try self.init(path, table, isNamed: true) { header, file in
      let places = Dictionary(header.enumerated().map { ($1, $0) }) { first, _ in first }
      return try names.map { name in
        guard let place = places[name] else { throw file.absent(name, of: names, header) }
        return place
      }
    }
  }

  /// Reads as many columns as there are to be; the header line may be left out.
  /// - Throws: ``PalimpsestScenarios/DatasetError`` with file, line and column.
  public init(_ path: String, columns count: Int) throws {
    let columns = (0..<count).map { InputColumn(name: "\($0 + 1)", kind: .number) }
    try self.init(path, TableColumns(columns: columns, missing: []), isNamed: false) { header, file in
      guard header.count == count else {
        throw file.broken(
          line: 1, "\(header.count) \(header.count == 1 ? "column" : "columns"), the model takes \(count)")
      }
      return Array(0..<count)
    }
  }

  /// - Parameter isNamed: whether the first line must be a header; else it is one where a cell is not a number.
  private init(
    _ path: String, _ table: TableColumns, isNamed: Bool, choosing choose: ([String], DataFile) throws -> [Int]
  ) throws {
    let file = DataFile(path: path)
    var header: [String] = []
    var readers: [ColumnReader] = []
    var inputs: [Float] = []
    try DelimitedText(file: file, separator: nil).forEachRow { row in
      if header.isEmpty {
        header = row.texts
        readers = zip(table.columns, try choose(header, file)).map { ColumnReader($0, place: $1, table.missing) }
        if isNamed || header.contains(where: { Float($0) == nil }) { return }
      }
      try file.check(row, header)
      for (i, column) in table.columns.enumerated() {
        column.append(try file.value(row, &readers[i], column, header[readers[i].place]), to: &inputs)
      }
    }
    if header.isEmpty { throw file.broken("there is no row") }
    if inputs.isEmpty { throw file.broken(line: 2, "there is a header line, but no row") }
    values = matrix(inputs, columns: table.columns.reduce(0) { $0 + $1.width })
  }
}

private func matrix(_ numbers: [Float], columns: Int) -> Matrix {
  var matrix = Matrix(rows: numbers.count / columns, columns: columns)
  for (place, number) in numbers.enumerated() { matrix[place / columns, place % columns] = number }
  return matrix
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

  fileprivate func value(_ row: TextRow, _ reader: inout ColumnReader, _ column: InputColumn, _ name: String) throws
    -> Float
  {
    let cell = row.text(reader.place) ?? ""
    let problem: String
    do throws(CellProblem) {
      let value = try reader.value(row)
      if !value.isNaN || column.fill != nil { return value }
      problem = "the cell is missing, which none was that the model learned from"
    } catch {
      switch error {
      case _ where cell.allSatisfy(\.isWhitespace): problem = "the cell is empty"
      case .notNumber, .missing: problem = "\"\(cell)\" is not a number"
      case .notDate(let form): problem = "\"\(cell)\" is no date of the form \"\(form.rawValue)\""
      case .unknownValue(let known): problem = "\"\(cell)\" is none of the values the model knows: \(listed(known))"
      case .tooManyValues: problem = "too many values"
      }
    }
    let title = Float(name) == nil ? " (\"\(name)\")" : ""
    throw broken(line: row.line, "column \(reader.place + 1)\(title): \(problem)")
  }
}

extension ColumnReader {
  /// Reads cells as those of the rows that a model learned from.
  fileprivate init(_ column: InputColumn, place: Int, _ missing: [String]) {
    var rule = ColumnRule()
    switch column.kind {
    case .number: break
    case .oneHot(let values), .ordinal(let values): (rule.kind, rule.values) = (.category, values)
    case .date(let form): (rule.kind, rule.form) = (.date, form)
    case .cyclic(let period): (rule.kind, rule.period) = (.cyclic, period)
    }
    self.init(place: place, name: column.name, rule: rule, missing: missing)
  }
}
