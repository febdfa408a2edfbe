import PalimpsestCore
import PalimpsestJSON

/// What a message adds where several values stand in the place of one.
enum ValueHints {
  /// `; to try several values: "sweep": {"grid": {"training.epochs": [1, 2]}}`, where each of them would do.
  static func several(_ value: JSONValue, at path: String, _ problem: (ParameterValue) -> String?) -> String {
    guard isSweepable(path), isList(value, problem) else { return "" }
    return "; to try several values: \"sweep\": {\"grid\": {\(quotedForMessage(path)): \(shown(value))}}"
  }

  /// True for a list whose every element is a value that the parameter takes.
  static func isList(_ value: JSONValue, _ problem: (ParameterValue) -> String?) -> Bool {
    guard let elements = value.array, !elements.isEmpty else { return false }
    return elements.allSatisfy { problem($0.parameterValue) == nil }
  }

  /// A path that stands among the keys of a block: `; put it under "grid": {"grid": {"training.epochs": [1, 2]}}`.
  static func path(_ path: String, _ value: JSONValue) -> String? {
    guard isSweepable(path) else { return nil }
    let key = value.array != nil ? "grid" : value.object != nil ? "random" : "set"
    let entry = "{\(quotedForMessage(path)): \(shown(value))}"
    let block = key == "random" ? "{\"samples\": 10, \"space\": \(entry)}" : entry
    return "; a path goes under \"\(key)\": {\"\(key)\": \(block)}"
  }

  private static let roots = ["scenarios", "strategies", "model", "training", "evaluation"]

  /// Labels with dots in them cannot stand in a path.
  private static func isSweepable(_ path: String) -> Bool {
    let pieces = path.split(separator: ".", omittingEmptySubsequences: false)
    return pieces.count > 1 && pieces.count <= 4 && roots.contains(String(pieces[0]))
  }

  private static func shown(_ value: JSONValue) -> String {
    let text = spaced(value)
    return text.count <= 60 ? text : value.array != nil ? "[…]" : "…"
  }

  private static func spaced(_ value: JSONValue) -> String {
    guard let elements = value.array, elements.count <= 30 else { return value.compactText }
    return "[" + elements.map(\.compactText).joined(separator: ", ") + "]"
  }
}
