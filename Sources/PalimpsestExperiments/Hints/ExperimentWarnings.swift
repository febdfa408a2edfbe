import PalimpsestCore
import PalimpsestDatasets
import PalimpsestJSON
import PalimpsestScenarios

/// Something in an experiment that is allowed and is hardly what is wanted.
public struct Warning: Sendable, Hashable {
  /// Where it stands, and what would be right.
  public let problem: Problem

  package init(problem: Problem) { self.problem = problem }

  /// `file:line:column: warning: path: message`.
  public var description: String {
    var words = problem
    words.path = ""
    words.message = "warning: " + [problem.path, problem.message].filter { !$0.isEmpty }.joined(separator: ": ")
    return words.description
  }
}

extension Experiment {
  /// What is allowed and is hardly what is wanted, in the order of the file: a data set that is not there, a single task, parts
  /// that cannot do anything in a scenario, training that cannot get anywhere.
  ///
  /// Settings alone are judged, and only those that no sweep changes: no data are read or made.
  /// - Parameters:
  ///   - file: the name of the file the experiment was read from.
  ///   - library: where data sets are looked for; nil: nowhere.
  public func warnings(file: String, library: DatasetFolder?) -> [Warning] {
    let document = JSONReader.read(text, file: file)
    let judge = ExperimentJudge(self, document)
    let found = scenarios.keys.flatMap { label -> [Problem] in
      let data = library.flatMap { judge.missingData(label, in: $0) }
      return [data, stream == nil ? judge.singleTask(label) : nil].compactMap { $0 }
    }
    let training = stream == nil ? [judge.shortTraining, judge.smallSteps].compactMap { $0 } : []
    let parts = PartsJudge(self, document).problems
    return Problems(found + parts + training).map { Warning(problem: $0) }
  }
}

extension Experiment {
  /// What sweep and trials set: nobody can say one value of it.
  var variedTargets: Set<SettingTarget> { sweep.targets.union(select?.over.targets ?? []) }

  /// The scenario of a label with its settings; nil where it has problems, which are told elsewhere.
  func settings(ofScenario label: String) -> (any Scenario)? {
    scenarios[label].flatMap { try? catalog.scenario($0) }
  }
}

extension Part {
  /// A setting that is a text; nil where it is none.
  func text(of name: String) -> String? {
    guard case .string(let text)? = parameters.first(where: { $0.name == name })?.value else { return nil }
    return text
  }
}

extension JSONDocument {
  /// - Parameter path: keys from the root on; the place is that of the innermost that is there.
  package func warning(_ path: [String], _ message: String) -> Problem {
    var value = root
    for key in path { value = value?[key] ?? value }
    return source.problem(at: value?.offset, path: path.joined(separator: "."), message)
  }
}

/// Looks at an experiment with its file in hand.
private struct ExperimentJudge {
  private let experiment: Experiment
  private let document: JSONDocument
  /// What sweep and trials set: nobody can say one value of it.
  private let varied: Set<SettingTarget>

  init(_ experiment: Experiment, _ document: JSONDocument) {
    self.experiment = experiment
    self.document = document
    varied = experiment.variedTargets
  }

  private func warning(_ path: [String], _ message: String) -> Problem { document.warning(path, message) }

  // MARK: - Data

  /// A scenario over a data set that no folder holds.
  func missingData(_ label: String, in library: DatasetFolder) -> Problem? {
    guard let scenario = scenario(label), !type(of: scenario).drawsTestRows,
      !varied.contains(.scenario(label: label, "dataset")),
      let name = scenario.text(of: "dataset"),
      library.location(of: name) == nil
    else { return nil }
    return warning(["scenarios", label, "dataset"], library.missing(name).description)
  }

  // MARK: - Tasks

  /// One task: nothing can be forgotten, and metrics that compare tasks are undefined.
  func singleTask(_ label: String) -> Problem? {
    let keys = ["tasks", "phases", "angles", "drawnTasks", "classes", "classesPerTask"]
    guard let scenario = scenario(label), !varied.contains(.training("tasks")),
      keys.allSatisfy({ !varied.contains(.scenario(label: label, $0)) })
    else { return nil }
    let message = "one task alone: nothing can be forgotten, and most metrics are undefined; take two tasks or more"
    if training?.tasks == 1 {
      return label == experiment.scenarios.keys.first ? warning(["training", "tasks"], message) : nil
    }
    return scenario.outline.tasks == 1 ? warning(["scenarios", label], message) : nil
  }

  // MARK: - Training

  /// Fewer steps a task than that are too few for any network to leave chance, at the rates that are usual.
  private static let fewSteps = 100
  /// Rate × steps below that moves no weight by more than about a thousandth.
  private static let shortWay: Double = 0.001

  /// Nobody said how long to train, and one pass is short.
  var shortTraining: Problem? {
    let given = experiment.training.given
    guard given["epochs"] == nil, given["steps"] == nil, let steps = mostSteps, steps < ExperimentJudge.fewSteps else {
      return nil
    }
    return warning(
      ["training"],
      "neither \"epochs\" nor \"steps\" is given, and one pass is at most \(steps) step\(steps == 1 ? "" : "s") a task: "
        + "little is learned and all strategies look alike; give \"epochs\" (such as 20) or \"steps\"")
  }

  /// The rate is so small that the steps there are lead nowhere.
  var smallSteps: Problem? {
    guard !experiment.catalog.optimizers.isEmpty,
      let optimizer = try? experiment.catalog.optimizer(experiment.optimizer),
      !varied.contains(.optimizer("rate")), !varied.contains(.optimizer("momentum")), let steps = mostSteps,
      let rate = number("rate", of: optimizer)
    else { return nil }
    let way = rate / (1 - (number("momentum", of: optimizer) ?? 0)) * Double(steps)
    guard way < ExperimentJudge.shortWay else { return nil }
    return warning(
      ["training", "optimizer", "rate"],
      "\(shortest(rate)) in at most \(steps) step\(steps == 1 ? "" : "s") a task moves weights by hardly a thousandth: "
        + "little is learned and all strategies look alike; take a larger rate, or more epochs")
  }

  /// Steps of the longest task of any scenario; nil where settings alone do not tell.
  private var mostSteps: Int? {
    let keys = ["epochs", "steps", "batch"]
    guard let training, keys.allSatisfy({ !varied.contains(.training($0)) }) else { return nil }
    if let steps = training.feed.steps { return steps }
    let rows = experiment.scenarios.keys.map { label in
      rowKeys.allSatisfy { !varied.contains(.scenario(label: label, $0)) } ? scenario(label)?.outline.trainingRows : nil
    }
    guard let most = rows.compactMap({ $0 }).max(), rows.allSatisfy({ $0 != nil }) else { return nil }
    let passes = training.feed.epochs
    return ((most + training.feed.batch - 1) / training.feed.batch).multipliedReportingOverflow(by: passes).partialValue
  }

  private var rowKeys: [String] { ["users", "days", "rowsPerTask", "rowsPerClass", "classesPerTask"] }

  // MARK: - Settings

  private func scenario(_ label: String) -> (any Scenario)? { experiment.settings(ofScenario: label) }

  private var training: TrainingSettings? { try? TrainingSettings(settings: experiment.training.given) }

  private func number(_ name: String, of part: any Part) -> Double? {
    guard case .number(let text)? = part.parameters.first(where: { $0.name == name })?.value else { return nil }
    return Double(text)
  }

  private func shortest(_ x: Double) -> String { JSONValue(x).compactText }
}
