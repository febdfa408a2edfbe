/// A JSON value that remembers where in its file it stands.
///
/// Objects keep their order and the place of each key; numbers keep their text, so a seed above 2⁵³ loses no digit.
/// Equality ignores places. It does see order and the text of numbers (`1` is not `1.0`): compare `canonicalText` to
/// ask whether two values mean the same.
public struct JSONValue: Sendable {
  public enum Content: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The text of a number as RFC 8259 has it, such as `-1.50e3`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)
  }

  public var content: Content
  /// Where the value's first byte stands in its file; nil for a value that was built in code.
  public var offset: Int?

  public init(_ content: Content, at offset: Int? = nil) {
    self.content = content
    self.offset = offset
  }
}

extension JSONValue: Hashable {
  public static func == (a: JSONValue, b: JSONValue) -> Bool { a.content == b.content }
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

// MARK: Looking inside

extension JSONValue {
  public var isNull: Bool { content == .null }

  public var bool: Bool? {
    if case .bool(let value) = content { value } else { nil }
  }

  public var string: String? {
    if case .string(let value) = content { value } else { nil }
  }

  public var numberText: String? {
    if case .number(let text) = content { text } else { nil }
  }

  public var array: [JSONValue]? {
    if case .array(let elements) = content { elements } else { nil }
  }

  public var object: JSONObject? {
    if case .object(let object) = content { object } else { nil }
  }

  /// The nearest `Double`; nil if this is no number or one too large for any.
  public var double: Double? {
    numberText.flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
  }

  public var int: Int? { integer() }
  public var uint64: UInt64? { integer() }

  /// The number as an integer, exactly; nil if this is no number, has a fraction or doesn't fit. `1.0` and `1e3` are
  /// integers, as in JSON Schema.
  public func integer<I: FixedWidthInteger>(as type: I.Type = I.self) -> I? {
    guard let text = numberText else { return nil }
    return I(text) ?? DecimalNumber(text)?.integerText.flatMap { I($0) }
  }

  /// The member called `key`, if this is an object that has one.
  public subscript(key: String) -> JSONValue? { object?[key] }

  /// The element at `index`, if this is an array that long.
  public subscript(index: Int) -> JSONValue? {
    guard let array, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The value inside a message, as in `expected a number ≥ 0, found "high"`: a scalar as it is written, cut if it
  /// is long; of an array or object only what it is.
  public var shown: String {
    switch content {
    case .string(let text): quotedForMessage(text)
    case .array(let elements): elements.isEmpty ? "an empty array" : kind
    case .object(let object): object.isEmpty ? "an empty object" : kind
    default: scalarText
    }
  }

  /// What it is, as in `expected a number, found a string`.
  public var kind: String {
    switch content {
    case .null: "null"
    case .bool: "a truth value"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

// MARK: Building in code

extension JSONValue {
  public static var null: JSONValue { JSONValue(.null) }

  public init(_ value: Bool) { self.init(.bool(value)) }
  public init(_ value: String) { self.init(.string(value)) }
  public init(_ elements: [JSONValue]) { self.init(.array(elements)) }
  public init(_ object: JSONObject) { self.init(.object(object)) }
  public init(_ value: some BinaryInteger) { self.init(.number(String(value))) }

  /// The shortest text that reads back as the same value. JSON has no NaN and no infinity: they become null.
  public init(_ value: Double) { self.init(decimal: value.isFinite ? value.description : nil) }

  /// As for `Double`, in the digits of a `Float`: 0.1, not 0.10000000149011612.
  public init(_ value: Float) { self.init(decimal: value.isFinite ? value.description : nil) }

  private init(decimal text: String?) {
    self.init(text.map { .number(canonicalNumber($0)) } ?? .null)
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByStringLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(nilLiteral: ()) { self.init(.null) }
  public init(booleanLiteral value: Bool) { self.init(value) }
  public init(stringLiteral value: String) { self.init(value) }
  public init(integerLiteral value: Int) { self.init(value) }
  public init(floatLiteral value: Double) { self.init(value) }
  public init(arrayLiteral elements: JSONValue...) { self.init(elements) }
  public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(JSONObject(members)) }
}
