import PalimpsestCore
import PalimpsestJSON

/// Reads the blocks of a sweep.
extension ExperimentReader {
  static let blockKeys = ["set", "grid", "zip", "random", "cases"]

  /// - Parameters:
  ///   - value: the block; nil is the empty block.
  ///   - path: where it stands: `sweep`.
  ///   - experiment: what its paths point into.
  mutating func sweepBlock(_ value: JSONValue?, _ path: String, _ experiment: Experiment) -> SweepBlock {
    value.map { block($0, path, experiment, outside: [:]) } ?? SweepBlock()
  }

  /// - Parameter outside: what the grids, zips and draws of the blocks around it step through.
  private mutating func block(
    _ value: JSONValue, _ path: String, _ experiment: Experiment, outside: [SettingTarget: String]
  ) -> SweepBlock {
    guard let object = value.object else {
      report(value, path, "expected an object such as {\"grid\": {…}}, found \(value.shown)")
      return SweepBlock()
    }
    checkKeys(object, ExperimentReader.blockKeys, path)
    var scope = SweepScope(experiment, outside)
    var factors: [SweepFactor] = []
    if let set = object["set"] { factors += setFactor(set, path + ".set", &scope) }
    if let grid = object["grid"] { factors += gridFactors(grid, path + ".grid", &scope) }
    if let zip = object["zip"] { factors += zipFactor(zip, path + ".zip", &scope) }
    if let random = object["random"] { factors += randomFactor(random, path + ".random", &scope) }
    let cases = object["cases"].map { blocks($0, path + ".cases", experiment, outside: scope.stepped) }
    return SweepBlock(factors, cases: cases ?? [])
  }

  private mutating func blocks(
    _ value: JSONValue, _ path: String, _ experiment: Experiment, outside: [SettingTarget: String]
  ) -> [SweepBlock] {
    guard let elements = value.array, !elements.isEmpty else {
      report(value, path, "expected a list of at least one block, such as [{\"set\": {…}}], found \(value.shown)")
      return []
    }
    return elements.enumerated().map { block($1, "\(path)[\($0)]", experiment, outside: outside) }
  }

  // MARK: - Factors

  /// {path: value}: one step.
  private mutating func setFactor(_ value: JSONValue, _ place: String, _ scope: inout SweepScope) -> [SweepFactor] {
    let settings = entries(value, place, "values", &scope, isStepped: false) { reader, entry in
      reader.check(entry.value, entry, entry.place, "; to try several values, put the path under \"grid\"")
      return .listed([entry.value.parameterValue])
    }
    return settings.isEmpty ? [] : [SweepFactor(count: 1, isSet: true, settings)]
  }

  /// {path: [values]}: each path a factor of its own.
  private mutating func gridFactors(_ value: JSONValue, _ place: String, _ scope: inout SweepScope) -> [SweepFactor] {
    lists(value, place, &scope).map { SweepFactor(count: $0.values.count, [$0.setting]) }
  }

  /// {path: [values]}: all paths step together.
  private mutating func zipFactor(_ value: JSONValue, _ place: String, _ scope: inout SweepScope) -> [SweepFactor] {
    let lists = lists(value, place, &scope)
    guard let first = lists.first else { return [] }
    for other in lists where other.values.count != first.values.count {
      let counts = "\(other.values.count) \(other.values.count == 1 ? "value" : "values")"
      report(
        other.value, "\(place).\"\(other.setting.path)\"",
        "\(counts), but \"\(first.setting.path)\" has \(first.values.count); they step together")
    }
    return [SweepFactor(count: first.values.count, lists.map(\.setting))]
  }

  /// One path with its list of values.
  private struct ListedSetting {
    let setting: SweptSetting
    let value: JSONValue
    let values: [JSONValue]
  }

  private mutating func lists(_ value: JSONValue, _ place: String, _ scope: inout SweepScope) -> [ListedSetting] {
    var lists: [ListedSetting] = []
    _ = entries(value, place, "lists of values", &scope, isStepped: true) { reader, entry in
      guard let values = entry.value.array, !values.isEmpty else {
        reader.report(entry.value, entry.place, "expected a list of at least one value, found \(entry.value.shown)")
        return nil
      }
      for (index, value) in values.enumerated() { reader.check(value, entry, "\(entry.place)[\(index)]") }
      let result = SweptValues.listed(values.map(\.parameterValue))
      let setting = SweptSetting(path: entry.path, targets: entry.targets, values: result)
      lists.append(ListedSetting(setting: setting, value: entry.value, values: values))
      return result
    }
    return lists
  }

  // MARK: - Paths

  /// Reads an object of paths: the parameters each one names, and what `read` makes of its value.
  /// - Parameters:
  ///   - wanted: what stands beside the paths, for the message.
  ///   - isStepped: the values vary, so that no inner block may set the parameters again.
  mutating func entries(
    _ value: JSONValue, _ place: String, _ wanted: String, _ scope: inout SweepScope, isStepped: Bool,
    _ read: (inout ExperimentReader, SweepEntry) -> SweptValues?
  ) -> [SweptSetting] {
    guard let object = value.object else {
      report(value, place, "expected an object of paths and \(wanted), found \(value.shown)")
      return []
    }
    var settings: [SweptSetting] = []
    for (path, member) in object.members {
      guard let entry = entry(path, member, place, scope.experiment) else { continue }
      if let conflict = scope.claim(entry, isStepped: isStepped) { report(path, member, place, conflict) }
      guard let values = read(&self, entry) else { continue }
      settings.append(SweptSetting(path: path, targets: entry.targets, values: values))
    }
    return settings
  }

  private mutating func entry(
    _ path: String, _ member: JSONObject.Member, _ place: String, _ experiment: Experiment
  ) -> SweepEntry? {
    do {
      return SweepEntry(
        path: path, place: "\(place).\"\(path)\"",
        targets: try SettingPath(path, experiment.catalog).targets(in: experiment),
        value: member.value, experiment: experiment)
    } catch {
      report(path, member, place, error.message)
      return nil
    }
  }

  /// Reports a path, at its key.
  private mutating func report(_ path: String, _ member: JSONObject.Member, _ place: String, _ message: String) {
    problems.append(document.source.problem(at: member.keyOffset, path: place, "\"\(path)\": \(message)"))
  }

  /// Reports a value that a parameter of the entry cannot take.
  /// - Parameter several: what is added of a list whose elements would do.
  mutating func check(_ value: JSONValue, _ entry: SweepEntry, _ place: String, _ several: String = "") {
    guard let problem = entry.problem(value.parameterValue) else { return }
    report(value, place, problem + (ValueHints.isList(value, entry.problem) ? several : ""))
  }
}

/// One path of a block as it is read.
struct SweepEntry {
  let path: String
  /// Where it stands: `sweep.grid."training.epochs"`.
  let place: String
  let targets: [SettingTarget]
  let value: JSONValue
  let experiment: Experiment

  /// What is wrong with a value for any of the parameters; nil where nothing is.
  func problem(_ value: ParameterValue) -> String? {
    targets.lazy.compactMap { experiment.problem($0, value) }.first
  }
}

/// Which parameters a block and those around it set: one parameter has one place that says its value.
struct SweepScope {
  let experiment: Experiment
  private var own: [SettingTarget: String] = [:]
  /// What this block and those around it step through, with its place.
  private(set) var stepped: [SettingTarget: String]

  init(_ experiment: Experiment, _ outside: [SettingTarget: String]) {
    self.experiment = experiment
    stepped = outside
  }

  /// Takes the parameters of an entry.
  /// - Returns: what is wrong where one is taken already. A `set` of a block around this one may be overridden.
  mutating func claim(_ entry: SweepEntry, isStepped: Bool) -> String? {
    let taken = entry.targets.lazy.compactMap { [own, stepped] target in
      (own[target] ?? stepped[target]).map { "\($0) sets \(target.path) already; keep one of them" }
    }.first
    for target in entry.targets {
      own[target] = entry.place
      if isStepped { stepped[target] = entry.place }
    }
    return taken
  }
}
