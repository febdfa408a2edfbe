import PalimpsestJSON
import PalimpsestScenarios

extension TableOptions {
  /// What `events` says.
  func eventRule(_ value: JSONValue) throws -> EventRule {
    let members = try members(
      value, of: "events", known: ["code", "counts", "form", "person", "readings", "time", "value"],
      needed: ["person", "time", "code", "value", "readings"])
    let rule = EventRule(
      person: try text("events.person", members["person"] ?? .null),
      time: try textOrTexts("events.time", members["time"] ?? .null),
      form: try members["form"].map { try dayOrMonth($0) },
      code: try text("events.code", members["code"] ?? .null),
      value: try text("events.value", members["value"] ?? .null),
      readings: try textOrTexts("events.readings", members["readings"] ?? .null),
      counts: try members["counts"].map { try counts($0) } ?? [:])
    var seen: Set<String> = []
    if let twice = rule.header.first(where: { !seen.insert($0).inserted }) {
      throw broken(
        "events",
        "two columns of the table would be called \"\(twice)\". Call the person's column or the count otherwise")
    }
    return rule
  }

  private func dayOrMonth(_ value: JSONValue) throws -> String {
    if let form = value.string.flatMap(DateForm.init(rawValue:)) { return form.rawValue }
    throw broken(
      "events.form",
      "expected \(DateForm.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")), found \(value.found)")
  }

  private func counts(_ value: JSONValue) throws -> [String: [String]] {
    guard let counts = value.object else {
      throw broken("events.counts", "expected an object such as {\"meals\": [\"66\", \"67\"]}, found \(value.found)")
    }
    return Dictionary(
      uniqueKeysWithValues: try counts.keys.map { ($0, try textOrTexts("events.counts.\($0)", counts[$0] ?? .null)) })
  }

  /// What `windows` says.
  func windowRule(_ value: JSONValue) throws -> WindowRule {
    let members = try members(value, of: "windows", known: ["rows", "within"], needed: ["rows"])
    guard let rows = members["rows"]?.int, (2...WindowRule.mostRows).contains(rows) else {
      throw broken(
        "windows.rows",
        "expected a whole number from 2 to \(WindowRule.mostRows), found \((members["rows"] ?? .null).found)")
    }
    return WindowRule(rows: rows, within: try members["within"].map { try textOrTexts("windows.within", $0) } ?? [])
  }

  private func members(
    _ value: JSONValue, of key: String, known: [String], needed: [String]
  ) throws -> JSONObject {
    guard let members = value.object else { throw broken(key, "expected an object, found \(value.found)") }
    if let wrong = members.keys.sorted().first(where: { !known.contains($0) }) {
      throw broken("\(key).\(wrong)", "unknown key; there are \(listed(known))")
    }
    if let missing = needed.first(where: { members[$0] == nil }) {
      throw broken(key, "\"\(missing)\" is not said")
    }
    return members
  }

  /// One text or several; none is too few.
  private func textOrTexts(_ key: String, _ value: JSONValue) throws -> [String] {
    if let text = value.string { return [text] }
    guard let values = value.array, !values.isEmpty else {
      throw broken(key, "expected a text or a list of texts, found \(value.found)")
    }
    return try values.map { try text(key, $0) }
  }
}
