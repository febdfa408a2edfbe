import PalimpsestCore
import PalimpsestJSON

/// What a file says of where runs are done.
extension ExperimentReader {
  /// - Parameter path: of the block; empty where it is a file of its own.
  mutating func execution(_ value: JSONValue?, _ path: String = "execution") -> Component {
    guard let value else { return Component() }
    var component = settings(ExecutionSettings.self, value, path)
    for (name, problem) in ExecutionTexts.rules {
      guard case .string(let text) = component.given[name], let expected = problem(text) else { continue }
      report(
        value.nearest(to: name), join(path, name), "expected \(expected), found \(ParameterValue.string(text).found)")
      component.given[name] = nil
    }
    for (index, option) in (value["slurm"]?["extra"]?.array ?? []).enumerated() {
      guard let text = option.string, let expected = ExecutionTexts.option(text) else { continue }
      report(option, join(path, "slurm.extra.\(index)"), "expected \(expected), found \(option.shown)")
    }
    return component
  }
}

/// The settings of a file of its own: `--profile ourcluster.json`, with what the block `execution` of an experiment may hold.
public struct ExecutionProfile: Sendable {
  /// What it sets.
  public let given: Component

  /// - Throws: ``PalimpsestJSON/Problems`` with everything that is wrong, each with its place.
  public init(_ bytes: [UInt8], file: String) throws(Problems) {
    var reader = ExperimentReader(JSONReader.read(bytes, file: file), .standard)
    given = reader.profile()
    try Problems(reader.problems).throwIfAny()
  }
}

extension ExperimentReader {
  fileprivate mutating func profile() -> Component {
    guard let root = document.root else { return Component() }
    guard let object = root.object else {
      report(root, "", "expected an object with settings of \"execution\", found \(root.shown)")
      return Component()
    }
    if let inner = object["execution"], object.count == 1 { return execution(inner) }
    return execution(root, "")
  }
}

extension ExecutionSettings {
  /// What an experiment says, changed by a profile and by the command line, each over the one before.
  /// - Throws: ``PalimpsestSettings/ParameterError`` for a value that its declaration does not allow.
  public init(_ layers: [Component]) throws {
    try self.init(settings: layers.reduce(into: [:]) { all, layer in all.merge(layer.given) { $1 } })
  }
}
