import PalimpsestCore
import PalimpsestJSON
import PalimpsestScenarios

/// What contradicts each other in an experiment whose runs go on with single people, or would do nothing there. Such a file is refused:
/// its results would name what had no part in them.
struct PersonalRules {
  /// Keys of `evaluation` that speak of other runs.
  static let evaluationKeys = ["everySteps", "everyRows", "heldOut", "curveTasks", "probes"]

  private let experiment: Experiment
  private let varied: Set<SettingTarget>

  init(_ experiment: Experiment) {
    self.experiment = experiment
    varied = experiment.sweep.targets.union(experiment.select?.over.targets ?? [])
  }

  var contradictions: [StreamRules.Contradiction] {
    guard experiment.personal != nil else { return [] }
    return kinds + settings + scenarios + parts + safeguards
  }

  /// Settings that were fine one by one, where no sweep varies them.
  private var safeguards: [StreamRules.Contradiction] {
    (experiment.personal?.safeguards ?? [:]).compactMap { label, component in
      let isVaried = varied.contains { if case .safeguard(label, _) = $0 { true } else { false } }
      guard !isVaried, let made = try? experiment.catalog.safeguards[component.name]?.init(settings: component.given),
        let problem = made.problem
      else { return nil }
      return .init(path: ["safeguards", label], message: problem)
    }
  }

  private var kinds: [StreamRules.Contradiction] {
    var found: [StreamRules.Contradiction] = []
    if experiment.stream != nil {
      found.append(
        .init(
          path: ["stream"], message: "runs go through a stream, or go on with people: take this away, or \"personal\""))
    }
    if experiment.select != nil {
      let message =
        "settings are chosen by accuracies on the test rows of tasks, and people have none; sweep over them, or take \"select\" away"
      found.append(.init(path: ["select"], message: message))
    }
    if varied.contains(.personal("curve")) {
      let message = "curves of several days do not fit into one file of results; give \"personal.curve\" one value"
      found.append(.init(path: ["sweep"], message: message))
    }
    if varied.contains(.personal("rollout.stages")) {
      let message =
        "rollouts of several stages do not fit into one file of results; give \"personal.rollout.stages\" one value"
      found.append(.init(path: ["sweep"], message: message))
    }
    return found + rollout
  }

  /// Stages that do not ascend.
  private var rollout: [StreamRules.Contradiction] {
    guard let given = experiment.personal?.settings.given,
      let problem = try? PersonalSettings(settings: given).rollout.rollout?.problem
    else { return [] }
    return [.init(path: ["personal", "rollout", "stages"], message: String(problem.dropFirst("stages: ".count)))]
  }

  private var settings: [StreamRules.Contradiction] {
    let judged = PersonalRules.evaluationKeys.filter {
      isGiven($0, experiment.evaluation, .evaluation($0))
    }.map { key in
      StreamRules.Contradiction(
        path: ["evaluation", key],
        message: "people are judged where a stretch of their lives ends, and row by row; take \"\(key)\" away")
    }
    guard isGiven("tasks", experiment.training, .training("tasks")) else { return judged }
    let message = "runs that go on with people have two stages and need both; take \"tasks\" away"
    return judged + [.init(path: ["training", "tasks"], message: message)]
  }

  private func isGiven(_ key: String, _ component: Component, _ target: SettingTarget) -> Bool {
    (component.given[key] ?? .null) != .null || varied.contains(target)
  }

  private var scenarios: [StreamRules.Contradiction] {
    experiment.scenarios.compactMap { label, component in
      guard let type = experiment.catalog.scenarios[component.name], !type.hasPeople else { return nil }
      let others = experiment.catalog.scenarios.values.filter { $0.hasPeople }.map { "\"\($0.name)\"" }
      return .init(
        path: ["scenarios", label],
        message:
          "\"\(component.name)\" has no people to go on with: take \(others.joined(separator: " or ")), or take \"personal\" away"
      )
    }
  }

  /// Parts that would do nothing, or something else than they say.
  private var parts: [StreamRules.Contradiction] {
    experiment.strategies.flatMap { label, parts in
      parts.compactMap { part in
        why(experiment.catalog.parts[part.name]).map {
          StreamRules.Contradiction(path: ["strategies", label, part.name], message: "\"\(part.name)\" \($0)")
        }
      }
    }
  }

  private func why(_ type: (any StrategyPart.Type)?) -> String? {
    if type is any DriftDetector.Type {
      return "looks at predictions of a stream; for updates on alarm take the policy {\"name\": \"drift\"}"
    }
    if type is any Bound.Type {
      return
        "says which tasks are trained on, and people have none; take \"personal.start\", or the policy {\"name\": \"never\"}"
    }
    return nil
  }
}
