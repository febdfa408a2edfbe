import PalimpsestCore
import PalimpsestScenarios

/// Reads whose each row is and when it arose, from the columns that `owner` and `time` of a `dataset.json` name. Neither is an input.
struct TagReader {
  /// Places in the header.
  private(set) var owner: Int?
  private(set) var time: Int?
  /// Places of the columns that say which rows belong together, and whether they are inputs as well.
  private let group: [Int]
  private let keepsGroup: Bool
  private let form: DateForm?
  private var names = TextCodes()
  private var groupNames = TextCodes()
  /// One a row where rows are in groups.
  private(set) var groups: [Int32] = []
  /// One a row where there are owners.
  private(set) var owners: [Int32] = []
  /// One a row where there are times.
  private(set) var seconds: [Double] = []

  init() { (form, group, keepsGroup) = (nil, [], false) }

  init(_ options: TableOptions, header: [String], targets: [Int], _ file: DataFile) throws {
    func place(_ key: String, _ name: String?) throws -> Int? {
      guard let name else { return nil }
      let place = try options.place(of: name, as: key, in: header, file)
      if targets.contains(place) { throw options.broken(key, "\"\(name)\" is to be predicted. Name another column") }
      return place
    }
    group = try options.group.map { try options.place(of: $0, as: "tasks", in: header, file) }
    keepsGroup = options.keepsGroup
    owner = try place("owner", options.owner)
    time = try place("time", options.time)
    let rule = options.time.flatMap { options.columns[$0] } ?? ColumnRule()
    if rule.kind == .category || rule.kind == .text {
      throw options.broken(
        "time",
        "\"\(options.time ?? "")\" is read as a \(rule.kind.rawValue); a time (what tasks cut by \"every\" are cut by) is a date, as 2024-01-31, 31.01.2024 or with its \"form\" in columns 31/01/2024 and 01/31/2024, or a number of seconds"
      )
    }
    form = rule.kind == .date ? rule.form : nil
  }

  /// Columns that are no inputs.
  var places: [Int] { [owner, time].compactMap { $0 } + (keepsGroup ? [] : group) }

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
    if !group.isEmpty {
      let texts = try group.map { place in
        let text = trimmed(row.text(place) ?? "")
        if !text.isEmpty { return text }
        throw file.broken(
          line: row.line,
          "\(columnName(place, header)): the cell is empty, and tasks are cut by this column. Name its value")
      }
      groups.append(Int32(groupNames.code(of: texts.joined(separator: ", "))))
    }
    guard let time else { return }
    let text = trimmed(row.text(time) ?? "")
    guard let second = form.map({ calendarSeconds(text, $0) }) ?? Double(text), second.magnitude < 0x1p53
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
    groups.reorder(order)
    seconds.reorder(order)
  }

  var grouped: RowOwners? { group.isEmpty ? nil : RowOwners(places: groups, names: groupNames.texts) }
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
