import OrderedCollections
import PalimpsestCore
import PalimpsestJSON

/// What contradicts each other in an experiment whose runs go through a stream, or would do nothing there; and the other way
/// round. Such a file is refused: its results would name what had no part in them.
struct StreamRules {
  struct Contradiction: Equatable {
    /// Keys from the root on; a part of a strategy by its name.
    let path: [String]
    let message: String
  }

  /// Keys of `evaluation` that speak of runs over tasks.
  static let evaluationKeys = ["everySteps", "heldOut", "probes"]

  private let experiment: Experiment
  /// What a sweep sets, and its trials: nobody can say one value of it.
  private let varied: Set<SettingTarget>

  init(_ experiment: Experiment) {
    self.experiment = experiment
    varied = experiment.sweep.targets.union(experiment.select?.over.targets ?? [])
  }

  var contradictions: [Contradiction] {
    guard experiment.stream != nil else { return detectorsOverTasks + rowsOverTasks + drawsOverTasks + people }
    return settingsOfTasks + settingsOfStream + parts + people
  }

  private var people: [Contradiction] {
    guard experiment.personal == nil, isGiven("users", experiment.evaluation, { .evaluation($0) }) else { return [] }
    let message =
      "it says whose numbers are kept beside \"personal\" alone: add \"personal\": {}, or take \"users\" away"
    return [Contradiction(path: ["evaluation", "users"], message: message)]
  }

  // MARK: - Over tasks

  /// In a run over tasks nothing is predicted before it is learned: a detector would be a part that does nothing.
  private var detectorsOverTasks: [Contradiction] {
    each { $0 is any DriftDetector.Type }.map { label, part in
      Contradiction(
        path: ["strategies", label, part],
        message:
          "a drift detector looks at predictions that are made before their rows are learned, and runs over tasks "
          + "make none: add \"stream\" to the experiment, or take \"\(part)\" away")
    }
  }

  private var rowsOverTasks: [Contradiction] {
    guard isGiven("everyRows", experiment.evaluation, { .evaluation($0) }) else { return [] }
    let message =
      "runs over tasks are judged after each of them, and \"everySteps\" within them; take \"everyRows\" away, "
      + "or add \"stream\" to the experiment"
    return [Contradiction(path: ["evaluation", "everyRows"], message: message)]
  }

  /// What a bound draws beside the new rows of a stream.
  private var drawsOverTasks: [Contradiction] {
    eachComponent { plan(of: $0)?.draw != nil }.map { label, part in
      Contradiction(
        path: ["strategies", label, part, "draw"],
        message: "it counts in a stream alone: a pass over tasks goes through all of their rows; take \"draw\" away")
    }
  }

  // MARK: - Settings

  private var settingsOfTasks: [Contradiction] {
    let fed = FeedSettings.declaredParameters.map(\.name).filter { isGiven($0, experiment.training, { .training($0) }) }
    let training = fed.map { key in
      Contradiction(
        path: ["training", key],
        message: "a stream feeds each row once, in its order: \"stream.block\" says how many at a time and "
          + "\"stream.stepsPerBlock\" how many steps are taken on them; take \"\(key)\" away")
    }
    guard experiment.select != nil else { return training + evaluation }
    let message =
      "settings are chosen by accuracies on test rows, and a stream has none; sweep over them, or take \"select\" away"
    return training + evaluation + [Contradiction(path: ["select"], message: message)]
  }

  private var evaluation: [Contradiction] {
    var found: [Contradiction] = []
    func refuse(_ key: String, _ message: String) {
      guard isGiven(key, experiment.evaluation, { .evaluation($0) }) else { return }
      found.append(Contradiction(path: ["evaluation", key], message: message))
    }
    refuse(
      "everySteps",
      "a stream counts rows: \"everyRows\" has its learner judged on the tasks' test rows, every that many; "
        + "take \"everySteps\" away")
    refuse("probes", "they look after each task, and in a stream no task ends; take \"probes\" away")
    refuse("heldOut", "a stream learns every row that it shows and keeps none of them back; take \"heldOut\" away")
    if !isGiven("everyRows", experiment.evaluation, { .evaluation($0) }) {
      refuse("curveTasks", "it counts beside \"everyRows\" alone: a stream is judged on its own rows without that")
    }
    return found
  }

  private var settingsOfStream: [Contradiction] {
    var found: [Contradiction] = []
    if varied.contains(.stream("window")) {
      let message = "windows of several lengths do not fit into one file of results; give \"stream.window\" one value"
      found.append(Contradiction(path: ["sweep"], message: message))
    }
    guard let boundaries else { return found }
    if boundaries != .every && isGiven("every", experiment.stream, { .stream($0) }) {
      let message = "it counts where \"boundaries\" is \"every\" alone, and that is \"\(boundaries.rawValue)\""
      found.append(Contradiction(path: ["stream", "every"], message: message))
    }
    if boundaries != .given && isGiven("outputs", experiment.training, { .training($0) }) {
      let message =
        "which outputs a task has is told where \"stream.boundaries\" is \"given\" alone; take \"outputs\" away"
      found.append(Contradiction(path: ["training", "outputs"], message: message))
    }
    return found
  }

  /// Nil where a sweep varies it.
  private var boundaries: StreamSettings.Boundaries? {
    guard let stream = experiment.stream, !varied.contains(.stream("boundaries")) else { return nil }
    return (try? StreamSettings(settings: stream.given))?.boundaries
  }

  private func isGiven(_ key: String, _ component: Component?, _ target: (String) -> SettingTarget) -> Bool {
    let value = component?.given[key] ?? ParameterValue.null
    return value != .null || varied.contains(target(key))
  }

  // MARK: - Parts

  private var parts: [Contradiction] {
    refits + idle + boosts
  }

  /// Bounds that train on all rows so far: no alarm and no boundary may make them begin anew.
  private var refits: [Contradiction] { alarmed + anew }

  private var alarmed: [Contradiction] {
    eachComponent(keepsAll).compactMap { label, part in
      detector(of: label).map { detector in
        Contradiction(
          path: ["strategies", label, part],
          message:
            "\"\(part)\" trains on all rows so far whatever \"\(detector.name)\" raises; take one of the two away")
      }
    }
  }

  private var anew: [Contradiction] {
    guard boundaries == .given || boundaries == .every else { return [] }
    return eachComponent { keepsAll($0) && plan(of: $0)?.restarts == true }.map { label, part in
      Contradiction(
        path: ["strategies", label, part],
        message: "\"\(part)\" begins with fresh weights at each boundary, and a stream has no passes to refit them in; "
          + "set \"restart\" to false")
    }
  }

  private func keepsAll(_ part: Component) -> Bool { plan(of: part)?.rows == .all }

  /// What a bound trains on behind the first boundary.
  private func plan(of part: Component) -> TrainingPlan? { (made(part) as? any Bound)?.plan(for: 1) }

  /// Settings of an action that is not taken.
  private var boosts: [Contradiction] {
    experiment.strategies.flatMap { label, parts in
      parts.flatMap { part in
        guard let action = action(of: part, label), action != .boost else { return [Contradiction]() }
        return ["boostFactor", "boostRows"].filter { part.given[$0] != nil }.map { key in
          Contradiction(
            path: ["strategies", label, part.name, key],
            message: "it counts where \"action\" is \"boost\" alone, and that is \"\(action.rawValue)\"")
        }
      }
    }
  }

  /// What the alarms of a part do; nil where it raises none, or a sweep varies it.
  private func action(of part: Component, _ label: String) -> AlarmResponse.Action? {
    if varied.contains(.strategy(label: label, part: part.name, "action")) { return nil }
    return (made(part) as? any DriftDetector)?.response.action
  }

  /// What waits for an end that never comes.
  private var idle: [Contradiction] {
    guard let boundaries, boundaries == .none || boundaries == .detected else { return [] }
    return eachComponent(waitsForEnds).compactMap { label, part in
      let detector = detector(of: label)
      if boundaries == .detected, let detector, action(of: detector, label) ?? .consolidate == .consolidate {
        return nil
      }
      let waits = "\"stream.boundaries\" waits for alarms, and "
      let why =
        boundaries == .none
        ? "\"stream.boundaries\" tells of none: take \"detected\", \"every\" or \"given\""
        : detector.map { waits + "those of \"\($0.name)\" do something else: set its \"action\" to \"consolidate\"" }
          ?? waits + "no part of this strategy raises any: add \"page-hinkley\""
      return Contradiction(
        path: ["strategies", label, part], message: "\"\(part)\" begins where an experience ends, and \(why)")
    }
  }

  /// True of a part that does nothing but where one experience ends and the next begins.
  private func waitsForEnds(_ part: Component) -> Bool {
    guard let type = type(of: part) else { return false }
    if type is any Bound.Type { return !keepsAll(part) }
    if type is any ConsolidatingPart.Type { return true }
    return (made(part) as? any Renewal)?.waitsForTasks ?? false
  }

  private func detector(of label: String) -> Component? {
    (experiment.strategies[label] ?? []).first { type(of: $0) is any DriftDetector.Type }
  }

  private func type(of part: Component) -> (any StrategyPart.Type)? { experiment.catalog.parts[part.name] }

  /// The part with the settings that were given; nil where there is none, or they do not fit.
  private func made(_ part: Component) -> (any StrategyPart)? {
    type(of: part).flatMap { try? $0.init(settings: part.given) }
  }

  /// The parts of all strategies that are such.
  private func each(_ isSuch: (any StrategyPart.Type) -> Bool) -> [(label: String, part: String)] {
    eachComponent { type(of: $0).map(isSuch) ?? false }
  }

  private func eachComponent(_ isSuch: (Component) -> Bool) -> [(label: String, part: String)] {
    experiment.strategies.flatMap { label, parts in parts.filter(isSuch).map { (label, $0.name) } }
  }
}

extension Experiment {
  /// What names something that has no part in its runs.
  var contradictions: [StreamRules.Contradiction] {
    personal == nil ? StreamRules(self).contradictions : PersonalRules(self).contradictions
  }
}

extension ExperimentReader {
  /// Reports contradictions at their place.
  mutating func checkStream(of experiment: Experiment, _ root: JSONValue) {
    for found in experiment.contradictions {
      let path = found.path.joined(separator: ".")
      if problems.contains(where: { $0.path == path }) { continue }
      report(place(of: found.path, in: root), path, found.message)
    }
  }

  /// The innermost that is there; the sweep where that gives the value.
  private func place(of path: [String], in root: JSONValue) -> JSONValue {
    var place = root
    for key in path {
      if let member = place[key] {
        place = member
      } else if let part = place.array?.first(where: { $0["name"]?.string == key }) {
        place = part
      } else {
        return root["sweep"] ?? place
      }
    }
    return place
  }
}
