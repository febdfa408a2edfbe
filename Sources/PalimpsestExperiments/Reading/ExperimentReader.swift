import PalimpsestCore
import PalimpsestJSON

extension Experiment {
  /// Reads an experiment file's text.
  /// - Throws: ``PalimpsestJSON/Problems``: everything that is wrong, each with its place.
  public static func read(_ bytes: [UInt8], file: String, catalog: Catalog = .standard) throws(Problems) -> Experiment {
    try Problems(catalog.problems.map { Problem(file: file, place: nil, message: $0) }).throwIfAny()
    var reader = ExperimentReader(JSONReader.read(bytes, file: file), catalog)
    let experiment = reader.experiment()
    try Problems(reader.problems).throwIfAny()
    guard let experiment else { throw Problems([Problem(file: file, place: nil, message: "expected an experiment")]) }
    return experiment
  }

  public static func read(_ text: String, file: String, catalog: Catalog = .standard) throws(Problems) -> Experiment {
    try read(Array(text.utf8), file: file, catalog: catalog)
  }
}

/// Turns the tree of an experiment file into an ``Experiment`` and collects every problem on the way.
struct ExperimentReader {
  static let keys = [
    "$schema", "format", "name", "question", "scenarios", "model", "training", "strategies", "evaluation", "stream",
    "personal", "policies", "safeguards", "seeds", "select", "sweep", "output", "execution",
  ]
  /// File names have 255 at most, endings included.
  static let mostNameBytes = Label.mostCharacters
  /// More seeds than that are a slip of the hand, and a list of them might not fit into memory.
  static let mostSeeds = 1_000_000
  /// A range begins here at most, so that its end is a seed as well.
  static let largestFirstSeed = Int.max - mostSeeds
  /// More runs than that are a slip of the hand too.
  static let mostRuns = 10_000_000

  let document: JSONDocument
  let catalog: Catalog
  /// In the order they were met.
  var problems: [Problem]

  init(_ document: JSONDocument, _ catalog: Catalog) {
    self.document = document
    self.catalog = catalog
    problems = Array(document.problems)
  }

  mutating func experiment() -> Experiment? {
    guard let root = document.root else { return nil }
    guard let object = root.object else {
      report(root, "", "expected an object with the experiment, found \(root.shown)")
      return nil
    }
    checkKeys(object, ExperimentReader.keys, "")
    checkFormat(object["format"])
    let training = trainingSettings(object["training"])
    var experiment = Experiment(
      name: name(object["name"], root), question: text(object["question"], "question"),
      text: String(decoding: document.source.bytes, as: UTF8.self),
      scenarios: scenarios(object["scenarios"], root), strategies: strategies(object["strategies"], root),
      model: settings(ModelSettings.self, object["model"], "model"), training: training.0, optimizer: training.1,
      evaluation: settings(EvaluationSettings.self, object["evaluation"], "evaluation"),
      stream: object["stream"].map { settings(StreamSettings.self, $0, "stream") },
      personal: personal(object), seeds: seeds(object["seeds"]), sweep: SweepBlock(), catalog: catalog)
    let output = settings(OutputSettings.self, object["output"], "output")
    experiment.outputSettings = (try? OutputSettings(settings: output.given)) ?? OutputSettings()
    experiment.execution = execution(object["execution"])
    experiment.sweep = sweepBlock(object["sweep"], "sweep", experiment)
    experiment.select = select(object["select"], experiment)
    checkScenarios(of: experiment, object["scenarios"])
    checkStream(of: experiment, root)
    if let problem = experiment.sizeProblem {
      report(object["sweep"] ?? root, object["sweep"] == nil ? "" : "sweep", problem)
    }
    return experiment
  }

  // MARK: - Problems

  mutating func report(_ value: JSONValue, _ path: String, _ message: String) {
    problems.append(document.source.problem(at: value.offset, path: path, message))
  }

  /// Reports a key at its place.
  mutating func report(keyOf key: String, in object: JSONObject, _ path: String, _ message: String) {
    problems.append(document.source.problem(at: object.keyOffset(of: key), path: path, message))
  }

  mutating func checkKeys(_ object: JSONObject, _ known: [String], _ path: String) {
    for (key, member) in object.members where !known.contains(key) {
      let hint = isHelpful ? ValueHints.path(key, member.value) ?? hints.hint(key, among: known) : ""
      report(keyOf: key, in: object, join(path, key), "unknown key" + hint)
    }
  }

  var hints: KeyHints { KeyHints(catalog: catalog) }

  /// False where there are so many problems that nobody would see a guess at what was meant.
  var isHelpful: Bool { problems.count < 10 * Problems.mostShown }

  func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : path + "." + key }

  // MARK: - The simple entries

  private mutating func checkFormat(_ value: JSONValue?) {
    guard let value, value.int != 1 else { return }
    report(value, "format", "expected 1, the only format there is, found \(value.shown)")
  }

  private mutating func name(_ value: JSONValue?, _ root: JSONValue) -> String {
    guard let value else {
      report(root, "", "\"name\" is missing: a short name for the experiment")
      return ""
    }
    if let problem = ExperimentReader.nameProblem(value) { report(value, "name", problem) }
    return value.string ?? ""
  }

  /// What is wrong with an experiment's name; nil where nothing is.
  static func nameProblem(_ value: JSONValue) -> String? {
    let name = value.string ?? ""
    let isGood = !name.isEmpty && name.allSatisfy { $0.isLetter || $0.isNumber || "-_.".contains($0) }
    guard isGood, name.firstHiddenScalar == nil else {
      return "expected a name of letters, digits, \"-\", \"_\" and \".\", found \(value.shown)"
    }
    guard name.utf8.count > mostNameBytes else { return nil }
    return "a name becomes the name of files and has at most \(mostNameBytes) bytes, this one has \(name.utf8.count)"
  }

  private mutating func text(_ value: JSONValue?, _ path: String) -> String {
    guard let value else { return "" }
    guard let text = value.string else {
      report(value, path, "expected a text, found \(value.shown)")
      return ""
    }
    return text
  }

  // MARK: - Settings

  /// Reads settings without a name of their own.
  mutating func settings<T: Configurable>(_ type: T.Type, _ value: JSONValue?, _ path: String) -> Component {
    guard let value else { return Component() }
    guard let object = value.object else {
      report(value, path, "expected an object, found \(value.shown)")
      return Component()
    }
    return Component(given: given(type, object, path, besides: []))
  }

  private mutating func trainingSettings(_ value: JSONValue?) -> (Component, Component) {
    let standard = Component(name: Adam.name)
    guard let value else { return (Component(), standard) }
    guard let object = value.object else {
      report(value, "training", "expected an object, found \(value.shown)")
      return (Component(), standard)
    }
    let training = given(TrainingSettings.self, object, "training", besides: ["optimizer"])
    let optimizer = object["optimizer"].flatMap { component($0, "training.optimizer", "optimizer", catalog.optimizers) }
    return (Component(given: training), optimizer ?? standard)
  }

  /// Checks every member of an object against a declaration and keeps the good ones.
  /// - Parameter prefix: what the names of nested parameters begin with: `tasks.`.
  mutating func given<T: Configurable>(
    _ type: T.Type, _ object: JSONObject, _ path: String, besides: [String], prefix: String = ""
  ) -> [String: ParameterValue] {
    let declared = NestedNames(type, under: prefix)
    checkKeys(object, declared.keys + besides, path)
    var given: [String: ParameterValue] = [:]
    for (key, member) in object.members {
      let (name, place) = (prefix + key, join(path, key))
      if declared.objects.contains(key) {
        guard let nested = member.value.object else {
          report(member.value, place, "expected an object, found \(member.value.shown)")
          continue
        }
        given.merge(self.given(type, nested, place, besides: [], prefix: name + ".")) { $1 }
      } else if declared.lists.contains(key) {
        given.merge(entries(type, member.value, place, name)) { $1 }
      } else if declared.values.contains(key) {
        let value = member.value.parameterValue
        if let problem = type.problem(name, value) {
          report(member.value, place, problem + ValueHints.several(member.value, at: place) { type.problem(name, $0) })
        } else {
          given[name] = value
        }
      }
    }
    return given
  }

  /// Checks a list of objects and keeps its length with the good settings of each.
  private mutating func entries<T: Configurable>(
    _ type: T.Type, _ value: JSONValue, _ place: String, _ name: String
  ) -> [String: ParameterValue] {
    let count = value.array.map { ParameterValue.number(String($0.count)) }
    guard let elements = value.array, let count, type.problem(name, count) == nil else {
      let expected = ParameterTable.of(type).declaration(name)?.expectation ?? ""
      report(value, place, "expected \(expected), found \(value.array.map { "a list of \($0.count)" } ?? value.shown)")
      return [:]
    }
    var given = [name: count]
    for (index, element) in elements.enumerated() {
      guard let object = element.object else {
        report(element, "\(place).\(index)", "expected an object, found \(element.shown)")
        continue
      }
      given.merge(
        self.given(type, object, "\(place).\(index)", besides: [], prefix: "\(name).\(index).")
      ) { $1 }
    }
    return given
  }
}

extension Experiment {
  /// What is wrong with the number of runs; nil where nothing is.
  var sizeProblem: String? {
    guard runCount > ExperimentReader.mostRuns else { return nil }
    return "scenarios × strategies × sweep × seeds are more than \(ExperimentReader.mostRuns) runs"
  }
}
