import PalimpsestJSON
import PalimpsestScenarios

/// What `columns` of a `dataset.json` says of a column.
struct ColumnRule: Equatable {
  enum Kind: String, CaseIterable { case number, category, date, cyclic, text }
  enum Encoding: String, CaseIterable {
    case oneHot = "one-hot"
    case ordinal
  }
  /// What stands for a missing cell.
  enum Fill: Equatable {
    /// The median of the training rows' cells.
    case median
    case number(Float)
  }

  var kind = Kind.number
  var encoding = Encoding.oneHot
  /// The values of a category, in order; nil: those that are found.
  var values: [String]?
  var form = DateForm.year
  /// Where a cyclic number comes back to where it began.
  var period: Float = 24
  var fill = Fill.median
  /// Whether an input says that a cell is missing.
  var indicator = true

  /// Values of a category at most.
  static let mostValues = 1000

  /// Dates of eight digits, the year first.
  static var compactDate: ColumnRule {
    var rule = ColumnRule()
    rule.kind = .date
    return rule
  }

  /// All of it in one text, the same for equal rules.
  var canonical: String {
    let values = values.map { "\($0)" } ?? "found"
    let turn = kind == .cyclic ? " \(period)" : ""
    return "\(kind.rawValue) \(encoding.rawValue) \(values) \(form.rawValue) \(fill) \(indicator)\(turn)"
  }
}

extension TableOptions {
  /// The digest of a table's files together with what is said of its columns; that of the files alone where nothing is.
  func digest(of files: [String]) -> String {
    let files = files.joined(separator: ",")
    let isPlain =
      missing == nil && columns.isEmpty && targets == nil && owner == nil && time == nil && derivation == nil
    if isPlain { return files }
    let rules = columns.sorted { $0.key < $1.key }.map { "\(String(reflecting: $0.key)) \($0.value.canonical)" }
    let gaps = missing.map { "\($0)" } ?? "none"
    let predicted = targets.map { ["\($0.kind.key) \($0.columns)"] } ?? []
    let tags = [("owner", owner), ("time", time)].compactMap { key, name in
      name.map { "\(key) \(String(reflecting: $0))" }
    }
    let made = derivation.map { [$0.canonical] } ?? []
    return sha256(Array((["columns/1", files, gaps] + rules + predicted + tags + made).joined(separator: "\n").utf8))
  }
}
