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
        header = first + row.texts
        begin(header, &columns)
      } else if row.count == width {
        if firstRow.isEmpty { firstRow = row.texts }
        for i in columns.indices { columns[i].take(row, gaps) }
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
  /// In order of their first appearance, at most one more than a category may have.
  private var values: [String] = []
  /// By value: the forms of date that it is.
  private var known: [String: [Bool]] = [:]
  private var missing: Set<String> = []

  /// Texts that mostly mean that there is nothing.
  private static let usualGaps: Set<String> = ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "-"]

  init(place: Int, name: String, isSettled: Bool) {
    self.place = place
    self.name = name
    self.isSettled = isSettled
  }

  mutating func take(_ row: TextRow, _ gaps: [String]) {
    let isNumber = decimal(row.bytes, row.range(place)) != nil
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
      takeText(cell)
    }
  }

  private mutating func takeText(_ cell: String) {
    texts += 1
    let forms = known[cell] ?? DateForm.allCases.map { calendarSeconds(cell, $0) != nil }
    for (i, isDate) in forms.enumerated() where isDate { dates[i] += 1 }
    if known[cell] == nil && values.count <= ColumnRule.mostValues {
      known[cell] = forms
      values.append(cell)
    }
  }

  /// Few texts among numbers are taken for gaps.
  private var hasOddTexts: Bool { texts > 0 && numbers > texts && values.count <= 3 }

  /// Missing cells that `missing` is to name. In a column of texts only what no text can mean.
  var gaps: [String] {
    if isSettled { return missing.filter { $0.isEmpty } }
    if hasOddTexts { return missing.sorted() + values }
    return texts > 0 ? missing.filter { $0.isEmpty || $0 == "?" } : missing.sorted()
  }

  /// What the cells are: a number where all are, or nearly all.
  var found: ColumnRule {
    var rule = ColumnRule()
    if isSettled || texts == 0 || hasOddTexts { return rule }
    if numbers == 0, let form = zip(DateForm.allCases, dates).first(where: { $0.1 == texts })?.0 {
      (rule.kind, rule.form) = (.date, form)
    } else {
      rule.kind = values.count > ColumnRule.mostValues ? .text : .category
    }
    return rule
  }

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
