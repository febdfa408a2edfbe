import PalimpsestCore
import PalimpsestScenarios

/// Turns the text of tables with a header line into numbers and labels, row by row.
struct TableReader {
  private let options: TableOptions
  private var header: [String] = []
  private var headerFile = ""
  private var labelColumn = 0
  private var features: [Int] = []
  private(set) var values: [Float] = []
  private(set) var labels: [String] = []

  init(_ options: TableOptions) { self.options = options }

  var rows: Int { labels.count }
  /// What the features are called.
  var names: [String] { features.map { header[$0] } }
  /// Features a row.
  var columns: Int { features.count }

  /// Appends the rows of a file. A second file must have the header of the first.
  /// - Returns: the SHA-256 of the file, unpacked.
  mutating func append(_ file: DataFile) throws -> String {
    let bytes = try file.contents()
    let before = rows
    self = try reading(DelimitedText(file, bytes, separator: options.separator))
    if rows == before { throw file.broken(line: 2, "there is a header line, but no row") }
    return sha256(bytes)
  }

  /// A copy that has taken the rows of a text.
  private func reading(_ text: DelimitedText) throws -> TableReader {
    var reader = self
    var names: [String]?
    try text.forEachRow { line, cells in
      guard let header = names else {
        names = cells
        return try reader.check(header: cells, text.file, line)
      }
      if reader.headerFile != text.file.path { try reader.begin(header, firstRow: cells, text.file, line) }
      try reader.take(cells, text.file, line)
    }
    return reader
  }

  private func check(header cells: [String], _ file: DataFile, _ line: Int) throws {
    if let i = cells.indices.first(where: { cells[$0].isEmpty }) {
      throw file.broken(line: line, "column \(i + 1) of the header has no name")
    }
    if let i = cells.indices.first(where: { cells[..<$0].contains(cells[$0]) }),
      let first = cells.firstIndex(of: cells[i])
    {
      throw file.broken(line: line, "columns \(first + 1) and \(i + 1) are both called \"\(cells[i])\"")
    }
    if cells.allSatisfy({ Float($0) != nil }) {
      throw file.broken(line: line, "every column name is a number: the header line, such as label,x1,x2, is missing")
    }
    if !header.isEmpty && header != cells {
      throw file.broken(line: line, "the columns are not those of \(headerFile)")
    }
  }

  /// Settles which column is the label and which are features.
  private mutating func begin(_ cells: [String], firstRow: [String], _ file: DataFile, _ line: Int) throws {
    headerFile = file.path
    if !header.isEmpty { return }
    header = cells
    try checkLength(firstRow, file, line)
    labelColumn = try options.labelColumn(of: header, firstRow: firstRow, file)
    let dropped = try options.droppedColumns(of: header, file)
    features = header.indices.filter { $0 != labelColumn && !dropped.contains($0) }
    if features.isEmpty { throw file.broken(line: 1, "beside the label \"\(header[labelColumn])\" there is no column") }
  }

  private mutating func take(_ cells: [String], _ file: DataFile, _ line: Int) throws {
    try checkLength(cells, file, line)
    let label = trimmed(cells[labelColumn])
    if label.isEmpty { throw file.broken(line: line, "\(column(labelColumn)): the label is empty") }
    for feature in features { values.append(try number(cells[feature], feature, file, line)) }
    labels.append(label)
  }

  private func number(_ cell: String, _ feature: Int, _ file: DataFile, _ line: Int) throws -> Float {
    if let number = Float(cell) ?? Float(trimmed(cell)), number.isFinite { return number }
    let problem = trimmed(cell).isEmpty ? "the cell is empty" : "\"\(cell)\" is not a number"
    throw file.broken(
      line: line, "\(column(feature)): \(problem). Correct it, or leave the column out with \"drop\" in dataset.json")
  }

  private func checkLength(_ cells: [String], _ file: DataFile, _ line: Int) throws {
    if cells.count == header.count { return }
    throw file.broken(
      line: line, "\(cells.count) \(cells.count == 1 ? "cell" : "cells"), the header has \(header.count)")
  }

  /// The error for a label that hardly ever repeats: most likely another column is meant.
  func tooManyClasses(_ count: Int, _ path: String) -> DatasetError {
    DataFile(path: path).broken(
      "\(column(labelColumn)), taken for the label, has \(count) different values in \(rows) rows. "
        + "Name the label's column with \"label\" in dataset.json")
  }

  private func column(_ index: Int) -> String { "column \(index + 1) (\"\(header[index])\")" }
}

/// Without blanks at the end; those at the start never get here.
private func trimmed(_ cell: String) -> String {
  guard let last = cell.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return String(cell[...last])
}

/// The files of a data set in tables: one whose last rows are for testing, or one for each.
struct TableFiles: Equatable {
  /// One file, or the training rows and the test rows.
  let paths: [String]

  func dataset(named name: String, _ options: TableOptions) throws -> Dataset {
    var reader = TableReader(options)
    var digests = [try reader.append(DataFile(path: paths[0]))]
    var trainingRows = reader.rows
    for path in paths.dropFirst() { digests.append(try reader.append(DataFile(path: path))) }
    if paths.count == 1 { trainingRows -= try options.testRows(of: reader.rows, DataFile(path: paths[0])) }
    try options.checkImage(reader.columns, DataFile(path: paths[0]))
    let classes = ordered(Set(reader.labels))
    if classes.count > 20 && classes.count * 2 > reader.rows { throw reader.tooManyClasses(classes.count, paths[0]) }
    let numbers = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1, Int32($0)) })
    return Dataset(
      name: name, inputs: Table(FloatBuffer(reader.values), columns: reader.columns),
      labels: reader.labels.map { numbers[$0] ?? 0 }, classes: classes, training: 0..<trainingRows,
      test: trainingRows..<reader.rows, image: options.image, columns: reader.names,
      digest: digests.joined(separator: ","))
  }
}

/// By value where all are numbers, else by their characters' codes.
private func ordered(_ labels: Set<String>) -> [String] {
  let byText = labels.sorted { $0.unicodeScalars.lexicographicallyPrecedes($1.unicodeScalars) }
  let values = byText.compactMap { label in Double(label).map { (label, $0) } }
  return values.count == byText.count ? values.sorted { $0.1 < $1.1 }.map(\.0) : byText
}
