import Foundation
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// Rows of the classics whose label is a rule: the rules are written anew here, with the system's sine.
@Suite struct RuleRowsTests {
  /// A classic without scaling, and its rules by concept.
  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let scenario: any NoisyScenario
    let noise: Double
    let rules: [@Sendable ([Double]) -> Bool]
  }

  static let cases: [Case] = [
    Case(
      testDescription: "sea", scenario: sea { $0.scale = .none }, noise: 0.1,
      rules: [8, 9, 7, 9.5].map { threshold in { $0[0] + $0[1] > threshold } }),
    Case(
      testDescription: "stagger", scenario: Stagger(), noise: 0,
      rules: [{ $0[0] * $0[3] == 1 }, { $0[4] + $0[6] > 0 }, { $0[0] == 0 }]),
    Case(
      testDescription: "sine", scenario: SineCurves(), noise: 0,
      rules: [
        { $0[0] < sin($0[1]) }, { $0[0] >= sin($0[1]) }, { $0[0] < 0.5 + 0.3 * sin(3 * .pi * $0[1]) },
        { $0[0] >= 0.5 + 0.3 * sin(3 * .pi * $0[1]) },
      ]),
    Case(
      testDescription: "mixed", scenario: MixedInputs(), noise: 0,
      rules: [
        { $0[0] + $0[1] + ($0[3] < 0.5 + 0.3 * sin(3 * .pi * $0[2]) ? 1 : 0) >= 2 },
        { $0[0] + $0[1] + ($0[3] < 0.5 + 0.3 * sin(3 * .pi * $0[2]) ? 1 : 0) < 2 },
      ]),
  ]

  static func sea(_ change: (inout SEA) -> Void) -> SEA {
    var sea = SEA()
    change(&sea)
    return sea
  }

  @Test(arguments: cases) func `p* is the law's`(each: Case) throws {
    let stream = try Classic.stream(each.scenario)
    for (task, rule) in each.rules.enumerated() {
      for rows in [stream.trainingRows(for: task), stream.evaluationSet(for: task).rows] {
        let expected = rows.inputRows.map { Float(rule($0) ? 1 - each.noise : each.noise) }
        #expect(rows.truth == expected)
      }
    }
  }

  /// Labels against the rule: the share that was turned over is noise within 4.5 deviations of 60,000 rows.
  @Test(arguments: cases) func `as many labels are turned over as is said`(each: Case) throws {
    for noise in [0, 0.05, 0.3] {
      let stream = try Classic.stream(each.scenario.with { $0.testRows = 60_000 }.noisy(noise))
      let rows = stream.evaluationSet(for: 0).rows
      let turned = zip(rows.inputRows, rows.labels).count { each.rules[0]($0) != ($1 == 1) }
      let deviation = (noise * (1 - noise) / 60_000).squareRoot()
      #expect(abs(Double(turned) / 60_000 - noise) <= 4.5 * deviation, "noise \(noise)")
    }
  }

  /// 4.5 deviations of 60,000 rows are at most .0092.
  @Test(arguments: cases) func `labels are as frequent as cells say`(each: Case) throws {
    let rates = try #require(Classic.rules(each.scenario)).positive
    let stream = try Classic.stream(each.scenario.with { $0.testRows = 60_000 }.noisy(0))
    for (task, rate) in rates.enumerated() {
      let deviation = (rate * (1 - rate) / 60_000).squareRoot()
      #expect(abs(stream.evaluationSet(for: task).rows.rate - rate) < 4.5 * deviation)
    }
  }

  @Test(arguments: cases) func `the laws of scenarios hold`(each: Case) throws {
    for transition in [Transition.abrupt, .sigmoid, .linear] {
      let scenario = each.scenario.with {
        ($0.rowsPerTask, $0.testRows, $0.transition) = (1000, 2000, transition)
        $0.width = transition == .abrupt ? nil : 400
      }
      #expect(try ScenarioLaws.violations(of: scenario) == [])
    }
  }
}
