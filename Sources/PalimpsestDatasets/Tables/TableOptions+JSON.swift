import PalimpsestJSON
import PalimpsestScenarios

extension TableOptions {
  /// Reads a `dataset.json`.
  /// - Throws: ``DatasetError`` for bad JSON, an unknown key, a value of another kind.
  init(file: DataFile) throws {
    let value: JSONValue
    do {
      value = try JSONReader.read(file.text(), file: file.path).value()
    } catch let problems as Problems {
      throw DatasetError(.broken, problems.description)
    }
    guard let object = value.object else {
      throw file.broken("expected an object such as {\"label\": \"y\"}")
    }
    origin = file.path
    let said = ["label", "labels", "values"].filter { object[$0] != nil }
    if said.count > 1 {
      throw broken(said[1], "what is to be predicted is said by \"\(said[0])\" already. Keep one of them")
    }
    for key in object.keys.sorted() { try set(key, to: object[key] ?? .null) }
  }

  private mutating func set(_ key: String, to value: JSONValue) throws {
    switch key {
    case "file": file = try text(key, value)
    case "label": label = try text(key, value)
    case "labels": targets = TargetColumns(columns: try names(key, value), kind: .labels)
    case "values": targets = TargetColumns(columns: try names(key, value), kind: .numbers)
    case "separator": separator = try character(value)
    case "test": test = try testRows(value)
    case "drop": drop = try texts(key, value)
    case "missing": missing = try texts(key, value)
    case "columns": columns = try rules(value)
    case "owner": owner = try text(key, value)
    case "time": time = try text(key, value)
    case "title": title = try text(key, value)
    case "image": image = try size(value)
    case "events": derivation = .events(try eventRule(value))
    case "windows":
      if derivation != nil { throw broken(key, "rows are made by \"events\" already. Keep one of them") }
      derivation = .windows(try windowRule(value))
    default:
      throw broken(
        key,
        "unknown key; there are columns, drop, events, file, image, label, labels, missing, owner, separator, test, time, "
          + "title, values, windows")
    }
  }

  /// One name or several, each once.
  private func names(_ key: String, _ value: JSONValue) throws -> [String] {
    if value.string != nil { return [try text(key, value)] }
    let names = try texts(key, value)
    if names.isEmpty { throw broken(key, "the list is empty; name the columns that are to be predicted") }
    if let twice = names.indices.first(where: { names[..<$0].contains(names[$0]) }) {
      throw broken(key, "\"\(names[twice])\" is listed twice")
    }
    return names
  }

  func text(_ key: String, _ value: JSONValue) throws -> String {
    guard let text = value.string else { throw broken(key, "expected a text, found \(value.found)") }
    return text
  }

  func texts(_ key: String, _ value: JSONValue) throws -> [String] {
    guard let values = value.array else {
      let what = key == "missing" ? "texts" : "column names"
      throw broken(key, "expected a list of \(what), found \(value.found)")
    }
    return try values.map { try text(key, $0) }
  }

  private func character(_ value: JSONValue) throws -> UInt8 {
    let text = try text("separator", value)
    guard text.utf8.count == 1, let byte = text.utf8.first, byte > 0, !Array("\"\r\n".utf8).contains(byte) else {
      throw broken("separator", "expected one ASCII character such as \";\", found \(value.found)")
    }
    return byte
  }

  private func testRows(_ value: JSONValue) throws -> TestRows {
    if let number = value.double {
      if number > 0 && number < 1 { return .fraction(number) }
      if let rows = Int(exactly: number), rows >= 1 { return .rows(rows) }
    }
    throw broken("test", "expected a fraction between 0 and 1 or a number of rows ≥ 1, found \(value.found)")
  }

  private func size(_ value: JSONValue) throws -> ImageSize {
    if let sides = value.array, sides.count == 2, let height = sides[0].side, let width = sides[1].side {
      return ImageSize(height: height, width: width)
    }
    throw broken("image", "expected a height and a width such as [28, 28], found \(value.found)")
  }
}

extension JSONValue {
  /// How a message names it: a list with its elements.
  var found: String {
    guard let array, !array.isEmpty else { return shown }
    return "[" + array.map(\.found).joined(separator: ", ") + "]"
  }

  /// A whole number ≥ 1.
  fileprivate var side: Int? { int.flatMap { $0 >= 1 ? $0 : nil } }
}
