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
    let before = rows
    var names: [String]?
    let digest = try DelimitedText(file: file, separator: options.separator).forEachRow { row in
      guard let header = names else {
        names = row.texts
        return try check(header: row.texts, file, row.line)
      }
      if headerFile != file.path { try begin(header, firstRow: row, file) }
      try take(row, file)
    }
    if rows == before { throw file.broken(line: 2, "there is a header line, but no row") }
    return digest
  }

  private func check(header cells: [String], _ file: DataFile, _ line: Int) throws {
    if let i = cells.indices.first(where: { cells[$0].isEmpty }) {
      throw file.broken(line: line, "column \(i + 1) of the header has no name")
    }
    if let (first, second) = firstRepeated(cells) {
      throw file.broken(
        line: line, "columns \(first + 1) and \(second + 1) are both called \"\(cells[second])\"")
    }
    if cells.allSatisfy({ Float($0) != nil }) {
      throw file.broken(line: line, "every column name is a number: the header line, such as label,x1,x2, is missing")
    }
    if !header.isEmpty && header != cells {
      throw file.broken(line: line, "the columns are not those of \(headerFile)")
    }
  }

  /// Settles which column is the label and which are features.
  private mutating func begin(_ cells: [String], firstRow: TextRow, _ file: DataFile) throws {
    headerFile = file.path
    if !header.isEmpty { return }
    header = cells
    try checkLength(firstRow, file)
    labelColumn = try options.labelColumn(of: header, firstRow: firstRow.texts, file)
    let dropped = try options.droppedColumns(of: header, file)
    features = header.indices.filter { $0 != labelColumn && !dropped.contains($0) }
    if features.isEmpty { throw file.broken(line: 1, "beside the label \"\(header[labelColumn])\" there is no column") }
  }

  private mutating func take(_ row: TextRow, _ file: DataFile) throws {
    try checkLength(row, file)
    let label = trimmed(row.text(labelColumn) ?? "")
    if label.isEmpty { throw file.broken(line: row.line, "\(column(labelColumn)): the label is empty") }
    for feature in features { values.append(try number(row, feature, file)) }
    labels.append(label)
  }

  private func number(_ row: TextRow, _ feature: Int, _ file: DataFile) throws -> Float {
    if let number = decimal(row.bytes, row.range(feature)) { return number }
    let cell = row.text(feature) ?? ""
    let problem = trimmed(cell).isEmpty ? "the cell is empty" : "\"\(cell)\" is not a number"
    throw file.broken(
      line: row.line,
      "\(column(feature)): \(problem). Correct it, or leave the column out with \"drop\" in dataset.json")
  }

  private func checkLength(_ row: TextRow, _ file: DataFile) throws {
    if row.count == header.count { return }
    throw file.broken(
      line: row.line, "\(row.count) \(row.count == 1 ? "cell" : "cells"), the header has \(header.count)")
  }

  /// The error for a label that hardly ever repeats: most likely another column is meant.
  func tooManyClasses(_ count: Int, _ path: String) -> DatasetError {
    DataFile(path: path).broken(
      "\(column(labelColumn)), taken for the label, has \(count) different values in \(rows) rows. "
        + "Name the label's column with \"label\" in dataset.json")
  }

  private func column(_ index: Int) -> String { "column \(index + 1) (\"\(header[index])\")" }
}

/// The first two places that hold the same text.
private func firstRepeated(_ texts: [String]) -> (Int, Int)? {
  var places: [String: Int] = [:]
  for (place, text) in texts.enumerated() {
    if let first = places.updateValue(place, forKey: text) { return (first, place) }
  }
  return nil
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
