import PalimpsestCore
import PalimpsestJSON
import PalimpsestScenarios

/// Parts of strategies that can do nothing, or nothing that is measured, in a scenario of the same file.
struct PartsJudge {
  private let experiment: Experiment
  private let document: JSONDocument
  private let varied: Set<SettingTarget>

  init(_ experiment: Experiment, _ document: JSONDocument) {
    self.experiment = experiment
    self.document = document
    varied = experiment.variedTargets
  }

  /// One of a kind: what is told once need not be told of every strategy.
  var problems: [Problem] { [emptyPart, unmeasuredIsolation].compactMap { $0 } }

  /// A part that is made of a task's rows where none may be seen again: the strategy is the one without it.
  private var emptyPart: Problem? {
    guard let label = scenario(where: "revisit", is: "none"),
      let (strategy, part) = strategy(with: { $0 is any RevisitingPart.Type })
    else { return nil }
    return document.warning(
      ["strategies", strategy],
      "\"\(part)\" is made of a task's rows when it has ended, and scenario \"\(label)\" lets none be seen again: it does nothing there; "
        + "take \"revisit\": \"all\", or a part that looks at rows as they come, such as \"si\" or \"reservoir\"")
  }

  /// A way that answers for its own classes alone, where any class may be asked for and nothing infers the task.
  private var unmeasuredIsolation: Problem? {
    guard let label = scenario(where: "setting", is: "class"),
      let (strategy, part) = strategy(with: { $0 is any Isolation.Type }, without: { $0 is any WayChooser.Type })
    else { return nil }
    return document.warning(
      ["strategies", strategy],
      "\"\(part)\" gives each task a way of its own, and in scenario \"\(label)\" nobody says which to take: the latest cannot answer for "
        + "earlier classes, and most metrics are undefined; take \"setting\": \"task\", or put \"gate\" beside it")
  }

  // MARK: - Settings

  /// The first scenario with that value, where no sweep sets it.
  private func scenario(where name: String, is text: String) -> String? {
    experiment.scenarios.keys.first { label in
      !varied.contains(.scenario(label: label, name))
        && experiment.settings(ofScenario: label)?.text(of: name) == text
    }
  }

  /// The first strategy with a part of a kind, and that part's name.
  private func strategy(
    with kind: (any Part.Type) -> Bool, without other: (any Part.Type) -> Bool = { _ in false }
  ) -> (label: String, part: String)? {
    let types = experiment.catalog.parts
    for (label, parts) in experiment.strategies {
      guard let part = parts.first(where: { types[$0.name].map(kind) ?? false }),
        !parts.contains(where: { types[$0.name].map(other) ?? false })
      else { continue }
      return (label, part.name)
    }
    return nil
  }
}
