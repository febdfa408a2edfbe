/// A state as a tree: what ``StateEncoder`` makes of a `Codable` value and ``StateDecoder`` reads one from.
///
/// Numbers keep their bits (NaN, −0), lists of numbers are whole blocks, and fields keep their names, so that a type that
/// has changed since is noticed and not misread.
indirect enum StateValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Above the largest `Int64`.
  case unsigned(UInt64)
  case float(Float)
  case double(Double)
  case text(String)
  case bytes([UInt8])
  case int32s([Int32])
  case integers([Int])
  case floats(any FloatBlock)
  case doubles([Double])
  case list([StateValue])
  case record([String: StateValue])

  /// How a message names it: `a list`, `floats`.
  var kind: String {
    switch self {
    case .null: "nothing"
    case .bool: "a truth value"
    case .integer, .unsigned: "a whole number"
    case .float, .double: "a number"
    case .text: "a text"
    case .bytes: "bytes"
    case .int32s, .integers: "whole numbers"
    case .floats, .doubles: "numbers"
    case .list: "a list"
    case .record: "fields"
    }
  }
}

/// A state that cannot be written or read: where in it, what is wrong, what would be right.
///
/// Thrown by `Learner.saveState(to:)` and `Learner.restoreState(from:)`, and made of what a ``CheckedState`` finds wrong.
public struct StateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// Such as `learner.parts[1].path`; empty for the whole.
  public let path: String
  public let message: String

  public init(_ message: String, at path: String = "") {
    self.path = path
    self.message = message
  }

  public var description: String { path.isEmpty ? message : "\(path): \(message)" }
}

/// Numbers of fields and lists on the way to a value, for messages.
struct StatePath: Sendable {
  let keys: [any CodingKey]

  var text: String {
    keys.reduce("") { text, key in
      if key is StateIndex { return text + "[\(key.intValue ?? 0)]" }
      return text.isEmpty ? key.stringValue : text + "." + key.stringValue
    }
  }
}

/// A place in a list.
struct StateIndex: CodingKey {
  let intValue: Int?
  var stringValue: String { String(intValue ?? 0) }

  init(_ index: Int) { intValue = index }
  init?(intValue: Int) { self.intValue = intValue }
  init?(stringValue: String) { return nil }
}

/// A field that is named by what it holds: the superclass's part of a class.
struct StateName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { return nil }
}
