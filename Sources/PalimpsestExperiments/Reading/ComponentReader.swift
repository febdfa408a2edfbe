import OrderedCollections
import PalimpsestCore
import PalimpsestJSON
import PalimpsestScenarios

/// What stands under a name of the catalogue: scenarios, and the parts of strategies.
extension ExperimentReader {
  /// Reads {"name": …, parameters…}; a problem gives nil.
  /// - Parameter isListed: several stand under one path, so the name becomes part of it.
  mutating func component<T>(
    _ value: JSONValue, _ path: String, _ kind: String, _ known: OrderedDictionary<String, T>, isListed: Bool = false
  ) -> Component? {
    guard let object = value.object else {
      report(
        value, path, "expected an object such as {\"name\": \"\(known.keys.first ?? kind)\"}, found \(value.shown)")
      return nil
    }
    guard let nameValue = object["name"] else {
      report(value, path, "\"name\" is missing: which \(kind)?")
      return nil
    }
    guard let name = nameValue.string, let type = known[name] as? any Configurable.Type else {
      let wanted = nameValue.string.map { isHelpful ? hints.hint(name: $0, kind, among: known.keys) : "" } ?? ""
      let place = isListed ? nameValue.string.map { join(path, $0) } : nil
      report(nameValue, place ?? path, "no \(kind) is called \(nameValue.shown)" + wanted)
      return nil
    }
    return Component(name: name, given: given(type, object, isListed ? join(path, name) : path, besides: ["name"]))
  }

  mutating func scenarios(_ value: JSONValue?, _ root: JSONValue) -> OrderedDictionary<String, Component> {
    var result: OrderedDictionary<String, Component> = [:]
    for (label, member) in labelled(value, root, "scenarios", "at least one scenario under a label of yours") {
      result[label] = component(member, "scenarios.\(label)", "scenario", catalog.scenarios)
    }
    return result
  }

  /// Settings of a scenario that contradict each other, where no sweep changes one of them and all could be read.
  mutating func checkScenarios(of experiment: Experiment, _ value: JSONValue?) {
    let varied = experiment.sweep.targets.union(experiment.select?.over.targets ?? [])
    for (label, component) in experiment.scenarios {
      let path = "scenarios.\(label)"
      guard !varied.contains(where: { $0.scenario == label }), !problems.contains(where: { $0.path.hasPrefix(path) }),
        let scenario = try? catalog.scenario(component), let place = value?[label]
      else { continue }
      do throws(ScenarioError) {
        try scenario.check()
      } catch {
        report(
          place.nearest(to: error.parameter ?? ""), error.parameter.map { join(path, $0) } ?? path,
          error.description)
      }
    }
  }

  mutating func strategies(_ value: JSONValue?, _ root: JSONValue) -> OrderedDictionary<String, [Component]> {
    var result: OrderedDictionary<String, [Component]> = [:]
    for (label, member) in labelled(value, root, "strategies", "at least one strategy under a label of yours") {
      result[label] = parts(member, "strategies.\(label)")
    }
    return result
  }

  private mutating func parts(_ value: JSONValue, _ path: String) -> [Component] {
    guard let elements = value.array else {
      report(value, path, "expected a list of parts (an empty list is plain fine-tuning), found \(value.shown)")
      return []
    }
    let components = elements.compactMap { component($0, path, "part", catalog.parts, isListed: true) }
    let repeated = OrderedDictionary(grouping: components, by: \.name).filter { $0.value.count > 1 }.keys
    for name in repeated { report(value, path, "\"\(name)\" stands twice in one strategy") }
    if components.count == elements.count && repeated.isEmpty { checkComposition(components, value, path) }
    return components
  }

  private mutating func checkComposition(_ components: [Component], _ value: JSONValue, _ path: String) {
    do {
      let parts = try components.map { try catalog.part($0) }
      // What a part says of a scenario's outputs is judged beside the scenario; here the parts are to suit one at all.
      let setups = [2, 1].map { LearnerSetup(shape: TaskShape(inputs: 1, outputs: $0), hidden: [1], seed: Seed(0)) }
      _ = try (setups.first { $0.problem(with: parts) == nil } ?? setups[0]).makeLearner(parts)
    } catch {
      report(value, path, String(describing: error))
    }
  }

  mutating func labelled(
    _ value: JSONValue?, _ root: JSONValue, _ path: String, _ wanted: String
  ) -> [(String, JSONValue)] {
    guard let value else {
      report(root, "", "\"\(path)\" is missing: \(wanted)")
      return []
    }
    guard let object = value.object, !object.isEmpty else {
      report(value, path, "expected an object with \(wanted), found \(value.shown)")
      return []
    }
    for label in object.keys {
      if let problem = Label.problem(label) { report(keyOf: label, in: object, path, problem) }
    }
    return object.members.map { ($0.key, $0.value.value) }
  }
}
