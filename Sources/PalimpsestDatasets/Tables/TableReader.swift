import PalimpsestScenarios

/// Turns the rows of tables with a header line into numbers, and labels or values to be predicted.
struct TableReader {
  private let options: TableOptions
  private var header: [String] = []
  private var headerFile = ""
  /// The label's, or those of values to be predicted.
  private var targetColumns = [0]
  private var labelColumn: Int { targetColumns[0] }
  /// Columns that become inputs.
  private(set) var features: [ColumnReader] = []
  /// Columns of dates that do not, read for their times.
  private(set) var times: [ColumnReader] = []
  /// Whose each row is, and when it arose.
  private(set) var tags = TagReader()
  /// A number a feature and row; not a number where a cell is missing.
  private(set) var values: [Float] = []
  private(set) var labels: [Int32] = []
  /// In order of their first appearance.
  var classes: [String] { codes.texts }
  private var codes = TextCodes()
  /// The first label that is no finite number, and where it stands; nil: all are.
  private(set) var firstLabelOfText: (text: String, line: Int, file: DataFile)?
  /// Read where there are values to be predicted.
  private var targets: [ColumnReader] = []
  /// Values to be predicted, row by row; not a number where one is missing.
  private(set) var targetValues: [Float] = []
  private(set) var rows = 0

  /// What the column of row numbers is called where it has no name.
  static let rowNumber = "row number"
  /// Numbers of a table at most: 2 GiB.
  static let mostValues = 1 << 29

  init(_ options: TableOptions) { self.options = options }

  /// Texts that mean that a cell is missing.
  var missingTexts: [String] { options.missing ?? [] }

  /// Appends the rows of a file. A second file must have the header of the first.
  /// - Returns: the SHA-256 of the file, unpacked.
  mutating func append(_ file: DataFile) throws -> String {
    let before = rows
    var names: [String]?
    let digest = try options.forEachRow(of: file) { row in
      guard let header = names else {
        let cells = (options.hasRowNumbers ? [TableReader.rowNumber] : []) + row.texts.map(trimmed)
        names = cells
        return try check(header: cells, file, row.line)
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
      throw file.broken(line: line, "columns \(first + 1) and \(second + 1) are both called \"\(cells[second])\"")
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
    targetColumns = try options.targetColumns(of: header, firstRow: firstRow.texts, file)
    try options.checkColumns(of: header, targets: targetColumns, file)
    let dropped = try options.droppedColumns(of: header, file)
    if options.targets != nil { targets = targetColumns.map(reader) }
    tags = try TagReader(options, header: header, targets: targetColumns, file)
    let taken = targetColumns + tags.places
    let readers = header.indices.filter { !taken.contains($0) }.map(reader)
    features = readers.filter { !dropped.contains($0.place) && $0.rule.kind != .text }
    times = readers.filter { dropped.contains($0.place) && $0.rule.kind == .date }
    if features.isEmpty {
      let what = options.targets == nil ? "the label \"\(header[labelColumn])\"" : "what is to be predicted"
      throw file.broken(line: 1, "beside \(what) there is no column")
    }
  }

  private func reader(_ place: Int) -> ColumnReader {
    ColumnReader(
      place: place, name: header[place], rule: options.columns[header[place]] ?? ColumnRule(),
      missing: options.missing ?? [])
  }

  private mutating func take(_ row: TextRow, _ file: DataFile) throws {
    try checkLength(row, file)
    if options.targets == nil { labels.append(try label(row, file)) } else { try takeTargets(row, file) }
    try takeCells(row, file)
    try tags.take(row, file, header)
    rows += 1
    if values.count > TableReader.mostValues { throw tooManyValues(values.count, file) }
  }

  private mutating func label(_ row: TextRow, _ file: DataFile) throws -> Int32 {
    let label = trimmed(row.text(labelColumn) ?? "")
    if let code = codes.known(label) { return Int32(code) }
    if label.isEmpty { throw file.broken(line: row.line, "\(column(labelColumn)): the label is empty") }
    if let gaps = options.missing, gaps.contains(label) {
      throw file.broken(
        line: row.line, "\(column(labelColumn)): the label is missing (\"\(label)\"). Take the row out of the table")
    }
    if firstLabelOfText == nil && Double(label)?.isFinite != true { firstLabelOfText = (label, row.line, file) }
    return Int32(codes.code(of: label))
  }

  /// How messages name the label's column.
  var labelTitle: String { column(labelColumn) }

  private mutating func takeTargets(_ row: TextRow, _ file: DataFile) throws {
    for i in targets.indices {
      let isLabel = options.targets?.kind == .labels
      let value = try? targets[i].value(row)
      guard let value, value.isFinite || value.isNaN, !isLabel || value == 0 || value == 1 || value.isNaN else {
        throw noTarget(targets[i].place, row, isLabel, file)
      }
      targetValues.append(value)
    }
  }

  private func noTarget(_ place: Int, _ row: TextRow, _ isLabel: Bool, _ file: DataFile) -> DatasetError {
    let cell = row.text(place) ?? ""
    let found = trimmed(cell).isEmpty ? "the cell is empty" : "\"\(cell)\" is not"
    let wanted = isLabel ? "0 or 1 (the row has this label or has it not)" : "a number, as what is to be predicted is"
    return file.broken(
      line: row.line,
      "\(column(place)): \(found)\(trimmed(cell).isEmpty ? "; it is to be" : "") \(wanted). Correct it, or list the text in "
        + "\"missing\" in dataset.json: what is not known counts nothing")
  }

  /// The readers are changed in place: handed to a method of `self` they would all be copied for every cell.
  private mutating func takeCells(_ row: TextRow, _ file: DataFile) throws {
    var place = 0
    do throws(CellProblem) {
      for i in features.indices {
        place = features[i].place
        values.append(try features[i].value(row))
      }
      for i in times.indices {
        place = times[i].place
        _ = try times[i].value(row)
      }
    } catch {
      throw broken(place, row, error, file)
    }
  }

  /// Puts the rows of each part in the order of their times, where they have times.
  mutating func orderByTime(within parts: [Range<Int>]) {
    guard let order = tags.order(within: parts) else { return }
    tags.reorder(order)
    labels.reorder(order)
    values.reorder(order, width: features.count)
    targetValues.reorder(order, width: targetColumns.count)
    for i in features.indices { features[i].reorder(order) }
    for i in times.indices { times[i].reorder(order) }
  }

  private func checkLength(_ row: TextRow, _ file: DataFile) throws {
    if row.count == header.count { return }
    let hint =
      row.count == header.count + 1 ? ". If each row begins with its number, as R writes it, name that column too" : ""
    throw file.broken(
      line: row.line, "\(row.count) \(row.count == 1 ? "cell" : "cells"), the header has \(header.count)\(hint)")
  }

  /// The error for a label that hardly ever repeats: most likely another column is meant.
  func tooManyClasses(_ path: String) -> DatasetError {
    DataFile(path: path).broken(
      "\(column(labelColumn)), taken for the label, has \(classes.count) different values in \(rows) rows. "
        + "Name the label's column with \"label\" in dataset.json")
  }

  func tooManyValues(_ count: Int, _ file: DataFile) -> DatasetError {
    file.broken(
      "the table has more than \(TableReader.mostValues) numbers, the most that is read. Leave columns out with "
        + "\"drop\" in dataset.json, or take fewer rows")
  }

  private func column(_ index: Int) -> String { columnName(index, header) }
}

extension TableReader {
  /// The error for a cell, with what to write into `dataset.json`.
  private func broken(_ place: Int, _ row: TextRow, _ problem: CellProblem, _ file: DataFile) -> DatasetError {
    let cell = row.text(place) ?? ""
    let isEmpty = trimmed(cell).isEmpty
    let found = isEmpty ? "the cell is empty" : "\"\(cell)\""
    let what: String
    switch problem {
    case .missing, .notNumber:
      let survey = TableSurvey(file, options, features: features + times)
      what = "\(isEmpty ? found : found + " is not a number"). \(survey.advice(for: header[place]))"
    case .notDate(let form):
      let forms = DateForm.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
      what = "\(found) is no date of the form \"\(form.rawValue)\". Set \"form\" in dataset.json; there are \(forms)"
    case .unknownValue(let known):
      what = "\(found) is none of the values in dataset.json, which are \(listed(known)). Correct it, or add it there"
    case .tooManyValues:
      what =
        "more than \(ColumnRule.mostValues) different values, the most that a category has. "
        + "Say \"kind\": \"text\" in dataset.json to leave the column out"
    }
    return file.broken(line: row.line, "\(column(place)): \(what)")
  }
}

/// How messages name a column.
func columnName(_ place: Int, _ header: [String]) -> String { "column \(place + 1) (\"\(header[place])\")" }

/// The first two places that hold the same text.
private func firstRepeated(_ texts: [String]) -> (Int, Int)? {
  var places: [String: Int] = [:]
  for (place, text) in texts.enumerated() {
    if let first = places.updateValue(place, forKey: text) { return (first, place) }
  }
  return nil
}
