import PalimpsestJSON

/// A value of `dataset.json`.
enum JSONValue: Decodable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let flag = try? value.decode(Bool.self) {
      self = .bool(flag)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let text = try? value.decode(String.self) {
      self = .text(text)
    } else if let list = try? value.decode([JSONValue].self) {
      self = .list(list)
    } else {
      self = .object(try value.decode([String: JSONValue].self))
    }
  }

  /// How a message names it.
  var found: String {
    switch self {
    case .null: "null"
    case .bool(let flag): "\(flag)"
    case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
    case .text(let text): "\"\(text)\""
    case .list(let values): "[" + values.map(\.found).joined(separator: ", ") + "]"
    case .object: "an object"
    }
  }

  /// A whole number ≥ 1.
  var side: Int? {
    if case .number(let number) = self, let side = Int(exactly: number), side >= 1 { return side }
    return nil
  }
}
