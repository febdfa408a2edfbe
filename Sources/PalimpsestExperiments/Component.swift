import OrderedCollections
import PalimpsestCore

/// One configurable thing of an experiment with the values it was given: a scenario, a part, an optimiser, or settings.
public struct Component: Sendable, Equatable {
  /// The part's name; empty for settings.
  public let name: String
  /// What stands in the file or was set by a sweep.
  public var given: [String: ParameterValue]

  public init(name: String = "", given: [String: ParameterValue] = [:]) {
    self.name = name
    self.given = given
  }
}

extension Configurable {
  /// Checks one value against its declaration.
  /// - Returns: what is wrong, such as `expected a number ≥ 0, found "high"`; nil where nothing is.
  static func problem(_ name: String, _ value: ParameterValue) -> String? {
    do {
      _ = try Self(settings: [name: value])
      return nil
    } catch let error as ParameterError {
      return "expected \(error.expected), found \(error.found)"
    } catch {
      return String(describing: error)
    }
  }
}

/// Values that differ from the default (for identity), or all of them (for the record), typed by their declaration:
/// `1e3` and `1000` are the same step count.
func resolved(_ value: some Configurable, includingDefaults: Bool) -> JSONObject {
  let defaults = type(of: value).declaredParameters
  var object = JSONObject()
  for (parameter, standard) in zip(value.parameters, defaults)
  where includingDefaults || parameter.value != standard.value {
    object[parameter.name] = JSONValue(parameter: parameter.value)
  }
  return object
}

extension JSONValue {
  init(parameter value: ParameterValue) {
    switch value {
    case .null: self = .null
    case .bool(let flag): self.init(flag)
    case .number(let text): self.init(Content.number(text))
    case .string(let text): self.init(text)
    case .list(let values): self.init(values.map { JSONValue(parameter: $0) })
    case .other: self = .null
    }
  }

  /// What a parameter is read from.
  var parameterValue: ParameterValue {
    switch content {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .number(let text): .number(text)
    case .string(let text): .string(text)
    case .array(let values): .list(values.map(\.parameterValue))
    case .object: .other("an object")
    }
  }
}
