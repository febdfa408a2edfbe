import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestScenarios
import PalimpsestStrategies
import TestFixtures
import Testing

/// What a plan keeps of its configurations, and what is read back from it.
@Suite struct PlanTextTests {
  static let types: [any Configurable.Type] =
    Catalog.standard.scenarios.values.map { $0 } + Catalog.standard.parts.values.map { $0 }
    + Catalog.standard.optimizers.values.map { $0 } + [
      ModelSettings.self, TrainingSettings.self, EvaluationSettings.self,
    ]

  /// A component of the type with a value for every parameter, another than the default where the declaration allows it.
  static func sample(_ type: any Configurable.Type) -> Component {
    var component = Component(name: (type as? any Part.Type)?.name ?? "")
    for declaration in type.declaredParameters {
      let fitting = values(declaration.kind).filter {
        (try? ParameterTable.of(type).typed(declaration.name, $0)) != nil && $0 != declaration.value
      }
      component.given[declaration.name] = fitting.first
    }
    return component
  }

  static func values(_ kind: ParameterKind) -> [ParameterValue] {
    switch kind {
    case .integer: ["7", "1.3e1", "1", "0"].map { .number($0) }
    case .number: ["1e-7", "0.30000001192", "2.50", "0.9"].map { .number($0) }
    case .bool: [.bool(true), .bool(false)]
    case .string: [.string("a \"b\"\n\u{E9}\u{1F600}")]
    case .choice(let words): words.map { .string($0) }
    case .object: [.object(#"{"a":{"kind":"text"},"b":[1,null]}"#)]
    case .entries: [.number("2")]
    case .list(let kind): values(kind).map { .list([$0, $0]) }
    case .optional(let kind): values(kind)
    }
  }

  @Test(arguments: types.indices)
  func `a component read back from its text has the same settings`(_ index: Int) throws {
    let type = Self.types[index]
    for given in [Self.sample(type), Component(name: Self.sample(type).name)] {
      let form = CanonicalForm(type)
      let text = try form.text(given)
      let back = Component(canonical: text)
      #expect(back.name == given.name)
      #expect(try form.text(back) == text)
      let (before, after) = (try type.init(settings: given.given), try type.init(settings: back.given))
      #expect(after.parameters.map(\.value) == before.parameters.map(\.value))
    }
  }

  @Test(arguments: types.indices)
  func `a record written from the text is that of the settings themselves`(_ index: Int) throws {
    let type = Self.types[index]
    for given in [Self.sample(type), Component()] {
      let value = try type.init(settings: given.given)
      let record = (value as? any Part).map { partRecord($0) } ?? JSONValue(resolved(value))
      let json = RecordForm(type).json(Component(canonical: try CanonicalForm(type).text(given)))
      #expect(String(decoding: json, as: UTF8.self) == record.compactText)
    }
  }

  static let sweep = """
    "sweep": { "grid": { "strategies.e.ewc.strength": [1, 2.5, 1e-7], "training.epochs": [1, 3],
      "training.tasks": [null, 2], "model.hidden": [[4], [8, 4]] } }
    """
  static let two = #""naive": [], "e": [{ "name": "ewc" }, { "name": "reservoir", "capacity": 20 }]"#

  func plan() throws -> Plan { try Plan(Fixture.small(strategies: Self.two, #""seeds": 2"#, Self.sweep)) }

  @Test func `a configuration asked for later is the one that was planned`() throws {
    let plan = try plan()
    let experiment = plan.experiment
    #expect(plan.configurations.count == 8 + 24)
    #expect(experiment.configurations.count == plan.configurations.count)
    for (planned, configuration) in zip(plan.configurations, experiment.configurations) {
      let direct = try ResolvedConfiguration(configuration, experiment.catalog)
      #expect(planned.resolved.record == direct.record)
      #expect(planned.scenarioLabel == configuration.scenarioLabel)
      #expect(planned.strategyLabel == configuration.strategyLabel)
    }
  }

  @Test func `runs counted while they are expanded have the ids of the plan`() throws {
    let plan = try plan()
    let finished = Dictionary(uniqueKeysWithValues: plan.runs.map { ($0.id, 1.0) })
    let summary = try PlanSummary(plan.experiment, finished: finished)
    #expect(summary.done == 64)
    #expect(finished.count == 64)
  }

  @Test func `a configuration's record as text is that of its tree`() throws {
    let stored = StoredPlan(try plan())
    for configuration in stored.configurations { #expect(configuration.recordText == configuration.record.compactText) }
  }

  @Test func `columns that vary are those in which any two configurations differ`() throws {
    let stored = StoredPlan(try plan())
    #expect(stored.variedColumns == ["ewc_strength", "training_epochs", "training_tasks", "model_hidden"])
    let last = try #require(stored.configurations.last)
    #expect(last.values["ewc_strength"]?.numberText == "1e-07")
    #expect(last.values["training_tasks"] == 2)
    #expect(last.values["ewc_name"] == nil)
    #expect(last.values["ewc_revision"] == nil)
    #expect(last.values["optimizer"] == "adam")
    #expect(last.values["scenario_name"] == "habit-phases")
  }

  // MARK: - The file

  @Test func `a plan is the same read line by line and as a tree`() throws {
    let stored = StoredPlan(try plan())
    let tree = try JSONReader.read(stored.json, file: "plan.json").value()
    #expect(StoredPlan(tree) == stored)
    #expect(try StoredPlan(stored.json, file: "plan.json") == stored)
    let unsealed = stored.unsealed
    #expect(try StoredPlan(unsealed, file: "plan.json") == stored)
    let pretty = try JSONReader.read(unsealed, file: "plan.json").value().prettyText
    #expect(try StoredPlan(Array(pretty.utf8), file: "plan.json") == stored)
    var placed = stored
    for i in placed.configurations.indices { placed.configurations[i].positions = [i, 100 + i] }
    #expect(try StoredPlan(placed.json, file: "plan.json") == placed)
  }

  /// Whatever happens to a file without a checksum, the lines say what the tree says, or that it does not fit together.
  @Test func `a damaged file is taken for what its tree is`() throws {
    let stored = try StoredPlan(Plan(Fixture.small(strategies: Self.two, #""seeds": 1"#)))
    let whole = stored.unsealed
    var rng = Seed(5).stream("damage")
    let text = String(decoding: whole, as: UTF8.self)
    let start = try #require(text.range(of: "\"components\""))
    let first = text.utf8.distance(from: text.startIndex, to: start.lowerBound)
    for round in 0..<400 {
      var bytes = whole
      let place = first + rng.index(below: whole.count - first)
      switch round % 3 {
      case 0: bytes[place] = UInt8(rng.index(below: 256))
      case 1: bytes.remove(at: place)
      default: bytes = Array(bytes[..<place])
      }
      let tree = (try? JSONReader.read(bytes, file: "").value()).flatMap { StoredPlan($0) }
      let lines = try? StoredPlan(bytes, file: "")
      let refused = tree.map { $0.firstWrong(isSealed: false) != nil } ?? true
      #expect(
        lines == (refused ? nil : tree),
        "\(String(decoding: bytes[max(0, place - 40)..<min(place + 40, bytes.count)], as: UTF8.self))")
    }
  }

  // MARK: - Parts that refuse

  @Test func `settings that do not make a part are found before anything runs`() throws {
    let experiment = try Fixture.small(
      strategies: #""s": [{ "name": "halves" }]"#,
      #""sweep": { "grid": { "strategies.s.halves.upper": [1, 0.25] } }"#, catalog: .standard.adding(Halves.self))
    let error = #expect(throws: CompositionError.self) { try Plan(experiment) }
    #expect(error?.description.contains("upper is below lower") == true)
  }
}

/// A penalty of nothing whose two settings must go together.
private struct Halves: Penalty {
  static let name = "halves"
  static let summary = "Adds nothing."
  static let source = "For tests."

  @Parameter("One end.") var lower: Float = 0.5
  @Parameter("The other.") var upper: Float = 1

  private enum CodingKeys: String, CodingKey { case lower, upper }

  init() {}

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    _lower = try fields.decode(Parameter<Float>.self, forKey: .lower)
    _upper = try fields.decode(Parameter<Float>.self, forKey: .upper)
    if upper < lower { throw CompositionError("upper is below lower") }
  }

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float { 0 }
}
