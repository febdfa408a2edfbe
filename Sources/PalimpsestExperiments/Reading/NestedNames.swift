import OrderedCollections
import PalimpsestCore
import PalimpsestJSON

/// The keys of an object of settings: parameters, lists of objects, and objects of nested ones.
struct NestedNames {
  /// Keys with a value.
  private(set) var values: OrderedSet<String> = []
  /// Keys with an object.
  private(set) var objects: OrderedSet<String> = []
  /// Keys with a list of objects.
  private(set) var lists: OrderedSet<String> = []

  var keys: [String] { Array(values) + Array(objects) + Array(lists) }

  /// - Parameter prefix: path of the object, with a dot at its end; empty for a part's own.
  init(_ type: any Configurable.Type, under prefix: String = "") {
    for parameter in ParameterTable.of(type).declarations(under: prefix) {
      let path = parameter.name.dropFirst(prefix.count).split(separator: ".", maxSplits: 1)
      if path.count > 1 {
        objects.append(String(path[0]))
      } else if case .entries = parameter.kind {
        lists.append(String(path[0]))
      } else {
        values.append(String(path[0]))
      }
    }
  }
}

extension JSONValue {
  /// What stands at a path such as `tasks.by` or `events.0.day`; where nothing does, what it would stand in.
  func nearest(to path: String) -> JSONValue {
    var value = self
    for piece in path.split(separator: ".") {
      guard let member = value.array == nil ? value[String(piece)] : Int(piece).flatMap({ value[$0] }) else { break }
      value = member
    }
    return value
  }
}

extension Experiment {
  /// Something wrong with a parameter of a scenario that its data alone show, at its place in the experiment's text: that of the parameter where it stands
  /// there, else that of its scenario.
  package func problem(ofScenario label: String, parameter: String, _ message: String, file: String) -> Problem {
    let document = JSONReader.read(Array(text.utf8), file: file)
    let path = "scenarios.\(label).\(parameter)"
    guard let scenario = document.root?["scenarios"]?[label] else {
      return Problem(file: file, place: nil, path: path, message: message)
    }
    return document.source.problem(
      at: scenario.nearest(to: parameter).offset, path: path, message)
  }
}
