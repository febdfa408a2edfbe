import PalimpsestCore
import PalimpsestScenarios

/// What several tests of the classics ask for.
enum Classic {
  static func stream(_ scenario: some Scenario, seed: UInt64 = 3) throws -> any DriftStream {
    try scenario.prepare(from: EmptyLibrary()).makeStream(seed: Seed(seed))
  }

  /// What a scenario says of settings that contradict each other.
  static func error(_ scenario: some Scenario) -> ScenarioError? {
    do throws(ScenarioError) {
      try scenario.check()
      return nil
    } catch { return error }
  }

  static func truth(_ scenario: some Scenario) throws -> ScenarioTruth? { try stream(scenario).truth }

  /// P(positive) of every concept without noise, and where pairs of them differ.
  static func rules(_ scenario: any GeneratorScenario) -> RuleRates? {
    (scenario.generator(seed: Seed(0)) as? any RuleGenerator).map { RuleRates($0.cells) }
  }
}

/// Rates from the cells of a rule generator.
struct RuleRates {
  let cells: [RuleCell]

  init(_ cells: [RuleCell]) { self.cells = cells }

  var total: Double { cells.reduce(0) { $0 + $1.weight } }
  var positive: [Double] {
    (cells.first?.answers ?? []).indices.map { k in cells.reduce(0) { $0 + ($1.answers[k] ? $1.weight : 0) } }
  }
}

extension Rows {
  /// Row by row.
  var inputRows: [[Double]] {
    let inputs = batch.inputs
    return (0..<count).map { inputs.row($0).map(Double.init) }
  }

  /// Share of labels 1.
  var rate: Double { Double(labels.reduce(0) { $0 + Int($1) }) / Double(count) }
}

func close(_ a: [Double], _ b: [Double], _ tolerance: Double) -> Bool {
  a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) <= tolerance }
}

/// A classic whose labels can be turned over.
protocol NoisyScenario: GeneratorScenario { var noise: Double { get set } }
extension SEA: NoisyScenario {}
extension Stagger: NoisyScenario {}
extension SineCurves: NoisyScenario {}
extension MixedInputs: NoisyScenario {}

extension NoisyScenario {
  func noisy(_ noise: Double) -> Self {
    var copy = self
    copy.noise = noise
    return copy
  }
}

extension GeneratorScenario {
  /// The same with other rows.
  func with(_ change: (inout GeneratorSettings) -> Void) -> Self {
    var copy = self
    change(&copy.rows)
    return copy
  }
}
