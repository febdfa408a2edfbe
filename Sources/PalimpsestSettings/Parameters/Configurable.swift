/// Something whose settings are declared with ``Parameter``: a part, a scenario, the training settings.
///
/// The value made by `init()` holds the defaults and the declarations. A default never changes within a `revision`, because
/// values equal to it are left out of a run's identity. It is made once and copied, so all its properties are values.
public protocol Configurable: Codable, Sendable {
  init()
}

/// A set of parameters that several parts share; its parameters appear as if they were the part's own.
public protocol ParameterGroup: Configurable {}

/// A set of parameters that stand in an object of their own under the property's name: `"tasks": {"by": "column"}`. Everywhere
/// else such a parameter is called by its path, `tasks.by`.
public protocol NestedParameters: Configurable {}

/// One declared parameter, as messages, `describe` and the schema see it.
public struct ParameterDeclaration: Sendable, Equatable {
  public private(set) var name: String
  public let help: String
  public let kind: ParameterKind
  public let bounds: Bounds
  public let value: ParameterValue

  /// What the parameter may be: `a number ≥ 0`.
  public var expectation: String { kind.expectation(bounds) }

  /// The same under another name.
  public func named(_ name: String) -> ParameterDeclaration {
    var copy = self
    copy.name = name
    return copy
  }
}

extension Configurable {
  /// The parameters in order of declaration, with their values in this instance.
  public var parameters: [ParameterDeclaration] {
    foundParameters(in: self).map { $0.parameter.declaration($0.name) }
  }

  /// The defaults.
  public static var declaredParameters: [ParameterDeclaration] { ParameterTable.of(Self.self).declarations }

  /// A value with the given settings; what is not given keeps its default.
  ///
  /// - Parameter settings: names without a declaration are passed over (the reader of a file reports them).
  /// - Throws: ``ParameterError`` for the first value that its declaration does not allow.
  public init(settings: [String: ParameterValue]) throws {
    self = try ParameterDecoding.make(Self.self, settings)
  }
}

/// A value that the declaration of its parameter does not allow.
public struct ParameterError: Error, Sendable, CustomStringConvertible {
  public let parameter: String
  public let expected: String
  public let found: String

  public var description: String { "\(parameter): expected \(expected), found \(found)" }
}

/// What the reader needs of a ``Parameter`` whatever its value type.
protocol AnyParameter: Sendable {
  func declaration(_ name: String) -> ParameterDeclaration
  func reading(_ value: ParameterValue) -> Self?
  func typed(_ value: ParameterValue) -> ParameterValue?
  func found(_ value: ParameterValue) -> String
}

extension Parameter: AnyParameter {
  func declaration(_ name: String) -> ParameterDeclaration {
    ParameterDeclaration(
      name: name, help: help, kind: Value.kind, bounds: bounds, value: wrappedValue.parameterValue)
  }

  func reading(_ value: ParameterValue) -> Parameter? {
    guard let read = Value(value, bounds) else { return nil }
    var copy = self
    copy.wrappedValue = read
    return copy
  }

  func typed(_ value: ParameterValue) -> ParameterValue? { Value(value, bounds)?.parameterValue }

  func found(_ value: ParameterValue) -> String { Value.found(value, bounds).description }
}
