import PalimpsestScenarios

/// A second look at a table that could not be read: what its columns seem to hold, so that the message can say what to
/// write into `dataset.json`.
struct TableSurvey {
  private var columns: [SurveyedColumn]
  /// The header and the first row that is as long.
  private(set) var header: [String] = []
  private(set) var firstRow: [String] = []

  init(_ file: DataFile, _ options: TableOptions, features: [ColumnReader]) {
    columns = features.map { feature in
      let isSettled = feature.rule.kind == .category || feature.rule.kind == .date
      return SurveyedColumn(place: feature.place, name: feature.name, isSettled: isSettled)
    }
    _ = try? look(at: file, options) { _, _ in }
  }

  /// Looks at all cells of a table's columns but those whose kind is settled.
  init(_ files: [DataFile], _ options: TableOptions, except settled: Set<String>) throws {
    columns = []
    for file in files {
      try look(at: file, options) { header, columns in
        if columns.isEmpty { columns = TableSurvey.columns(header, settled, options) }
      }
    }
  }

  /// Takes all rows of a file that are as long as its header.
  private mutating func look(
    at file: DataFile, _ options: TableOptions, _ begin: (_ header: [String], _ columns: inout [SurveyedColumn]) -> Void
  ) throws {
    let (gaps, first) = (options.missing ?? [], options.hasRowNumbers ? [TableReader.rowNumber] : [])
    var width = 0
    _ = try options.forEachRow(of: file) { row in
      if width == 0 {
        width = first.count + row.count
        header = first + row.texts.map(trimmed)
        begin(header, &columns)
      } else if row.count == width {
        if firstRow.isEmpty { firstRow = row.texts }
        for i in columns.indices { columns[i].take(row, gaps, file) }
      }
    }
  }

  private static func columns(
    _ header: [String], _ settled: Set<String>, _ options: TableOptions
  ) -> [SurveyedColumn] {
    header.enumerated().filter { !settled.contains($0.element) }.map { place, name in
      let kind = options.columns[name]?.kind ?? .number
      return SurveyedColumn(place: place, name: name, isSettled: kind == .category || kind == .date || kind == .text)
    }
  }

  /// What columns are, as far as they are more than numbers.
  var rules: [String: ColumnRule] {
    let found = columns.map { ($0.name, $0.found) }.filter { $0.1 != ColumnRule() }
    return Dictionary(found) { first, _ in first }
  }

  /// Columns whose cells are whole numbers that are all dates, such as 20240131.
  func holdsCompactDates(_ name: String) -> Bool { columns.contains { $0.name == name && $0.holdsCompactDates } }

  /// Why a column cannot say when rows arose: a cell that is no date where the column is taken for texts, or dates of which nobody can tell
  /// day and month; nil: it can.
  func problem(ofTimes name: String) -> DatasetError? {
    columns.first { $0.name == name }.flatMap { $0.problemOfTimes }
  }

  /// What is to be said of columns that are read otherwise than somebody may think.
  var remarks: [String] { columns.compactMap(\.remark) }

  /// Texts that mean that a cell is missing.
  var gaps: [String] {
    Set(columns.flatMap { $0.texts > 0 ? $0.gaps.filter { $0.isEmpty || $0 == "?" } : $0.gaps }).sorted()
  }

  /// What to do about the cells of a column; what other columns need is said at once.
  func advice(for name: String) -> String {
    let rules = columns.compactMap(\.rule)
    let gaps = Set(columns.flatMap(\.gaps)).sorted()
    var settings: [String] = []
    if !rules.isEmpty { settings.append("\"columns\": {\(rules.joined(separator: ", "))}") }
    if !gaps.isEmpty { settings.append("\"missing\": [\(gaps.map(quoted).joined(separator: ", "))]") }
    let values = columns.first { $0.name == name }?.summary ?? ""
    return "Correct it, or write into dataset.json: \(settings.joined(separator: ", "))\(values). "
      + "\"drop\": [\(quoted(name))] leaves the column out"
  }
}

/// What the cells of a column are.
private struct SurveyedColumn {
  let place: Int
  let name: String
  /// Whether `dataset.json` has its kind: only missing cells matter.
  let isSettled: Bool
  private var numbers = 0
  fileprivate private(set) var texts = 0
  private var dates = [0, 0, 0]
  /// By form of date: texts that are none, at most one more than may be taken for gaps.
  private var odd = [Set<String>](repeating: [], count: 3)
  /// In order of their first appearance, at most one more than a category may have.
  private var values: [String] = []
  /// By value: the forms of date that it is.
  private var known: [String: [Bool]] = [:]
  private var missing: Set<String> = []
  /// Numbers of eight digits that are dates.
  private var compactDates = 0
  /// Texts that are numbers with a comma.
  private var commas = 0
  /// By form of date: the first text that is none, and where it stands.
  private var firstOdd = [(text: String, line: Int, file: DataFile)?](repeating: nil, count: 3)
  private var firstText = ""

  /// How many texts that are neither numbers nor dates may stand among them.
  private static let mostOdd = 3
  /// Texts that mostly mean that there is nothing.
  private static let usualGaps: Set<String> = ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "-"]

  init(place: Int, name: String, isSettled: Bool) {
    self.place = place
    self.name = name
    self.isSettled = isSettled
  }

  mutating func take(_ row: TextRow, _ gaps: [String], _ file: DataFile) {
    let isNumber = decimal(row.bytes, row.range(place)) != nil
    if isNumber && row.hasEightDigits(place) && calendarSeconds(row.text(place) ?? "", .year) != nil {
      compactDates += 1
    }
    if isNumber && gaps.isEmpty {
      numbers += 1
      return
    }
    let cell = trimmed(row.text(place) ?? "")
    if gaps.contains(cell) { return }
    if SurveyedColumn.usualGaps.contains(cell) {
      missing.insert(cell)
    } else if isNumber {
      numbers += 1
    } else {
      takeText(cell, line: row.line, file)
    }
  }

  private mutating func takeText(_ cell: String, line: Int, _ file: DataFile) {
    if texts == 0 { firstText = cell }
    texts += 1
    if cell.contains(",") && Double(cell.replacing(",", with: ".")) != nil { commas += 1 }
    let forms = known[cell] ?? DateForm.allCases.map { calendarSeconds(cell, $0) != nil }
    for (i, isDate) in forms.enumerated() {
      if isDate {
        dates[i] += 1
      } else {
        if odd[i].count <= SurveyedColumn.mostOdd { odd[i].insert(cell) }
        if firstOdd[i] == nil { firstOdd[i] = (cell, line, file) }
      }
    }
    if known[cell] == nil && values.count <= ColumnRule.mostValues {
      known[cell] = forms
      values.append(cell)
    }
  }

  /// Few texts among numbers, or among dates, are taken for gaps.
  private var hasOddTexts: Bool { texts > 0 && numbers > texts && values.count <= SurveyedColumn.mostOdd }

  /// The form of date that most texts have, the first one on a tie.
  private var bestForm: Int { dates.indices.max { (dates[$0], -$0) < (dates[$1], -$1) } ?? 0 }

  /// The form of date that all texts have but few.
  private var dateForm: Int? {
    guard numbers == 0 else { return nil }
    let form = bestForm
    let isOne = 2 * dates[form] > texts && odd[form].count <= SurveyedColumn.mostOdd
    return isOne ? form : nil
  }

  /// Missing cells that `missing` is to name. In a column of texts only what no text can mean.
  var gaps: [String] {
    if isSettled { return missing.filter { $0.isEmpty } }
    if hasOddTexts { return missing.sorted() + values }
    if texts > 0, let form = dateForm { return missing.sorted() + odd[form].sorted() }
    return texts > 0 ? missing.filter { $0.isEmpty || $0 == "?" } : missing.sorted()
  }

  /// What the cells are: a number where all are, or nearly all.
  var found: ColumnRule {
    var rule = ColumnRule()
    if isSettled || texts == 0 || hasOddTexts { return rule }
    if let form = dateForm {
      (rule.kind, rule.form) = (.date, DateForm.allCases[form])
    } else {
      rule.kind = values.count > ColumnRule.mostValues ? .text : .category
    }
    return rule
  }

  var holdsCompactDates: Bool { numbers > 0 && texts == 0 && compactDates == numbers }

  var problemOfTimes: DatasetError? {
    if isSettled || texts == 0 { return nil }
    if found.kind == .date { return ambiguity }
    let form = bestForm
    guard let odd = firstOdd[form] else { return nil }
    return odd.file.broken(
      line: odd.line,
      "\(title): \"\(odd.text)\" is no time. Rows are put in order of this column, by dates of the form \(DateForm.listed) or by numbers of seconds"
    )
  }

  /// Where texts can be read as dates of two forms, and mean other days by them.
  private var ambiguity: DatasetError? {
    let (day, month) = (1, 2)
    guard dates[day] == texts, dates[month] == texts, dates[0] < texts,
      values.contains(where: { calendarSeconds($0, .day) != calendarSeconds($0, .month) })
    else { return nil }
    return DatasetError(
      .broken,
      "\(title): dates such as \"\(firstText)\" can be day-month-year or month-day-year. Say which in \"columns\": "
        + "{\(quoted(name)): {\"kind\": \"date\", \"form\": \"day-month-year\"}}")
  }

  /// Null where nothing is to be said.
  var remark: String? {
    if isSettled || texts == 0 { return nil }
    if found.kind == .text {
      return
        "column \"\(name)\" holds more than \(ColumnRule.mostValues) different texts, such as \"\(firstText)\", and is no input"
    }
    if found.kind == .category && commas == texts {
      return
        "column \"\(name)\" holds numbers with a comma, such as \"\(firstText)\": each is a category of its own. Write them with a point"
    }
    return nil
  }

  private var title: String { "column \(place + 1) (\"\(name)\")" }

  /// What `columns` is to say.
  var rule: String? {
    let rule = found
    if rule.kind == .number { return nil }
    let form = rule.form == .year ? "" : ", \"form\": \"\(rule.form.rawValue)\""
    return "\(quoted(name)): {\"kind\": \"\(rule.kind.rawValue)\"\(form)}"
  }

  /// ` ("job" has 12 values: admin., nurse, … )`
  var summary: String {
    if isSettled || texts == 0 || values.count > ColumnRule.mostValues { return "" }
    let what = values.count == 1 ? "this text" : "\(values.count) texts"
    return " (\"\(name)\" has \(what): \(listed(values, atMost: 12)))"
  }
}

/// A text as JSON has it.
private func quoted(_ text: String) -> String {
  "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}
