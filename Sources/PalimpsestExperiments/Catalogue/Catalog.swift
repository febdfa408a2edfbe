import OrderedCollections
import PalimpsestCore
import PalimpsestMetrics
import PalimpsestPersonal
import PalimpsestScenarios
import PalimpsestStrategies

/// Everything an experiment file can name, scenarios, strategy parts and optimisers, and what runs observe.
///
///     let catalog = Catalog.standard.adding(L2Init.self).adding(firstTaskKept).observing(weightNorm)
public struct Catalog: Sendable {
  private let shared: Shared

  public var scenarios: OrderedDictionary<String, any Scenario.Type> { entries.scenarios }
  public var parts: OrderedDictionary<String, any StrategyPart.Type> { entries.parts }
  public var optimizers: OrderedDictionary<String, any Optimizer.Type> { entries.optimizers }
  /// When a person's model is updated.
  public var policies: OrderedDictionary<String, any UpdatePolicy.Type> { entries.policies }
  /// What stands between a person's model and her.
  public var safeguards: OrderedDictionary<String, any Safeguard.Type> { entries.safeguards }
  /// What each name means that runs observe: the toolkit's own, and those of ``probes``.
  public var measures: [Measure] { entries.measures }
  /// What looks at the learner of every run, beside the evaluation.
  public var probes: [Probe] { entries.probes }
  /// What is worked out of every run's accuracies, columns of the results: the toolkit's own, and those that were added.
  public var accuracyMetrics: [Metric] { entries.accuracyMetrics }
  /// What could not be added, for something else has its name, and what to do; empty where all could. `Experiment.read(_:file:catalog:)`
  /// refuses a catalogue with any, and the tool ends with them.
  public var problems: [String] { entries.problems }

  /// A catalogue of nothing but the toolkit's measures and metrics.
  public init() { self.init(Entries()) }

  /// Everything the toolkit ships.
  public static let standard = Catalog()
    .adding(all: standardScenarios)
    .adding(all: standardParts)
    .adding(all: standardOptimizers)
    .adding(all: standardPolicies)
    .adding(all: standardSafeguards)
    .observing(.falseAlerts, .falseAlertsMean, .missingClassCurve, .missingClassAccuracy, .seenClassCurve)

  /// The same catalogue with more parts.
  ///
  /// A name that is taken is one of ``problems``. A part that plays no role or more than one is a mistake in the program and stops it here.
  public func adding(_ types: any Part.Type...) -> Catalog { adding(all: types) }

  /// The same catalogue with more metrics: columns of the results, with their `expected_` twins, and what `report` can show
  /// and `select` decide by. They are functions of what is in the journals, so runs that are done have them too.
  ///
  /// A name that is taken is one of ``problems``. One that is not made of a-z, 0-9 and underscores, or a metric made of a measure, is
  /// a mistake in the program and stops it here.
  public func adding(_ metrics: Metric...) -> Catalog {
    metrics.reduce(self) { $0.adding($1) }
  }

  private func adding(_ metric: Metric) -> Catalog {
    precondition(metric.subject == .accuracy, "\(metric.name): what runs observe is reported by itself; add its probe")
    precondition(Catalog.isColumn(metric.name), "\"\(metric.name)\": a metric is called by a-z, 0-9 and underscores")
    for name in AccuracyKind.allCases.map(metric.column) where isTaken(name) {
      return refusing("metric", name, takenBy: holder(ofColumn: name) ?? "a part or a setting")
    }
    return changed { $0.accuracyMetrics.append(metric) }
  }

  /// True of what `describe` or a column of the results is called.
  private func isTaken(_ name: String) -> Bool {
    isPart(name) || holder(ofColumn: name) != nil
      || Catalog.settings.contains { $0.name == name }
  }

  private func isPart(_ name: String) -> Bool {
    scenarios[name] != nil || parts[name] != nil || optimizers[name] != nil || policies[name] != nil
      || safeguards[name] != nil
  }

  /// What has a column of the results of that name, or an axis; nil: nothing.
  private func holder(ofColumn name: String) -> String? {
    if let measure = measures.first(where: { $0.name.text == name }) { return "the measure \"\(measure.longName)\"" }
    if let cost = standardCosts.first(where: { $0.name == name }) { return "the cost \"\(cost.longName)\"" }
    let metric = accuracyMetrics.first { metric in AccuracyKind.allCases.contains { metric.column($0) == name } }
    if let metric { return "the metric \"\(metric.longName)\"" }
    return measures.first { $0.axes.contains { $0.name == name } }.map { "an axis of the measure \"\($0.name)\"" }
  }

  /// The same catalogue, which knows what could not be added to it.
  private func refusing(_ kind: String, _ name: String, takenBy holder: String) -> Catalog {
    changed {
      $0.problems.append(
        "\(kind) \"\(name)\": \(holder) has this name. Give it one of its own, such as \"own_\(name)\".")
    }
  }

  /// The same catalogue with probes, which look at every run that it plans.
  ///
  /// A name that is taken is one of ``problems``. One that is not made of a-z, 0-9 and underscores is a mistake in the program and stops
  /// it here.
  public func observing(_ probes: Probe...) -> Catalog {
    probes.reduce(self) { $0.adding($1) }
  }

  private func adding(_ probe: Probe) -> Catalog {
    let name = probe.measure.name
    precondition(Catalog.isColumn(name.text), "\"\(name)\": a measure is called by a-z, 0-9 and underscores")
    precondition(
      probe.measure.axes.allSatisfy { Catalog.isColumn($0.name) },
      "\(name): axes are called by a-z, 0-9 and underscores")
    for axis in probe.measure.axes.map(\.name) {
      if axis == name.text { return refusing("axis of the measure", axis, takenBy: "the measure itself") }
      guard let measure = measures.first(where: { $0.name.text == axis }) else { continue }
      return refusing("axis of the measure \"\(name)\",", axis, takenBy: "the measure \"\(measure.longName)\"")
    }
    if let holder = holder(ofColumn: name.text) { return refusing("measure", name.text, takenBy: holder) }
    return changed {
      $0.measures.append(probe.measure)
      $0.probes.append(probe)
    }
  }

  private static func isColumn(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || byte == UInt8(ascii: "_")
      }
  }

  /// What reports can show: metrics, costs, and what else runs observe that is one number.
  public var metrics: [Metric] {
    let known = accuracyMetrics + standardCosts
    let others = measures.filter { measure in measure.isScalar && !known.contains { $0.name == measure.name.text } }
    return known + others.map { Metric($0) }
  }

  func adding(all types: [any Part.Type]) -> Catalog {
    types.reduce(self) { $0.adding($1) }
  }

  private func adding(_ type: any Part.Type) -> Catalog {
    let roles = Role.allCases.filter { $0.isPlayed(by: type) }
    precondition(
      roles.count == 1,
      "\"\(type.name)\" plays \(roles.count) roles (\(roles.map(\.rawValue).joined(separator: ", "))); a part plays one"
    )
    if isPart(type.name) { return refusing(roles[0].rawValue, type.name, takenBy: "a part of the catalogue") }
    if accuracyMetrics.contains(where: { $0.name == type.name }) {
      return refusing(roles[0].rawValue, type.name, takenBy: "a metric of the catalogue")
    }
    return changed {
      switch type {
      case let scenario as any Scenario.Type: $0.scenarios[type.name] = scenario
      case let optimizer as any Optimizer.Type: $0.optimizers[type.name] = optimizer
      case let policy as any UpdatePolicy.Type: $0.policies[type.name] = policy
      case let safeguard as any Safeguard.Type: $0.safeguards[type.name] = safeguard
      case let part as any StrategyPart.Type: $0.parts[type.name] = part
      default: preconditionFailure("\"\(type.name)\" is neither a scenario nor a strategy part")
      }
    }
  }

  private func changed(_ change: (inout Entries) -> Void) -> Catalog {
    var entries = entries
    change(&entries)
    return Catalog(entries)
  }

  private init(_ entries: Entries) { shared = Shared(entries) }

  private var entries: Entries { shared.entries }

  private struct Entries: Sendable {
    var scenarios: OrderedDictionary<String, any Scenario.Type> = [:]
    var parts: OrderedDictionary<String, any StrategyPart.Type> = [:]
    var optimizers: OrderedDictionary<String, any Optimizer.Type> = [:]
    var policies: OrderedDictionary<String, any UpdatePolicy.Type> = [:]
    var safeguards: OrderedDictionary<String, any Safeguard.Type> = [:]
    var measures: [Measure] = standardMeasures
    var probes: [Probe] = []
    var accuracyMetrics: [Metric] = standardMetrics
    var problems: [String] = []
  }

  /// All copies of a catalogue share what it holds: whatever holds one is small.
  private final class Shared: Sendable {
    let entries: Entries

    init(_ entries: Entries) { self.entries = entries }
  }
}

/// What a part does in the formula of a learner.
public enum Role: String, CaseIterable, Sendable {
  case scenario, memory
  case outputLoss = "output loss"
  case penalty
  case gradientTransform = "gradient transform"
  case isolation, renewal, predictor
  case wayChooser = "way chooser"
  case optimizer, bound
  case driftDetector = "drift detector"
  case wholeLearner = "whole learner"
  case policy = "update policy"
  case safeguard

  public func isPlayed(by type: any Part.Type) -> Bool {
    switch self {
    case .scenario: type is any Scenario.Type
    case .memory: type is any Memory.Type
    case .outputLoss: type is any OutputLoss.Type
    case .penalty: type is any Penalty.Type
    case .gradientTransform: type is any GradientTransform.Type
    case .isolation: type is any Isolation.Type
    case .renewal: type is any Renewal.Type
    case .predictor: type is any Predictor.Type
    case .wayChooser: type is any WayChooser.Type
    case .optimizer: type is any Optimizer.Type
    case .bound: type is any Bound.Type
    case .driftDetector: type is any DriftDetector.Type
    case .wholeLearner: type is any WholeLearner.Type
    case .policy: type is any UpdatePolicy.Type
    case .safeguard: type is any Safeguard.Type
    }
  }

  /// The one role a part of the catalogue plays.
  public init(of type: any Part.Type) {
    guard let role = Role.allCases.first(where: { $0.isPlayed(by: type) }) else {
      preconditionFailure("\"\(type.name)\" plays no role")
    }
    self = role
  }
}
