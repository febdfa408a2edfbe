import PalimpsestCore
import PalimpsestScenarios

/// A log of what happened, an event a line: a row for each reading but a person's last, with what happened since the reading before.
/// What is to be predicted is the person's next reading.
///
/// Columns of the table: person, `time`, `reading`, `hours` since the reading before (`NA` for the first), `hour` of the day,
/// events of each count since the reading before, in the order of their names, and `next`.
public struct EventRule: Codable, Sendable, Equatable {
  /// Columns of the file.
  public var person: String
  /// Of dates and times of day, joined by a blank where there are several.
  public var time: [String]
  /// Order of day, month and year where the year does not stand first, such as `month-day-year`.
  public var form: String?
  public var code: String
  public var value: String
  /// Codes of readings; where the value is no number the line is passed over.
  public var readings: [String]
  /// Codes that are counted together, by what their column is called.
  public var counts: [String: [String]]

  /// The same text for the same rule.
  var canonical: String {
    let counted = countNames.map { "\(String(reflecting: $0)) \(counts[$0] ?? [])" }
    return "events \([person] + time) \(form ?? "year-month-day") \([code, value]) \(readings) \(counted)"
  }

  var countNames: [String] { counts.keys.sorted() }
  var header: [String] { [person, "time", "reading", "hours", "hour"] + countNames + ["next"] }
}

/// Makes rows of events; persons may come in turns.
struct EventRows {
  private let rule: EventRule
  private let file: DataFile
  private let width: Int
  private let form: DateForm
  /// Where the file has person, code and value, and the parts of the time.
  private let columns: (person: Int, code: Int, value: Int, time: [Int])
  private let readings: Set<String>
  /// Places among the counts, by code.
  private let counted: [String: [Int]]
  private var people: [String: Person] = [:]

  /// What is known of a person.
  private struct Person {
    /// The latest reading as a row without what came next.
    var row: [String] = []
    var line = 0
    var seconds: Double?
    var counts: [Int]
  }

  /// - Throws: ``DatasetError`` where the file has no such column, or a name is there twice.
  init(_ rule: EventRule, header: [String], _ file: DataFile, _ options: TableOptions) throws {
    (self.rule, self.file, width) = (rule, file, header.count)
    form = rule.form.flatMap(DateForm.init(rawValue:)) ?? .year
    func place(_ key: String, _ name: String) throws -> Int {
      try options.place(of: name, as: "events.\(key)", in: header, file)
    }
    columns = (
      try place("person", rule.person), try place("code", rule.code), try place("value", rule.value),
      try rule.time.map { try place("time", $0) }
    )
    readings = Set(rule.readings)
    var counted: [String: [Int]] = [:]
    for (place, name) in rule.countNames.enumerated() {
      for code in rule.counts[name] ?? [] { counted[code, default: []].append(place) }
    }
    self.counted = counted
  }

  /// - Returns: the row of the person's reading before, where the line is a reading.
  mutating func row(with line: TextRow) throws -> TextRow? {
    guard line.count == width else {
      throw file.broken(line: line.line, "\(line.count) cells, the header has \(width)")
    }
    let cells = line.texts.map(trimmed)
    var person = people[cells[columns.person]] ?? Person(counts: rule.countNames.map { _ in 0 })
    defer { people[cells[columns.person]] = person }
    let code = cells[columns.code]
    for place in counted[code] ?? [] { person.counts[place] += 1 }
    guard readings.contains(code), let value = Float(cells[columns.value]), value.isFinite else { return nil }
    let finished = person.row.isEmpty ? nil : TextRow(person.row + [cells[columns.value]], line: person.line)
    try begin(&person, cells, line.line)
    return finished
  }

  private func begin(_ person: inout Person, _ cells: [String], _ line: Int) throws {
    let time = columns.time.map { cells[$0] }.joined(separator: " ")
    guard let seconds = calendarSeconds(time, form) else {
      throw file.broken(
        line: line, "\"\(time)\" is no date of the form \"\(form.rawValue)\", and a reading needs its time")
    }
    let hours = person.seconds.map { shortest(Float((seconds - $0) / 3600)) } ?? "NA"
    let hour = shortest(Float((seconds / 86_400 - (seconds / 86_400).rounded(.down)) * 24))
    person.row =
      [cells[columns.person], time, cells[columns.value], hours, hour] + person.counts.map(String.init)
    (person.line, person.seconds) = (line, seconds)
    for place in person.counts.indices { person.counts[place] = 0 }
  }
}
