import PalimpsestCore
import PalimpsestJSON

// What the JSON Schema says of one parameter.

extension ParameterDeclaration {
  /// Type, bounds, help and default.
  var schema: JSONObject {
    var schema = kind.schema(bounds)
    schema["description"] = JSONValue(help)
    schema["default"] = shownDefault
    return schema
  }

  /// The default as a file would have it.
  var shownDefault: JSONValue {
    if case .entries = kind { [] } else { JSONValue(parameter: value) }
  }
}

extension ParameterKind {
  fileprivate func schema(_ bounds: Bounds) -> JSONObject {
    switch self {
    case .integer: JSONObject([("type", "integer")] + bounds.keywords)
    case .number: JSONObject([("type", "number")] + bounds.keywords)
    case .bool: ["type": "boolean"]
    case .string: ["type": "string"]
    case .object: ["type": "object"]
    case .choice(let words): ["enum": JSONValue(words.map { JSONValue($0) })]
    case .list(let element): list(element, bounds)
    case .entries: JSONObject([("type", "array")] + (bounds.upper.map { [("maxItems", JSONValue($0))] } ?? []))
    case .optional(let kind): kind.schema(bounds).allowingNull
    }
  }

  private func list(_ element: ParameterKind, _ bounds: Bounds) -> JSONObject {
    var schema: JSONObject = ["type": "array", "items": JSONValue(element.schema(bounds))]
    if bounds.leastCount > 0 { schema["minItems"] = JSONValue(bounds.leastCount) }
    return schema
  }
}

extension JSONObject {
  fileprivate var allowingNull: JSONObject {
    var schema = self
    if let words = schema["enum"]?.array { schema["enum"] = JSONValue(words + [.null]) }
    if let type = schema["type"] { schema["type"] = [type, "null"] }
    return schema
  }
}

extension Bounds {
  fileprivate var keywords: [(String, JSONValue)] {
    var keywords: [(String, JSONValue)] = []
    if let lower { keywords.append((lowerIsOpen ? "exclusiveMinimum" : "minimum", JSONValue(lower))) }
    if let upper { keywords.append((upperIsOpen ? "exclusiveMaximum" : "maximum", JSONValue(upper))) }
    return keywords
  }
}
