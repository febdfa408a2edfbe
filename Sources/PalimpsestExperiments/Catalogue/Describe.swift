import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestScenarios

/// What `palimpsest describe NAME` says: made from the declarations alone.
public struct Description: Sendable {
  public let name: String
  /// Its role, or "metric", "cost" or "settings".
  public let kind: String
  public let summary: String
  public let source: String?
  /// Raised when the algorithm changes results; nil for settings and metrics.
  public let revision: Int?
  public let parameters: [ParameterDeclaration]
  /// A metric's formula and what a run must have for it.
  public let definition: String?
  public let needs: [String]
  /// What a measure's declaration says beside: a heading and a text each.
  private var declared: [(name: String, text: String)] = []
  /// Nil where it is none.
  private var scenario: (any Scenario.Type)?

  /// What else is to be known of it: a heading and a text each.
  /// - Cost: a scenario's severity is worked out anew: some milliseconds, for a sampled one below a second.
  public var facts: [(name: String, text: String)] {
    guard let severity = scenario?.init().severity, severity.bayesAccuracy.count > 1 else { return declared }
    return declared + [("Severity of the defaults", severity.summary)]
  }
}

extension Description {
  public init(_ type: any Part.Type) {
    self.init(
      name: type.name, kind: Role(of: type).rawValue, summary: type.summary, source: type.source,
      revision: type.revision, parameters: type.declaredParameters, definition: nil, needs: [])
    scenario = type as? any Scenario.Type
  }

  public init(_ metric: Metric) {
    let unit = metric.unit == "1" ? "" : ", in \(metric.unit)"
    self.init(
      name: metric.name, kind: metric.subject == .accuracy ? "metric" : metric.subject == .cost ? "cost" : "measure",
      summary: metric.longName + unit + metric.direction.words, source: metric.source.isEmpty ? nil : metric.source,
      revision: nil, parameters: [], definition: metric.definition, needs: metric.needs.map(\.words))
  }

  public init(_ measure: Measure) {
    let unit = measure.unit == "1" ? "" : ", in \(measure.unit)"
    self.init(
      name: measure.name.text, kind: "measure", summary: measure.longName + unit + measure.direction.words, source: nil,
      revision: nil, parameters: [], definition: measure.definition,
      needs: [],
      declared: [
        ("Along", measure.dimensions.joined(separator: ", ")), ("Stored as", measure.storage.rawValue),
        ("About", measure.subject.words), ("The same run", measure.agreement),
      ])
  }

  init(_ type: any Configurable.Type, named name: String, _ summary: String) {
    self.init(
      name: name, kind: "settings", summary: summary, source: nil, revision: nil, parameters: type.declaredParameters,
      definition: nil, needs: [])
  }
}

extension Catalog {
  /// Settings that every experiment file has beside its components.
  public static let settings: [Description] = [
    Description(ModelSettings.self, named: "model", "The network of every strategy."),
    Description(
      TrainingSettings.self, named: "training", "How every strategy is trained; \"optimizer\" stands beside these."),
    Description(EvaluationSettings.self, named: "evaluation", "When and what is evaluated."),
    Description(StreamSettings.self, named: "stream", StreamSettings.summary),
    Description(PersonalSettings.self, named: "personal", PersonalSettings.summary),
    Description(
      OutputSettings.self, named: "output", "What is kept of each run beside its record; no result depends on it."),
    Description(ExecutionSettings.self, named: "execution", ExecutionSettings.summary),
  ]

  /// Everything that has a name: scenarios, parts, optimisers, metrics, costs, measures, settings.
  public var descriptions: [Description] {
    scenarios.values.map { Description($0) } + parts.values.map { Description($0) }
      + optimizers.values.map { Description($0) } + policies.values.map { Description($0) }
      + safeguards.values.map { Description($0) } + (accuracyMetrics + standardCosts).map { Description($0) }
      + measures.filter { measure in !standardCosts.contains { $0.name == measure.name.text } }.map { Description($0) }
      + Catalog.settings
  }

  /// A metric is found by its column's name too: `expected_forgetting`.
  public func description(of name: String) -> Description? {
    let expected = AccuracyKind.expected.prefix
    let plain = name.hasPrefix(expected) ? String(name.dropFirst(expected.count)) : name
    return descriptions.first { $0.name == name } ?? descriptions.first { $0.name == plain && $0.kind == "metric" }
  }
}

/// Everything that has a parameter of one name: what `palimpsest describe capacity` says.
public struct ParameterOwners: Sendable {
  public let name: String
  public let owners: [(owner: Description, parameter: ParameterDeclaration)]
}

extension Catalog {
  /// - Returns: nil where nothing has such a parameter.
  public func owners(ofParameter name: String) -> ParameterOwners? {
    let owners = descriptions.flatMap { owner in
      owner.parameters.filter { $0.name == name }.map { (owner: owner, parameter: $0) }
    }
    return owners.isEmpty ? nil : ParameterOwners(name: name, owners: owners)
  }
}

extension ParameterOwners {
  public var text: String {
    let rows = owners.map { owner, parameter in
      [
        owner.name, owner.kind, parameter.shownDefault.compactText, parameter.expectation,
        parameter.help,
      ]
    }
    let header = ["of", "role", "default", "expects", "what it is"]
    return "\(name): a parameter\n" + aligned([header] + rows, leftColumns: 5)
  }

  public var json: JSONValue {
    let owners = owners.map { owner, parameter -> JSONValue in
      ["name": JSONValue(owner.name), "kind": JSONValue(owner.kind), "parameter": parameter.json]
    }
    return ["name": JSONValue(name), "kind": "parameter", "owners": JSONValue(owners)]
  }
}

// MARK: - Text

extension Description {
  /// For people: what it is, then a parameter a paragraph.
  public var text: String {
    var lines = ["\(name): \(kind)", summary]
    if let definition { lines.append("Definition: \(definition)") }
    lines += facts.map { "\($0.name): \($0.text)" }
    if let source { lines.append("Source: \(source)") }
    if let revision { lines.append("Revision: \(revision)") }
    if !needs.isEmpty { lines.append("Needs: " + needs.joined(separator: "; ")) }
    if !parameters.isEmpty { lines += ["", "Parameters:"] + parameters.map(\.text) }
    return lines.joined(separator: "\n")
  }

  public var json: JSONValue {
    var object: JSONObject = ["name": JSONValue(name), "kind": JSONValue(kind), "summary": JSONValue(summary)]
    object["definition"] = definition.map { JSONValue($0) }
    object["source"] = source.map { JSONValue($0) }
    object["revision"] = revision.map { JSONValue($0) }
    if !needs.isEmpty { object["needs"] = JSONValue(needs.map { JSONValue($0) }) }
    for fact in facts { object[fact.name.lowercased().replacing(" ", with: "_")] = JSONValue(fact.text) }
    if !["metric", "cost", "measure"].contains(kind) { object["parameters"] = JSONValue(parameters.map(\.json)) }
    return JSONValue(object)
  }
}

extension ParameterDeclaration {
  fileprivate var text: String {
    ([own] + kind.fields.map { $0.named("\(name).N.\($0.name)").own }).joined(separator: "\n")
  }

  private var own: String { "  \(name) = \(shownDefault.compactText)   (\(expectation))\n      \(help)" }

  fileprivate var json: JSONValue {
    var object: JSONObject = [
      "name": JSONValue(name), "default": shownDefault, "expects": JSONValue(expectation), "help": JSONValue(help),
    ]
    if !kind.fields.isEmpty { object["entries"] = JSONValue(kind.fields.map(\.json)) }
    return JSONValue(object)
  }
}

extension Metric.Direction {
  fileprivate var words: String {
    switch self {
    case .higher: "; higher is better."
    case .lower: "; lower is better."
    case .neither: "."
    }
  }
}

extension ScenarioTruth {
  /// Neighbouring tasks, then what the drift demands of all.
  fileprivate var summary: String {
    let last = bayesAccuracy.count - 1
    let forgotten = (0..<last).reduce(0) { $0 + bayesAccuracy[$1] - crossAccuracy[last][$1] } / Double(last)
    return
      "drift_tv of neighbouring tasks \(neighbours); a perfect tracker forgets \(rounded(forgotten)); best rules score "
      + "\(rounded(bayesAccuracy.reduce(0, +) / Double(bayesAccuracy.count)))"
      + (jointCeiling.isFinite ? ", one rule for all \(rounded(jointCeiling))" : "") + others
  }

  /// The other distances of neighbouring tasks, where they are known.
  private var others: String {
    guard let distances else { return "" }
    let all = [
      ("drift_inputs", distances.inputs), ("drift_labels", distances.labels),
      ("drift_conditional", distances.inputsOfLabels),
    ]
    let classified = distances.twoSample.map { [("drift_two_sample", $0)] } ?? []
    return (all + classified).map { name, matrix in
      "; \(name) " + (1..<matrix.count).map { String(rounded(matrix[$0 - 1][$0])) }.joined(separator: ", ")
    }.joined()
  }

  /// One a pair, or their range where there are many.
  private var neighbours: String {
    let pairs = (1..<bayesAccuracy.count).map { totalVariation[$0 - 1][$0] }
    if pairs.count > 20, let least = pairs.min(), let most = pairs.max() {
      return "\(rounded(least)) to \(rounded(most))"
    }
    return pairs.enumerated().map { "\($0)-\($0 + 1) \(rounded($1))" }.joined(separator: ", ")
  }

  private func rounded(_ x: Double) -> String { String((x * 1000).rounded() / 1000) }
}

extension Measure.Subject {
  fileprivate var words: String {
    switch self {
    case .outcome: "the learner"
    case .truth: "the scenario"
    case .cost: "time, work or memory"
    }
  }
}

extension Measure {
  fileprivate var agreement: String {
    guard isRepeatable else { return "differs from one time to the next" }
    let rules = countedBy.map { ", where \($0) is equal" } ?? ""
    return "has it bit for bit on any machine, with any number of workers" + rules
  }
}

extension Requirement {
  fileprivate var words: String {
    switch self {
    case .severalTasks: "two tasks or more"
    case .zeroShot: "accuracies on tasks not yet learned"
    case .untrained: "the accuracy of the untrained network"
    case .curve: "evaluations within tasks (evaluation.everySteps; of streams everyRows)"
    case .taskRows: "training rows counted task by task (not in a stream)"
    case .truth: "a scenario whose best rules are known"
    case .ceiling: "a joint ceiling more than \(Metric.retentionNoise) above the tracker"
    case .joint: "a joint run of the same scenario and seed"
    case .scratch: "a run from scratch of the same scenario and seed"
    }
  }
}
