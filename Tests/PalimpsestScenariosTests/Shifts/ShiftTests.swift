import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// Pure operators: each leaves one measure of drift at zero. The zeros are those of the laws: under one law of inputs all tasks are
/// looked at in the same points, where equal probabilities are equal bits and equal weights are equal.
@Suite struct ShiftTests {
  static func shift(_ change: (inout ShiftSettings) -> Void) -> ShiftSettings {
    var settings = ShiftSettings()
    change(&settings)
    return settings
  }

  static let swap = shift { ($0.operator, $0.law) = (.concept, 1) }
  static let tilt = shift { ($0.operator, $0.strengths) = (.covariate, [0, 1.5, -3]) }
  static let prior = shift { ($0.operator, $0.priors) = (.prior, [0.5, 0.2, 0.7]) }

  /// Of every kind: a rule, a rule drawn by the seed, patterns, mixtures, densities.
  static let scenarios: [any GeneratorScenario] = [
    SEA(), Stagger().noisy(0.1), Hyperplane(), LEDDigits(), Waveforms(), bases(), CameraAlerts(), ThermoSeasons(),
  ]

  private static func bases() -> RandomBases {
    var bases = RandomBases()
    (bases.attributes, bases.centres) = (3, 8)
    return bases
  }

  private func severity(_ scenario: any GeneratorScenario, _ shift: ShiftSettings) throws -> ScenarioTruth? {
    try Classic.truth(scenario.with { ($0.shift, $0.rowsPerTask, $0.testRows) = (shift, 100, 300) })
  }

  private func largest(_ matrix: [[Double]]) -> Double { matrix.joined().max() ?? .nan }

  @Test(arguments: scenarios) func `another concept on the same inputs leaves the inputs`(
    scenario: any GeneratorScenario
  ) throws {
    let truth = try #require(try severity(scenario, ShiftTests.swap))
    let distances = try #require(truth.distances)
    #expect(largest(distances.inputs) <= 1e-6)
    #expect(largest(truth.totalVariation) > 0.02 && largest(distances.inputsOfLabels) > 0.02)
  }

  @Test(arguments: scenarios) func `other inputs under the same law leave the law`(scenario: any GeneratorScenario)
    throws
  {
    let truth = try #require(try severity(scenario, ShiftTests.tilt))
    let distances = try #require(truth.distances)
    #expect(largest(truth.totalVariation) <= 1e-6 && largest(truth.hellinger) <= 1e-6)
    #expect(largest(distances.inputs) > 0.1 && largest(distances.inputsOfLabels) > 0.05)
  }

  @Test(arguments: scenarios.filter { $0.generator(seed: Seed(0)).labels.count == 2 })
  func `other priors leave what the rows of a label show`(scenario: any GeneratorScenario) throws {
    let truth = try #require(try severity(scenario, ShiftTests.prior))
    let distances = try #require(truth.distances)
    #expect(largest(distances.inputsOfLabels) <= 1e-6)
    #expect(largest(truth.totalVariation) > 0.02 && largest(distances.inputs) > 0.02)
    #expect(abs(distances.labels[0][1] - 0.3) < 1e-6 && abs(distances.labels[1][2] - 0.5) < 1e-6)
  }

  /// SEA with θ 8 and noise .1 has π = .9 · .68 + .1 · .32 = .644. With π′ = .2 r₁ = .2/.644 and r₀ = .8/.356; p*′ = .9 r₁ / (.9 r₁ + .1 r₀)
  /// = .5543 and .1 r₁ / (.1 r₁ + .9 r₀) = .0151; P(rule) is (π′ − .0151…) / (.5542… − .0151…) = .3429, and B = .3429 · .5543 +
  /// .6571 · .9849 = .8373.
  @Test func `sea with another prior is what Bayes says`() throws {
    var sea = SEA()
    (sea.thresholds, sea.scale, sea.rows.testRows) = ([8], .none, 20_000)
    sea.rows.shift = ShiftTests.shift { ($0.operator, $0.priors) = (.prior, [0.644, 0.2]) }
    let stream = try Classic.stream(sea)
    let (own, other) = (stream.evaluationSet(for: 0).rows, stream.evaluationSet(for: 1).rows)
    let (r1, r0) = (0.2 / 0.644, 0.8 / 0.356)
    let (yes, no) = (0.9 * r1 / (0.9 * r1 + 0.1 * r0), 0.1 * r1 / (0.1 * r1 + 0.9 * r0))
    #expect(abs(yes - 0.5549) < 0.001 && abs(no - 0.0152) < 0.001)
    for (rows, p) in [(own, (0.9, 0.1)), (other, (yes, no))] {
      let truth = try #require(rows.truth)
      for (x, found) in zip(rows.inputRows, truth) {
        #expect(abs(Double(found) - (x[0] + x[1] > 8 ? p.0 : p.1)) < 1e-6)
      }
    }
    // 20,000 rows: a rate varies by at most .0034.
    #expect(abs(own.rate - 0.644) < 0.015 && abs(other.rate - 0.2) < 0.013)
    let bayes = try #require(stream.truth).bayesAccuracy
    let rule = (0.2 - no) / (yes - no)
    #expect(abs(bayes[0] - 0.9) < 1e-9 && abs(bayes[1] - (rule * yes + (1 - rule) * (1 - no))) < 1e-9)
    #expect(abs(bayes[1] - 0.838) < 0.001)
    let labels = try #require(stream.truth?.distances).labels
    #expect(abs(labels[0][1] - 0.444) < 1e-9)
    // A rule of both answers yes where .9 and .5549 say so.
    #expect(try #require(stream.truth).crossAccuracy[0][1] == bayes[1])
  }

  @Test(arguments: [swap, tilt, prior], scenarios) func `the laws of scenarios hold`(
    shift: ShiftSettings, scenario: any GeneratorScenario
  ) throws {
    let shifted = scenario.with { ($0.shift, $0.rowsPerTask, $0.testRows) = (shift, 600, 1500) }
    if Classic.error(shifted)?.parameter == "shift.operator" { return }
    #expect(try violations(shifted) == [])
  }

  private func violations<S: GeneratorScenario>(_ scenario: S) throws -> [String] {
    try ScenarioLaws.violations(of: scenario)
  }

  /// σ(1.5 z) of x₁, uniform in [0, 10], z = (x₁ − 5)/2.887: the mean of x₁ rises by ∫ (x − 5) σ / ∫ σ. Its numbers are a sum over
  /// 10,000 points here; 20,000 rows vary by .02.
  @Test func `rows are accepted as their weights say`() throws {
    var sea = SEA()
    (sea.thresholds, sea.scale, sea.rows.testRows) = ([8], .none, 20_000)
    sea.rows.shift = ShiftTests.shift { ($0.operator, $0.strengths, $0.column) = (.covariate, [1.5, -3], "x1") }
    let stream = try Classic.stream(sea)
    for (task, strength) in [1.5, -3].enumerated() {
      let grid = (0..<10_000).map { 0.001 * (Double($0) + 0.5) }
      let weights = grid.map { Elementary.logistic(strength * ($0 - 5) / (100.0 / 12).squareRoot()) }
      let expected = zip(grid, weights).reduce(0) { $0 + $1.0 * $1.1 } / weights.reduce(0, +)
      let rows = stream.evaluationSet(for: task).rows.inputRows
      func mean(_ column: Int) -> Double { rows.reduce(0) { $0 + $1[column] } / Double(rows.count) }
      #expect(abs(mean(0) - expected) < 0.1 && abs(mean(1) - 5) < 0.1 && abs(expected - 5) > 1)
    }
    #expect(stream.experiences.map(\.name) == ["x1 tilted 1.5", "x1 tilted -3"])
  }

  @Test func `what is accepted at once is the row as it was, and tasks under one law of inputs are judged on the same`()
    throws
  {
    var sea = SEA()
    (sea.thresholds, sea.rows.rowsPerTask, sea.rows.testRows) = ([8, 5], 500, 300)
    let plain = try Classic.stream(sea)
    sea.rows.shift = ShiftTests.shift { ($0.operator, $0.strengths) = (.covariate, [1, 2]) }
    let tilted = try Classic.stream(sea)
    let (rows, taken) = (plain.trainingRows(for: 0).inputRows, tilted.trainingRows(for: 0).inputRows)
    let same = zip(rows, taken).count { $0 == $1 }
    #expect((200...300).contains(same))
    sea.rows.shift = ShiftTests.shift { $0.operator = .concept }
    let swapped = try Classic.stream(sea)
    let (first, second) = (swapped.evaluationSet(for: 0).rows, swapped.evaluationSet(for: 1).rows)
    #expect(first.batch.inputs == second.batch.inputs && first.truth != second.truth)
    #expect(swapped.truth?.totalVariation == plain.truth?.totalVariation)
  }

  @Test func `an operator goes with a schedule`() throws {
    var sea = SEA()
    (sea.rows.rowsPerTask, sea.rows.testRows, sea.scale) = (1000, 1000, .none)
    sea.rows.shift = ShiftTests.prior
    for name in ScheduleSettings.Name.allCases {
      sea.rows.schedule.name = name
      sea.rows.schedule.width = name == .sigmoid || name == .linear ? 200 : nil
      #expect(try ScenarioLaws.violations(of: sea) == [], "\(name)")
    }
    // Incremental: the prior moves, from .5 to .2 in the second part.
    let truth = try #require(try Classic.stream(sea).trainingRows(for: 1).truth)
    for (row, found) in truth.enumerated() {
      let way = Double(row + 1) / 1000
      let prior = (1 - way) * 0.5 + way * 0.2
      let (r1, r0) = (prior / 0.644, (1 - prior) / 0.356)
      let possible = [0.9, 0.1].map { $0 * r1 / ($0 * r1 + (1 - $0) * r0) }
      #expect(possible.contains { abs($0 - Double(found)) < 1e-5 })
    }
  }

  /// The classics that differ in labels alone have no other distances, the others do.
  @Test func `concepts as they are have their distances too`() throws {
    let sea = try #require(SEA().severity?.distances)
    #expect(largest(sea.inputs) == 0 && abs(sea.labels[0][1] - 0.8 * (0.405 - 0.32)) < 1e-9)
    #expect(sea.inputsOfLabels[1][2] > 0.05)
    let camera = try #require(CameraAlerts().severity?.distances)
    // Persons are .3 of the blobs in all phases: 8,192 points vary by .005.
    #expect(camera.inputs[0][1] > 0.2 && camera.labels[0][1] < 0.02)
    #expect(zip(camera.inputs, camera.inputs.indices).allSatisfy { $0[$1] == 0 })
    var unknown = Agrawal()
    unknown.perturbation = 0.1
    #expect(unknown.severity == nil)
  }
}
