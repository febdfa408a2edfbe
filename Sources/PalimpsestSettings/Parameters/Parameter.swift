/// A value a user can set, declared once: the declaration feeds reading, messages, `describe` and the JSON Schema.
///
///     @Parameter("Strength λ of the penalty.", .atLeast(0)) public var strength: Float = 100
///
/// Stored properties without the wrapper are state.
@propertyWrapper
public struct Parameter<Value: ParameterType>: Sendable {
  public var wrappedValue: Value
  private let rule: ParameterRule

  public init(wrappedValue: Value, _ help: String, _ bounds: Bounds = .any) {
    self.wrappedValue = wrappedValue
    rule = ParameterRule(help: help, bounds: bounds)
  }

  private init(_ value: Value, _ rule: ParameterRule) {
    wrappedValue = value
    self.rule = rule
  }

  var help: String { rule.help }
  var bounds: Bounds { rule.bounds }
}

/// What is declared of a parameter beside its value: shared by all copies, so that a part is no larger than its values and a
/// reference each.
private final class ParameterRule: Sendable {
  static let none = ParameterRule(help: "", bounds: .any)

  let help: String
  let bounds: Bounds

  init(help: String, bounds: Bounds) {
    self.help = help
    self.bounds = bounds
  }
}

extension Parameter: Codable {
  /// A checkpoint holds the value alone; help and bounds belong to the declaration.
  public init(from decoder: any Decoder) throws {
    self.init(try Value(from: decoder), .none)
  }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// What a parameter's numbers may be. Lists are checked element by element.
public struct Bounds: Sendable, Equatable {
  public var lower: Double?
  public var lowerIsOpen = false
  public var upper: Double?
  public var upperIsOpen = false
  /// Least number of elements of a list.
  public var leastCount = 0

  public static let any = Bounds()
  public static func atLeast(_ value: Double) -> Bounds { Bounds(lower: value) }
  public static func above(_ value: Double) -> Bounds { Bounds(lower: value, lowerIsOpen: true) }
  public static func within(_ range: ClosedRange<Double>) -> Bounds {
    Bounds(lower: range.lowerBound, upper: range.upperBound)
  }
  public static func within(_ range: Range<Double>) -> Bounds {
    Bounds(lower: range.lowerBound, upper: range.upperBound, upperIsOpen: true)
  }
  /// How many rows, steps, passes or tasks: the product of any two fits 64 bits.
  public static let count = Bounds.within(1...1_000_000_000)
  /// How wide a layer is.
  public static let width = Bounds.within(1...1_000_000)
  /// Above one number and below another.
  public static func between(_ lower: Double, _ upper: Double) -> Bounds {
    Bounds(lower: lower, lowerIsOpen: true, upper: upper, upperIsOpen: true)
  }
  /// The same bounds for a list of at least that many elements.
  public func count(atLeast count: Int) -> Bounds {
    var bounds = self
    bounds.leastCount = count
    return bounds
  }

  public func contains(_ x: Double) -> Bool {
    if let lower, x < lower || (lowerIsOpen && x == lower) { return false }
    if let upper, x > upper || (upperIsOpen && x == upper) { return false }
    return true
  }

  /// Whether what a 32-bit float keeps of a number inside the bounds is inside as well: rounding may lead to an open end.
  func contains(stored x: Float) -> Bool {
    if let lower, lowerIsOpen, x <= Float(lower) { return false }
    if let upper, upperIsOpen, x >= Float(upper) { return false }
    return x.isFinite
  }

  /// Such as ` ≥ 0`, ` > 0`, ` in [0, 1)`, or nothing.
  public var description: String {
    switch (lower, upper) {
    case (nil, nil): ""
    case (let lower?, nil): "\(lowerIsOpen ? " > " : " ≥ ")\(shortest(lower))"
    case (nil, let upper?): "\(upperIsOpen ? " < " : " ≤ ")\(shortest(upper))"
    case (let lower?, let upper?):
      " in \(lowerIsOpen ? "(" : "[")\(shortest(lower)), \(shortest(upper))\(upperIsOpen ? ")" : "]")"
    }
  }
}

/// A number without a needless fraction: `2`, `0.5`.
package func shortest(_ x: some BinaryFloatingPoint & LosslessStringConvertible) -> String {
  if let whole = Int(exactly: x) { return String(whole) }
  return String(x)
}

/// A value as it stands in a file: what a parameter is read from and written to. Numbers keep their text.
public enum ParameterValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case list([ParameterValue])
  /// An object, as canonical JSON.
  case object(String)

  /// How a message names it: `"high"`, `-5`, `a list`.
  public var found: String {
    switch self {
    case .null: "null"
    case .bool(let value): String(value)
    case .number(let text): text
    case .string(let text): text.count <= 60 ? "\"\(text)\"" : "\"\(text.prefix(57))…\""
    case .list: "a list"
    case .object: "an object"
    }
  }
}

/// What a parameter can be: a number, a truth value, a text, one of several words, a list of those, or one of them or null.
public protocol ParameterType: Sendable, Codable, Equatable {
  /// The kind of value, as a JSON Schema and a message name it.
  static var kind: ParameterKind { get }
  /// The value read, or nil where the kind or the bounds do not allow it.
  init?(_ value: ParameterValue, _ bounds: Bounds)
  /// What a message says of a value that is not allowed.
  static func found(_ value: ParameterValue, _ bounds: Bounds) -> FoundValue
  var parameterValue: ParameterValue { get }
}

/// The kinds of parameter, with what a schema needs of them.
public indirect enum ParameterKind: Sendable, Equatable {
  case integer, number, bool, string, object
  case choice([String])
  case list(ParameterKind)
  /// A list of objects with these settings; its value is their number.
  case entries([ParameterDeclaration])
  case optional(ParameterKind)

  /// Such as `a number ≥ 0`, `one of "sum" and "mean"`, `a list of whole numbers ≥ 1`.
  public func expectation(_ bounds: Bounds) -> String {
    switch self {
    case .integer: "a whole number\(bounds.description)"
    case .number: "a number\(bounds.description)"
    case .bool: "true or false"
    case .string: "a text"
    case .object: "an object"
    case .choice(let words): "one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .list(let element):
      "a list of \(element.plural)\(bounds.description)"
        + (bounds.leastCount > 0 ? ", at least \(bounds.leastCount)" : "")
    case .entries: "a list of objects" + (bounds.upper.map { ", at most \(shortest($0))" } ?? "")
    case .optional(let kind): kind.expectation(bounds) + " or null"
    }
  }

  private var plural: String {
    switch self {
    case .integer: "whole numbers"
    case .number: "numbers"
    case .bool: "truth values"
    case .string: "texts"
    case .object, .entries: "objects"
    case .choice(let words): "words of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .list(let element): "lists of \(element.plural)"
    case .optional(let kind): kind.plural
    }
  }
}

extension Int: ParameterType {
  public static var kind: ParameterKind { .integer }
  public init?(_ value: ParameterValue, _ bounds: Bounds) {
    guard case .number(let text) = value else { return nil }
    let exact = Int(text) ?? Double(text).flatMap { Int(exactly: $0) }
    guard let exact, bounds.contains(Double(exact)) else { return nil }
    self = exact
  }
  public var parameterValue: ParameterValue { .number(String(self)) }
}

extension Float: ParameterType {
  public static var kind: ParameterKind { .number }
  public init?(_ value: ParameterValue, _ bounds: Bounds) {
    guard let double = Double(value, bounds), bounds.contains(stored: Float(double)) else { return nil }
    self = Float(double)
  }
  public var parameterValue: ParameterValue { .number(shortestText(String(self))) }
}

extension Double: ParameterType {
  public static var kind: ParameterKind { .number }
  public init?(_ value: ParameterValue, _ bounds: Bounds) {
    guard case .number(let text) = value, let x = Double(text), x.isFinite, bounds.contains(x) else { return nil }
    self = x
  }
  public var parameterValue: ParameterValue { .number(shortestText(String(self))) }
}

/// Without a needless `.0`.
private func shortestText(_ text: String) -> String {
  text.utf8.suffix(2).elementsEqual(".0".utf8) ? String(text.dropLast(2)) : text
}

extension Bool: ParameterType {
  public static var kind: ParameterKind { .bool }
  public init?(_ value: ParameterValue, _ bounds: Bounds) {
    guard case .bool(let flag) = value else { return nil }
    self = flag
  }
  public var parameterValue: ParameterValue { .bool(self) }
}

extension String: ParameterType {
  public static var kind: ParameterKind { .string }
  public init?(_ value: ParameterValue, _ bounds: Bounds) {
    guard case .string(let text) = value else { return nil }
    self = text
  }
  public var parameterValue: ParameterValue { .string(self) }
}

/// An object whose members a parameter does not declare, as canonical JSON: whoever uses it reads them.
public struct ObjectText: ParameterType {
  public let text: String

  /// - Parameter text: canonical JSON of an object.
  public init(_ text: String = "{}") { self.text = text }

  public static var kind: ParameterKind { .object }
  public init?(_ value: ParameterValue, _ bounds: Bounds) {
    guard case .object(let text) = value else { return nil }
    self.text = text
  }
  public var parameterValue: ParameterValue { .object(text) }
}

extension Array: ParameterType where Element: ParameterType {
  public static var kind: ParameterKind { .list(Element.kind) }
  public init?(_ value: ParameterValue, _ bounds: Bounds) {
    guard case .list(let values) = value, values.count >= bounds.leastCount else { return nil }
    var elements: [Element] = []
    for value in values {
      guard let element = Element(value, bounds) else { return nil }
      elements.append(element)
    }
    self = elements
  }
  public var parameterValue: ParameterValue { .list(map(\.parameterValue)) }
}

extension Optional: ParameterType where Wrapped: ParameterType {
  public static var kind: ParameterKind { .optional(Wrapped.kind) }
  public init?(_ value: ParameterValue, _ bounds: Bounds) {
    if case .null = value {
      self = .none
    } else if let wrapped = Wrapped(value, bounds) {
      self = .some(wrapped)
    } else {
      return nil
    }
  }
  public var parameterValue: ParameterValue { self?.parameterValue ?? .null }
}

/// A parameter that takes one of a few words. Conform a `String` enumeration; its raw values are the words in a file.
public protocol ParameterChoice: ParameterType, CaseIterable, RawRepresentable where RawValue == String {}

extension ParameterChoice {
  public static var kind: ParameterKind { .choice(allCases.map(\.rawValue)) }
  public init?(_ value: ParameterValue, _ bounds: Bounds) {
    guard case .string(let word) = value else { return nil }
    self.init(rawValue: word)
  }
  public var parameterValue: ParameterValue { .string(rawValue) }
}
