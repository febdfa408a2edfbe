import OrderedCollections
import PalimpsestCore
import PalimpsestJSON

/// What a message says of a key that is not known where it stands.
struct KeyHints {
  let catalog: Catalog

  /// `; did you mean "epochs"?`, else our name for it, else where it belongs, else the keys there are.
  func hint(_ key: String, among known: [String]) -> String {
    if let near = didYouMean(key, among: known) { return "; did you mean \(quotedForMessage(near))?" }
    let names = Synonyms.keys(for: key)
    if let name = names.first(where: known.contains) { return "; it is called \"\(name)\" here" }
    let places = ([key] + names).lazy.map { homes(of: $0) }.first { !$0.isEmpty } ?? []
    if !places.isEmpty { return "; it belongs to " + places.joined(separator: " or ") }
    let absent = Synonyms.absentKey(key).map { "; there is no \($0)" } ?? ""
    return absent + "; the keys here are " + list(known)
  }

  // MARK: - Where a key belongs

  /// Paths such as `training.epochs`, or the parts that have such a parameter.
  private func homes(of key: String) -> [String] {
    if key == "name" { return [] }
    let settings = top(key) + owners(key)
    return settings.isEmpty ? components(key) : settings
  }

  private func top(_ key: String) -> [String] {
    if key == "optimizer" { return ["training.optimizer"] }
    if ExperimentReader.blockKeys.contains(key) { return ["sweep.\(key)"] }
    return ExperimentReader.keys.contains(key) ? ["the top of the file, as \"\(key)\""] : []
  }

  private func owners(_ key: String) -> [String] {
    let optimizers = Array(catalog.optimizers.values) as [any Configurable.Type]
    let paths = KeyHints.settings.filter { $0.type.declares(key) }.map { "\($0.name).\(key)" }
    let isShared = !optimizers.isEmpty && optimizers.allSatisfy { $0.declares(key) }
    return paths + (isShared ? ["training.optimizer.\(key)"] : [])
  }

  private static let settings: [(name: String, type: any Configurable.Type)] = [
    ("model", ModelSettings.self), ("training", TrainingSettings.self), ("evaluation", EvaluationSettings.self),
    ("stream", StreamSettings.self), ("personal", PersonalSettings.self), ("output", OutputSettings.self),
    ("execution", ExecutionSettings.self),
  ]

  /// `the parts "reservoir", "ring", as "capacity"`.
  private func components(_ key: String) -> [String] {
    let kinds: [(String, [any Part.Type])] = [
      ("part", Array(catalog.parts.values)), ("scenario", Array(catalog.scenarios.values)),
      ("optimizer", Array(catalog.optimizers.values)), ("policy", Array(catalog.policies.values)),
      ("safeguard", Array(catalog.safeguards.values)),
    ]
    return kinds.compactMap { kind, types in
      let names = types.filter { $0.declares(key) }.map { $0.name }
      let several = kind == "policy" ? "policies" : kind + "s"
      return names.isEmpty ? nil : "the \(names.count == 1 ? kind : several) \(list(names)), as \"\(key)\""
    }
  }
}

extension Catalog {
  /// Everything it has.
  fileprivate var types: [any Part.Type] {
    Array(scenarios.values) as [any Part.Type] + Array(parts.values) + Array(optimizers.values)
      + Array(policies.values) + Array(safeguards.values)
  }

  fileprivate func has(_ name: String) -> Bool { types.contains { $0.name == name } }
}

extension KeyHints {
  /// What a message says of a name that no part, scenario or optimiser has.
  func hint<Names: Sequence<String>>(name: String, _ kind: String, among known: Names) -> String {
    let names = Array(known)
    if let ours = Synonyms.component(for: name), names.contains(ours.name) { return KeyHints.called(ours) }
    if let method = absent(name) { return method }
    if let near = didYouMean(name, among: names) { return "; did you mean \(quotedForMessage(near))?" }
    if let other = home(of: name, besides: kind) { return "; it is \(other)" }
    return names.isEmpty ? "" : "; the \(kind == "policy" ? "policies" : kind + "s") are " + list(names)
  }

  private static func called(_ ours: (name: String, beside: String?)) -> String {
    "; it is called \"\(ours.name)\" here" + (ours.beside.map { ", with \($0)" } ?? "")
  }

  /// What is said of a word that is a method's name elsewhere; nil for other words.
  func absent(_ name: String) -> String? {
    if let ours = Synonyms.component(for: name), catalog.has(ours.name) { return KeyHints.called(ours) }
    if Synonyms.isFineTuning(name) { return "; plain fine-tuning is the empty list, []" }
    guard let method = Synonyms.absentMethod(name) else { return nil }
    let alike = catalog.types.filter { method.role.isPlayed(by: $0) }.map { $0.name }
    let others = alike.isEmpty ? "" : ". In its role (\(method.role.rawValue)) there are \(list(alike))"
    return "; \(method.title) is not there" + others
  }

  /// Where a name is known that is none of its kind: `an optimizer: training.optimizer`.
  private func home(of name: String, besides kind: String) -> String? {
    if kind != "scenario" && catalog.scenarios[name] != nil { return "a scenario and belongs to \"scenarios\"" }
    if kind != "part" && catalog.parts[name] != nil { return "a part and belongs to \"strategies\"" }
    if kind != "optimizer" && catalog.optimizers[name] != nil {
      return "an optimizer and belongs to training.optimizer"
    }
    if kind != "policy" && catalog.policies[name] != nil { return "a policy and belongs to \"policies\"" }
    if kind != "safeguard" && catalog.safeguards[name] != nil { return "a safeguard and belongs to \"safeguards\"" }
    return nil
  }

  private func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
}

extension Catalog {
  /// What a message says of a name that nothing has: what was meant, or where the names are.
  public func hint(unknown name: String) -> String {
    if let method = KeyHints(catalog: self).absent(name) { return method }
    if (ExperimentReader.keys + ["optimizer"]).contains(name) {
      return "; it is a key of experiment files, and docs/experiments.md describes it"
    }
    if let near = didYouMean(name, among: descriptions.map(\.name) + Array(parameterNames)) {
      return "; did you mean \(quotedForMessage(near))?"
    }
    if let key = Synonyms.keys(for: name).first(where: parameterNames.contains) {
      return "; it is called \"\(key)\" here"
    }
    return
      "; \"palimpsest list strategies\" has names, and so for scenarios, optimizers, policies, safeguards and metrics"
  }

  private var parameterNames: OrderedSet<String> { OrderedSet(descriptions.flatMap { $0.parameters.map(\.name) }) }
}

extension Configurable {
  fileprivate static func declares(_ key: String) -> Bool { ParameterTable.of(Self.self).declaration(key) != nil }
}
