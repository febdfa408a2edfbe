import PalimpsestCore
import PalimpsestScenarios

/// Signals of which one line alone says little: a row for so many lines one behind the other, with mean and standard deviation
/// (n − 1) of each column. Lines that are too few for a row are passed over.
///
/// Columns of the table: those of `within`, then `X_mean` and `X_sd` for every other column X.
public struct WindowRule: Codable, Sendable, Equatable {
  /// Lines of a row.
  public var rows: Int
  /// Columns that are equal in all lines of a row, and that it keeps.
  public var within: [String]

  public static let mostRows = 1_000_000
}

/// Makes rows of windows.
struct WindowRows {
  private let rule: WindowRule
  private let file: DataFile
  private let names: [String]
  private let within: [Int]
  private let others: [Int]
  /// Of the lines of the window at hand.
  private var held: [String] = []
  private var values: [[Double]] = []
  private var first = 0

  /// - Throws: ``DatasetError`` where the file has no such column.
  init(_ rule: WindowRule, header: [String], _ file: DataFile, _ options: TableOptions) throws {
    (self.rule, self.file, names) = (rule, file, header)
    let within = try options.places(of: rule.within, as: "windows.within", in: header, file)
    self.within = within
    others = header.indices.filter { !within.contains($0) }
    if others.isEmpty { throw options.broken("windows.within", "no column is left to take means of") }
  }

  var header: [String] { within.map { names[$0] } + others.flatMap { ["\(names[$0])_mean", "\(names[$0])_sd"] } }

  /// - Returns: the row of a window that is full.
  mutating func row(with line: TextRow) throws -> TextRow? {
    guard line.count == names.count else {
      throw file.broken(line: line.line, "\(line.count) cells, the header has \(names.count)")
    }
    let cells = line.texts.map(trimmed)
    let own = within.map { cells[$0] }
    if own != held || values.isEmpty { (held, values, first) = (own, [], line.line) }
    values.append(try others.map { try number(cells[$0], $0, line.line) })
    guard values.count == rule.rows else { return nil }
    defer { values = [] }
    return TextRow(held + others.indices.flatMap { moments(of: $0) }, line: first)
  }

  private func number(_ cell: String, _ column: Int, _ line: Int) throws -> Double {
    if let value = Double(cell), value.isFinite { return value }
    throw file.broken(
      line: line,
      "\(columnName(column, names)): \"\(cell)\" is not a number, and windows take means of it. Correct it, or name the column in "
        + "\"within\" of windows")
  }

  /// Mean and deviation of a column.
  private func moments(of place: Int) -> [String] {
    let n = Double(values.count)
    let mean = values.reduce(0) { $0 + $1[place] } / n
    let squares = values.reduce(0) { $0 + ($1[place] - mean) * ($1[place] - mean) }
    return [shortest(Float(mean)), shortest(Float((squares / (n - 1)).squareRoot()))]
  }
}
