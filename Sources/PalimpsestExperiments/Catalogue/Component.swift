import OrderedCollections
import PalimpsestCore
import PalimpsestJSON

/// One configurable thing of an experiment with the values it was given: a scenario, a part, an optimiser, or settings.
public struct Component: Sendable, Hashable {
  /// The part's name; empty for settings.
  public let name: String
  /// What stands in the file or was set by a sweep.
  public var given: [String: ParameterValue]

  public init(name: String = "", given: [String: ParameterValue] = [:]) {
    self.name = name
    self.given = given
  }

  /// How many entries a list of objects has that was given.
  func entries(of list: String) -> Int { given[list].flatMap { Int($0, .any) } ?? 0 }
}

extension ParameterKind {
  /// The settings of an entry of a list of objects; none for any other kind.
  var fields: [ParameterDeclaration] {
    if case .entries(let fields) = self { fields } else { [] }
  }
}

extension Configurable {
  /// Checks one value against its declaration.
  /// - Returns: what is wrong, such as `expected a number ≥ 0, found "high"`; nil where nothing is.
  static func problem(_ name: String, _ value: ParameterValue) -> String? {
    do {
      _ = try ParameterTable.of(Self.self).typed(name, value)
      return nil
    } catch {
      return "expected \(error.expected), found \(error.found)"
    }
  }
}

/// All values of a component as JSON, typed by their declaration: `1e3` and `1000` are the same step count.
package func resolved(_ value: some Configurable) -> JSONObject {
  JSONObject(value.parameters.map { ($0.name, JSONValue(parameter: $0.value)) })
}

extension JSONValue {
  package init(parameter value: ParameterValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self.init(flag)
    case .number(let text): self.init(Content.number(text))
    case .string(let text): self.init(text)
    case .list(let values): self.init(values.map { JSONValue(parameter: $0) })
    case .object(let text): self = (try? JSONReader.read(text, file: "").value()) ?? .null
    }
  }

  /// What a parameter is read from.
  package var parameterValue: ParameterValue {
    switch content {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let text): .number(text)
    case .string(let text): .string(text)
    case .array(let values): .list(values.map(\.parameterValue))
    case .object: .object(canonicalText)
    }
  }
}
