import PalimpsestCore
import PalimpsestExperiments
import TestFixtures
import Testing

/// What `random` draws.
@Suite struct SweepDrawTests {
  static let count = 4000

  /// The draws of one path.
  func draws(
    _ distribution: Distribution, samples: Int = SweepDrawTests.count, seed: Int = 1, path: String = "training.epochs"
  ) -> [ParameterValue] {
    let values = SweptValues.drawn(distribution, seed: seed, path: path)
    return (0..<samples).map { values[$0] }
  }

  func numbers(_ distribution: Distribution) -> [Double] {
    draws(distribution).compactMap { if case .number(let text) = $0 { Double(text) } else { nil } }
  }

  /// Σ (observed − expected)²/expected over cells of probability `shares`.
  func chiSquare(_ cells: [Int], _ shares: [Double]) -> Double {
    var counts = Array(repeating: 0.0, count: shares.count)
    for cell in cells { counts[cell] += 1 }
    let n = Double(cells.count)
    return zip(counts, shares).reduce(0) { $0 + ($1.0 - n * $1.1) * ($1.0 - n * $1.1) / (n * $1.1) }
  }

  /// χ² of 9 degrees of freedom is above 33.7 once in 10 000 times; the draws are fixed, so a pass is a pass.
  static let limit = 33.7

  @Test func `uniform fills ten cells alike`() {
    let x = numbers(.uniform(2, 12))
    #expect(x.allSatisfy { $0 >= 2 && $0 < 12 })
    #expect(chiSquare(x.map { Int($0) - 2 }, Array(repeating: 0.1, count: 10)) < SweepDrawTests.limit)
  }

  @Test func `log-uniform fills ten cells of the logarithm alike`() {
    let x = numbers(.logUniform(1e-4, 1e-1))
    #expect(x.allSatisfy { $0 >= 1e-4 && $0 < 1e-1 })
    let cells = x.map { min(Int((Elementary.log($0) - Elementary.log(1e-4)) / Elementary.log(1e3) * 10), 9) }
    #expect(chiSquare(cells, Array(repeating: 0.1, count: 10)) < SweepDrawTests.limit)
  }

  @Test func `normal has its mean, deviation and share within one deviation`() {
    let x = numbers(.normal(mean: 5, deviation: 2, isWhole: false))
    let mean = x.reduce(0, +) / Double(x.count)
    let variance = x.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(x.count)
    // Four standard errors: 2/√4000 = 0.032; of the variance 4·√(2/4000) = 0.09; of the share √(0.68·0.32/4000) = 0.0074.
    #expect(abs(mean - 5) < 0.13)
    #expect(abs(variance - 4) < 0.36)
    #expect(abs(Double(x.count { abs($0 - 5) < 2 }) / Double(x.count) - 0.6827) < 0.03)
  }

  @Test func `normal over a whole number is rounded`() {
    let x = numbers(.normal(mean: 100, deviation: 2, isWhole: true))
    #expect(x.allSatisfy { $0 == $0.rounded() })
    #expect(Set(x).count > 8)
  }

  @Test func `integer takes every number alike, both ends included`() {
    let x = numbers(.integer(-3, 6)).map { Int($0) + 3 }
    #expect(Set(x) == Set(0...9))
    #expect(chiSquare(x, Array(repeating: 0.1, count: 10)) < SweepDrawTests.limit)
  }

  @Test func `log-integer takes k with probability ln(1 + 1/k) over ln((upper + 1)/lower)`() {
    // Ends 2 and 11: P(2) = ln(3/2)/ln(12/2) = 0.226, P(11) = ln(12/11)/ln 6 = 0.049.
    let x = numbers(.logInteger(2, 11)).map { Int($0) }
    let shares = (2...11).map { Elementary.log(1 + 1 / Double($0)) / Elementary.log(6) }
    #expect(Set(x) == Set(2...11))
    #expect(chiSquare(x.map { $0 - 2 }, shares) < SweepDrawTests.limit)
  }

  @Test func `choice takes every value alike`() {
    let words: [ParameterValue] = [.string("a"), .null, .bool(true), .list([.number("1")])]
    let cells = draws(.choice(words)).compactMap { words.firstIndex(of: $0) }
    #expect(chiSquare(cells, Array(repeating: 0.25, count: 4)) < SweepDrawTests.limit)
  }

  @Test func `two paths, two seeds and two samples draw apart`() {
    let uniform = Distribution.uniform(0, 1)
    let all = draws(uniform) + draws(uniform, path: "training.batch") + draws(uniform, seed: 2)
    #expect(Set(all.map(\.found)).count == 3 * SweepDrawTests.count)
  }

  @Test func `the draws are these on every machine`() {
    let first = [Distribution.uniform(0, 1), .logUniform(1e-3, 1), .integer(1, 1000), .logInteger(1, 1000)]
      .map { draws($0, samples: 1, seed: 7)[0].found }
    #expect(first == SweepDrawTests.pinned)
  }

  /// Computed by another program from the definitions of ``Seed`` and ``Random``.
  static let pinned = ["0.8606542560343527", "0.381911528309851", "861", "382"]

  // MARK: - In an experiment

  /// Ids of the runs of strategy "ewc".
  func ids(samples: Int, _ more: String = "") throws -> [String] {
    let sweep = """
      { "random": { "samples": \(samples), "seed": 3, "space": { \(more)\
      "strategies.ewc.ewc.strength": { "log-uniform": [0.1, 1000] } } } }
      """
    let plan = try Plan(Fixture.experiment(SweepAlgebraTests.text(sweep)))
    return plan.runs.filter { plan.configurations[$0.configuration].resolved.strategyLabel == "ewc" }.map(\.id)
  }

  @Test func `going from 200 to 300 samples keeps the first 200 runs`() throws {
    let few = try ids(samples: 200)
    let many = try ids(samples: 300)
    #expect(few.count == 200)
    #expect(Set(many).count == 300)
    #expect(Array(many.prefix(200)) == few)
  }

  @Test func `a path more changes no draw of the others`() throws {
    #expect(try ids(samples: 20, #""strategies.si.si.strength": { "uniform": [0, 1] }, "#) == ids(samples: 20))
  }

  @Test func `a distribution over a whole number gives whole numbers`() throws {
    let sweep = """
      { "random": { "samples": 40, "space": { "training.epochs": { "uniform": [1, 9] }, \
      "training.batch": { "log-uniform": [1, 64] }, "training.steps": { "normal": [1000, 50] }, \
      "strategies.si.si.strength": { "integer": [1, 3] } } } }
      """
    let plan = try Plan(Fixture.experiment(SweepAlgebraTests.text(sweep)))
    #expect(plan.configurations.count == 4 * 40)
    #expect(Set(plan.configurations.map { $0.resolved.training.feed.epochs }) == Set(1...9))
  }

  @Test func `a wildcard draws one value for all strategies it names`() throws {
    let sweep = #"{ "random": { "samples": 9, "space": { "strategies.*.ewc.strength": { "uniform": [0, 1] } } } }"#
    let configurations = try Fixture.experiment(SweepAlgebraTests.text(sweep)).configurations
    let strengths = { label in configurations.filter { $0.strategyLabel == label }.map { $0.given("ewc.strength") } }
    #expect(strengths("ewc") == strengths("both"))
    #expect(Set(strengths("ewc")).count == 9)
  }
}
