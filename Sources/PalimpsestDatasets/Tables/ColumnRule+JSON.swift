import PalimpsestJSON
import PalimpsestScenarios

extension TableOptions {
  /// What `columns` says: an object a column.
  func rules(_ value: JSONValue) throws -> [String: ColumnRule] {
    guard let columns = value.object else {
      throw broken("columns", "expected an object such as {\"job\": {\"kind\": \"category\"}}, found \(value.found)")
    }
    var rules: [String: ColumnRule] = [:]
    for name in columns.keys.sorted() { rules[name] = try rule("columns.\(name)", columns[name] ?? .null) }
    return rules
  }

  private func rule(_ place: String, _ value: JSONValue) throws -> ColumnRule {
    guard let members = value.object else {
      throw broken(place, "expected an object such as {\"kind\": \"category\"}, found \(value.found)")
    }
    var rule = ColumnRule()
    for key in members.keys.sorted() { try set(key, of: &rule, to: members[key] ?? .null, "\(place).\(key)") }
    try checkKeys(Set(members.keys), rule.kind, place)
    return rule
  }

  private func set(_ key: String, of rule: inout ColumnRule, to value: JSONValue, _ place: String) throws {
    switch key {
    case "kind": rule.kind = try choice(place, value)
    case "encoding": rule.encoding = try choice(place, value)
    case "form": rule.form = try choice(place, value)
    case "values": rule.values = try values(place, value)
    case "period": rule.period = try period(place, value)
    case "fill": rule.fill = try fill(place, value)
    case "indicator": rule.indicator = try flag(place, value)
    default: throw broken(place, "unknown key; there are encoding, fill, form, indicator, kind, period, values")
    }
  }

  /// Keys that mean nothing for a kind are mistakes.
  private func checkKeys(_ keys: Set<String>, _ kind: ColumnRule.Kind, _ place: String) throws {
    var known: Set = ["kind"]
    if kind != .text { known.formUnion(["fill", "indicator"]) }
    if kind == .category { known.formUnion(["encoding", "values"]) }
    if kind == .date { known.insert("form") }
    if kind == .cyclic { known.insert("period") }
    guard let wrong = keys.subtracting(known).sorted().first else { return }
    throw broken(
      "\(place).\(wrong)", "a column of kind \(kind.rawValue) has no such key; it has \(listed(known.sorted()))")
  }

  private func choice<Choice: RawRepresentable & CaseIterable>(_ place: String, _ value: JSONValue) throws -> Choice
  where Choice.RawValue == String {
    if let choice = value.string.flatMap(Choice.init(rawValue:)) { return choice }
    throw broken(
      place, "expected \(Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")), found \(value.found)")
  }

  private func values(_ place: String, _ value: JSONValue) throws -> [String] {
    let values = try texts(place, value)
    if values.isEmpty {
      throw broken(place, "the list is empty; name every value, or leave it out to take those found")
    }
    if values.count > ColumnRule.mostValues {
      throw broken(place, "\(values.count) values; a category has at most \(ColumnRule.mostValues)")
    }
    var seen: Set<String> = []
    if let twice = values.first(where: { !seen.insert($0).inserted }) {
      throw broken(place, "\"\(twice)\" is there twice")
    }
    return values
  }

  private func period(_ place: String, _ value: JSONValue) throws -> Float {
    if let number = value.double.map({ Float($0) }), number.isFinite, number > 0 { return number }
    throw broken(place, "expected a number > 0, such as 24 for hours, found \(value.found)")
  }

  private func fill(_ place: String, _ value: JSONValue) throws -> ColumnRule.Fill {
    if value.string == "median" { return .median }
    if let number = value.double, Float(number).isFinite { return .number(Float(number)) }
    throw broken(place, "expected \"median\" or a number, found \(value.found)")
  }

  private func flag(_ place: String, _ value: JSONValue) throws -> Bool {
    if let flag = value.bool { return flag }
    throw broken(place, "expected true or false, found \(value.found)")
  }
}

/// `a, b and 3 more`
func listed(_ texts: [String], atMost most: Int = 20) -> String {
  let first = texts.prefix(most).joined(separator: ", ")
  return texts.count > most ? "\(first) and \(texts.count - most) more" : first
}
