import PalimpsestScenarios

/// A second look at a table that could not be read: what its columns seem to hold, so that the message can say what to
/// write into `dataset.json`.
struct TableSurvey {
  private var columns: [SurveyedColumn]

  init(_ file: DataFile, _ options: TableOptions, header: [String], features: [ColumnReader]) {
    columns = features.map { feature in
      let isSettled = feature.rule.kind == .category || feature.rule.kind == .date
      return SurveyedColumn(place: feature.place, name: feature.name, isSettled: isSettled)
    }
    var isHeader = true
    var found = columns
    _ = try? DelimitedText(file: file, separator: options.separator).forEachRow { row in
      if isHeader {
        isHeader = false
        return
      }
      if row.count != header.count { return }
      for i in found.indices { found[i].take(trimmed(row.text(found[i].place) ?? ""), row, options.missing ?? []) }
    }
    columns = found
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
  private var texts = 0
  private var dates = [0, 0, 0]
  /// In order of their first appearance, at most one more than a category may have.
  private var values: [String] = []
  private var known: Set<String> = []
  private var missing: Set<String> = []

  /// Texts that mostly mean that there is nothing.
  private static let usualGaps: Set<String> = ["", "?", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "-"]

  init(place: Int, name: String, isSettled: Bool) {
    self.place = place
    self.name = name
    self.isSettled = isSettled
  }

  mutating func take(_ cell: String, _ row: TextRow, _ gaps: [String]) {
    if gaps.contains(cell) { return }
    if SurveyedColumn.usualGaps.contains(cell) {
      missing.insert(cell)
    } else if decimal(row.bytes, row.range(place)) != nil {
      numbers += 1
    } else {
      texts += 1
      for (i, form) in DateForm.allCases.enumerated() where seconds(cell, form) != nil { dates[i] += 1 }
      if values.count <= ColumnRule.mostValues && known.insert(cell).inserted { values.append(cell) }
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

  /// What `columns` is to say.
  var rule: String? {
    if isSettled || texts == 0 || hasOddTexts { return nil }
    if numbers == 0, let form = zip(DateForm.allCases, dates).first(where: { $0.1 == texts })?.0 {
      let order = form == .year ? "" : ", \"form\": \"\(form.rawValue)\""
      return "\(quoted(name)): {\"kind\": \"date\"\(order)}"
    }
    return "\(quoted(name)): {\"kind\": \"\(values.count > ColumnRule.mostValues ? "text" : "category")\"}"
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
