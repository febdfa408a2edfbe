import PalimpsestCore
import PalimpsestScenarios

/// Reads whose each row is and when it arose, from the columns that `owner` and `time` of a `dataset.json` name. Neither is an input.
struct TagReader {
  /// Places in the header.
  private(set) var owner: Int?
  private(set) var time: Int?
  private let form: DateForm?
  private var names = TextCodes()
  /// One a row where there are owners.
  private(set) var owners: [Int32] = []
  /// One a row where there are times.
  private(set) var seconds: [Double] = []

  init() { form = nil }

  init(_ options: TableOptions, header: [String], targets: [Int], _ file: DataFile) throws {
    func place(_ key: String, _ name: String?) throws -> Int? {
      guard let name else { return nil }
      let place = try options.place(of: name, as: key, in: header, file)
      if targets.contains(place) { throw options.broken(key, "\"\(name)\" is to be predicted. Name another column") }
      return place
    }
    owner = try place("owner", options.owner)
    time = try place("time", options.time)
    let rule = options.time.flatMap { options.columns[$0] } ?? ColumnRule()
    if rule.kind == .category || rule.kind == .text {
      throw options.broken(
        "time",
        "\"\(options.time ?? "")\" is a \(rule.kind.rawValue) in columns; a time is a date or a number of seconds")
    }
    form = rule.kind == .date ? rule.form : nil
  }

  /// Columns that are no inputs.
  var places: [Int] { [owner, time].compactMap { $0 } }

  /// - Parameter header: for messages.
  mutating func take(_ row: TextRow, _ file: DataFile, _ header: [String]) throws {
    if let owner {
      let text = trimmed(row.text(owner) ?? "")
      if text.isEmpty {
        throw file.broken(
          line: row.line,
          "\(columnName(owner, header)): nobody is named as the row's owner. Name one, or leave \"owner\" out of dataset.json"
        )
      }
      owners.append(Int32(names.code(of: text)))
    }
    guard let time else { return }
    let text = trimmed(row.text(time) ?? "")
    guard let second = form.map({ PalimpsestDatasets.seconds(text, $0) }) ?? Double(text), second.magnitude < 0x1p53
    else { throw file.broken(line: row.line, "\(columnName(time, header)): \(noTime(text))") }
    seconds.append(second)
  }

  private func noTime(_ text: String) -> String {
    let found = text.isEmpty ? "the cell is empty, and every row needs its time" : "\"\(text)\" is no time"
    let wanted =
      if let form { "a date of the form \"\(form.rawValue)\" is wanted; \"form\" in dataset.json may be another" } else
      {
        "a number of seconds is wanted; of dates say \"kind\": \"date\" in columns of dataset.json"
      }
    return "\(found). Here \(wanted)"
  }

  // MARK: - In order of time

  /// Rows by time, those of one moment as they stand in the file; nil where they stand so already, or have no times.
  /// - Parameter parts: rows that stay among themselves.
  func order(within parts: [Range<Int>]) -> [Int]? {
    guard !seconds.isEmpty else { return nil }
    let rows = parts.flatMap { part in part.sorted { (seconds[$0], $0) < (seconds[$1], $1) } }
    return rows.elementsEqual(rows.indices) ? nil : rows
  }

  mutating func reorder(_ order: [Int]) {
    owners.reorder(order)
    seconds.reorder(order)
  }

  var tagged: RowOwners? { owner == nil ? nil : RowOwners(places: owners, names: names.texts) }

  /// Whole seconds from the earliest row.
  var arrivals: [Int64]? {
    guard let first = seconds.min() else { return nil }
    return seconds.map { Int64(($0 - first).rounded(.down)) }
  }
}

extension Array {
  /// Puts groups of so many elements into another order; without elements nothing happens.
  mutating func reorder(_ order: [Int], width: Int = 1) {
    if isEmpty { return }
    self = order.flatMap { self[$0 * width..<($0 + 1) * width] }
  }
}
