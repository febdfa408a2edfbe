import PalimpsestScenarios

/// What is wrong with a cell.
enum CellProblem: Error {
  case missing
  case notNumber
  case notDate(DateForm)
  /// The category has only these values.
  case unknownValue([String])
  case tooManyValues
}

/// Reads the cells of a column: numbers, places of categories, days. A missing cell is not a number.
struct ColumnReader {
  let place: Int
  let name: String
  let rule: ColumnRule
  /// Texts that mean that a cell is missing.
  private let gaps: [[UInt8]]
  /// Of a category.
  private var codes: TextCodes
  /// Cells that are missing.
  private(set) var missing = 0
  /// Seconds of a column of dates, one a row.
  private(set) var seconds: [Double] = []

  init(place: Int, name: String, rule: ColumnRule, missing: [String]) {
    self.place = place
    self.name = name
    self.rule = rule
    gaps = missing.map { Array($0.utf8) }
    codes = TextCodes(rule.values ?? [])
  }

  /// The values of a category, in order of their first appearance.
  var values: [String] { codes.texts }

  mutating func value(_ row: TextRow) throws(CellProblem) -> Float {
    let range = row.range(place)
    if !gaps.isEmpty && isMissing(row.bytes, range) {
      missing += 1
      if rule.kind == .date { seconds.append(.nan) }
      return .nan
    }
    switch rule.kind {
    case .number, .cyclic, .text:
      guard let number = decimal(row.bytes, range) else { throw .notNumber }
      return number
    case .category: return try code(trimmed(row.text(place) ?? ""))
    case .date: return try days(trimmed(row.text(place) ?? ""))
    }
  }

  /// Puts the rows' dates into another order.
  mutating func reorder(_ order: [Int]) { seconds.reorder(order) }

  private func isMissing(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    var end = range.upperBound
    while end > range.lowerBound && (bytes[end - 1] == 32 || bytes[end - 1] == 9) { end -= 1 }
    let cell = bytes[range.lowerBound..<end]
    return gaps.contains { $0.elementsEqual(cell) }
  }

  private mutating func code(_ value: String) throws(CellProblem) -> Float {
    if value.isEmpty { throw .missing }
    if let code = codes.known(value) { return Float(code) }
    if let known = rule.values { throw .unknownValue(known) }
    if values.count == ColumnRule.mostValues { throw .tooManyValues }
    return Float(codes.code(of: value))
  }

  private mutating func days(_ text: String) throws(CellProblem) -> Float {
    if text.isEmpty { throw .missing }
    guard let time = calendarSeconds(text, rule.form) else { throw .notDate(rule.form) }
    seconds.append(time)
    return Float(time / 86_400)
  }
}

extension ColumnReader {
  /// The values of an ordinal column are in order of their numbers where all are, else of their characters' codes,
  /// unless `dataset.json` has their order: the new place of each place.
  var ranks: [Float]? {
    guard rule.kind == .category, rule.encoding == .ordinal, rule.values == nil else { return nil }
    let places = Dictionary(uniqueKeysWithValues: ordered(Set(values)).enumerated().map { ($1, Float($0)) })
    return values.map { places[$0] ?? 0 }
  }

  /// What the column is.
  /// - Parameter training: the cells of the training rows, as read and ranked.
  func column(training: () -> [Float]) throws(CellProblem) -> InputColumn {
    var column = InputColumn(name: name, kind: kind)
    guard missing > 0 else { return column }
    column.missing = missing
    column.marksMissing = rule.indicator
    if case .oneHot = column.kind { column.fill = 0 } else { column.fill = try fill(training) }
    return column
  }

  var kind: InputColumn.Kind {
    switch (rule.kind, rule.encoding) {
    case (.number, _), (.text, _): .number
    case (.cyclic, _): .cyclic(period: rule.period)
    case (.category, .oneHot): .oneHot(values)
    case (.category, .ordinal): .ordinal(rule.values ?? ordered(Set(values)))
    case (.date, _): .date(rule.form)
    }
  }

  private func fill(_ training: () -> [Float]) throws(CellProblem) -> Float {
    if case .number(let number) = rule.fill { return number }
    let known = training().filter { !$0.isNaN }.sorted()
    if known.isEmpty { throw .missing }
    let middle = known.count / 2
    if known.count % 2 == 1 { return known[middle] }
    return Float((Double(known[middle - 1]) + Double(known[middle])) / 2)
  }
}
