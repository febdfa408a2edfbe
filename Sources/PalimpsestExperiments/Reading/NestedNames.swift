import OrderedCollections
import PalimpsestCore
import PalimpsestJSON

/// The keys of an object of settings: parameters, and objects of nested ones.
struct NestedNames {
  /// Keys with a value.
  private(set) var values: OrderedSet<String> = []
  /// Keys with an object.
  private(set) var objects: OrderedSet<String> = []

  var keys: [String] { Array(values) + Array(objects) }

  /// - Parameter prefix: path of the object, with a dot at its end; empty for a part's own.
  init(_ type: any Configurable.Type, under prefix: String = "") {
    for parameter in type.declaredParameters where parameter.name.hasPrefix(prefix) {
      let path = parameter.name.dropFirst(prefix.count).split(separator: ".", maxSplits: 1)
      if path.count == 1 { values.append(String(path[0])) } else { objects.append(String(path[0])) }
    }
  }
}

extension JSONValue {
  /// What stands at a path such as `tasks.by`; nil where nothing does.
  func member(at path: String) -> JSONValue? {
    path.split(separator: ".").reduce(self) { $0?[String($1)] }
  }
}
