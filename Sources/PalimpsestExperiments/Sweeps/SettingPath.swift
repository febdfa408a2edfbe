import OrderedCollections
import PalimpsestCore
import PalimpsestJSON

/// A path such as `strategies.ewc.ewc.strength`, with `*` for any label.
struct SettingPath {
  struct Problem: Error {
    let message: String
  }

  let path: String
  let pieces: [String]
  /// What the names in it may be.
  private let catalog: Catalog

  init(_ path: String, _ catalog: Catalog) {
    self.path = path
    self.catalog = catalog
    pieces = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// - Parameter count: pieces of the form expected; where there are more, a label may have dots.
  private func wrongLength(_ form: String, _ count: Int) -> Problem {
    let advice = pieces.count > count ? ". A label with a dot in it cannot stand in a path: rename it" : ""
    return Problem(message: "expected \"\(form)\"" + advice)
  }

  /// The parameters the path names.
  func targets(in experiment: Experiment) throws(Problem) -> [SettingTarget] {
    let targets = try declaredTargets(in: experiment)
    let present = targets.filter { experiment.lacksEntry($0) == nil }
    if pieces[1] == "*", !present.isEmpty { return present }
    if let problem = targets.lazy.compactMap({ experiment.lacksEntry($0) }).first { throw Problem(message: problem) }
    return targets
  }

  private func declaredTargets(in experiment: Experiment) throws(Problem) -> [SettingTarget] {
    switch pieces.first {
    case "model": try plain(ModelSettings.self).map(SettingTarget.model)
    case "evaluation": try plain(EvaluationSettings.self).map(SettingTarget.evaluation)
    case "training": try training(experiment)
    case "stream": try stream(experiment)
    case "scenarios": try scenarios(experiment)
    case "strategies": try strategies(experiment)
    case "personal": try personal(experiment)
    case "policies": try labelled(experiment.personal?.policies, "policy", catalog.policies, SettingTarget.policy)
    case "safeguards":
      try labelled(experiment.personal?.safeguards, "safeguard", catalog.safeguards, SettingTarget.safeguard)
    default:
      throw Problem(
        message:
          "a path begins with \"scenarios\", \"strategies\", \"model\", \"training\", \"stream\", \"personal\", "
          + "\"policies\", \"safeguards\" or \"evaluation\"")
    }
  }

  private func plain(_ type: any Configurable.Type) throws(Problem) -> [String] {
    let key = parameter(from: 1)
    guard pieces.count == 2 || (pieces.count > 2 && hasMembers(key, type)) else {
      throw Problem(message: "expected \"\(pieces[0]).parameter\"")
    }
    return [try declared(key, type, pieces[0])]
  }

  /// The rest of the path: a nested parameter has dots in its name.
  private func parameter(from piece: Int) -> String { pieces.dropFirst(piece).joined(separator: ".") }

  /// A file of results has windows of one length.
  private func stream(_ experiment: Experiment) throws(Problem) -> [SettingTarget] {
    guard experiment.stream != nil else {
      throw Problem(message: "the experiment has no \"stream\": its runs go through tasks")
    }
    return try plain(StreamSettings.self).map(SettingTarget.stream)
  }

  private func personal(_ experiment: Experiment) throws(Problem) -> [SettingTarget] {
    guard experiment.personal != nil else { throw SettingPath.noPeople }
    return try plain(PersonalSettings.self).map(SettingTarget.personal)
  }

  private static let noPeople = Problem(
    message: "the experiment has no \"personal\": its runs do not go on with single people")

  /// Paths such as `policies.weekly.days`.
  private func labelled<T>(
    _ components: OrderedDictionary<String, Component>?, _ kind: String, _ types: OrderedDictionary<String, T>,
    _ target: (String, String) -> SettingTarget
  ) throws(Problem) -> [SettingTarget] {
    guard let components else { throw SettingPath.noPeople }
    let key = parameter(from: 2)
    let isNested = components.values.contains { hasMembers(key, $0.name, types) }
    guard pieces.count == 3 || (pieces.count > 3 && isNested) else {
      throw wrongLength("\(pieces[0]).label.parameter", 3)
    }
    var targets: [SettingTarget] = []
    for label in try matching(components.keys, kind) {
      guard let name = components[label]?.name, let type = types[name] as? any Configurable.Type else { continue }
      if pieces[1] == "*" && !has(key, type) { continue }
      targets.append(target(label, try declared(key, type, name)))
    }
    guard !targets.isEmpty else { throw Problem(message: "no \(kind) has a parameter \"\(key)\"") }
    return targets
  }

  private func training(_ experiment: Experiment) throws(Problem) -> [SettingTarget] {
    if pieces == ["training", "optimizer"] { throw Problem(message: "expected \"training.optimizer.parameter\"") }
    guard pieces.count == 3, pieces[1] == "optimizer" else {
      return try plain(TrainingSettings.self).map(SettingTarget.training)
    }
    guard let type = experiment.catalog.optimizers[experiment.optimizer.name] else { return [] }
    return [.optimizer(try declared(pieces[2], type, experiment.optimizer.name))]
  }

  private func scenarios(_ experiment: Experiment) throws(Problem) -> [SettingTarget] {
    let key = parameter(from: 2)
    let isNested = experiment.scenarios.values.contains { hasMembers(key, $0.name, experiment.catalog.scenarios) }
    guard pieces.count == 3 || (pieces.count > 3 && isNested) else { throw wrongLength("scenarios.label.parameter", 3) }
    let labels = try matching(experiment.scenarios.keys, "scenario")
    var targets: [SettingTarget] = []
    for label in labels {
      guard let name = experiment.scenarios[label]?.name, let type = experiment.catalog.scenarios[name] else {
        continue
      }
      if pieces[1] == "*" && !has(key, type) { continue }
      targets.append(.scenario(label: label, try declared(key, type, name)))
    }
    guard !targets.isEmpty else { throw Problem(message: "no scenario has a parameter \"\(key)\"") }
    return targets
  }

  private func strategies(_ experiment: Experiment) throws(Problem) -> [SettingTarget] {
    let key = parameter(from: 3)
    let isNested = pieces.count > 4 && hasMembers(key, pieces[2], experiment.catalog.parts)
    guard pieces.count == 4 || isNested else { throw wrongLength("strategies.label.part.parameter", 4) }
    let labels = try matching(experiment.strategies.keys, "strategy")
    var targets: [SettingTarget] = []
    for label in labels {
      let names = (experiment.strategies[label] ?? []).map(\.name)
      guard names.contains(pieces[2]), let type = experiment.catalog.parts[pieces[2]] else {
        if pieces[1] == "*" { continue }
        throw Problem(
          message: "strategy \"\(label)\" holds no part \"\(pieces[2])\"" + suggestion(for: pieces[2], among: names))
      }
      targets.append(.strategy(label: label, part: pieces[2], try declared(key, type, pieces[2])))
    }
    guard !targets.isEmpty else { throw Problem(message: "no strategy holds a part \"\(pieces[2])\"") }
    return targets
  }

  private func matching(_ labels: OrderedSet<String>, _ kind: String) throws(Problem) -> [String] {
    if pieces[1] == "*" { return Array(labels) }
    guard labels.contains(pieces[1]) else {
      throw Problem(message: "no \(kind) is called \"\(pieces[1])\"" + suggestion(for: pieces[1], among: labels))
    }
    return [pieces[1]]
  }

  private var hints: KeyHints { KeyHints(catalog: catalog) }

  private func has(_ key: String, _ type: any Configurable.Type) -> Bool {
    ParameterTable.of(type).declaration(key) != nil
  }

  /// Whether a key with dots leads into an object or a list of the settings.
  private func hasMembers(_ key: String, _ type: any Configurable.Type) -> Bool {
    let names = NestedNames(type)
    return key.split(separator: ".").first.map { names.objects.union(names.lists).contains(String($0)) } ?? false
  }

  private func hasMembers<T>(_ key: String, _ name: String, _ types: OrderedDictionary<String, T>) -> Bool {
    (types[name] as? any Configurable.Type).map { hasMembers(key, $0) } ?? false
  }

  private func declared(_ key: String, _ type: any Configurable.Type, _ owner: String) throws(Problem) -> String {
    guard let declaration = ParameterTable.of(type).declaration(key) else {
      let prefix = EntryPath(key)?.prefix ?? ""
      let known = ParameterTable.of(type).declarations(under: prefix).map(\.name)
      throw Problem(message: "\"\(owner)\" has no parameter \"\(key)\"" + hints.hint(key, among: known))
    }
    if let field = declaration.kind.fields.first {
      throw Problem(
        message: "\"\(key)\" is a list of objects; name a setting of one of them, as in \"\(path).0.\(field.name)\"")
    }
    return key
  }
}
