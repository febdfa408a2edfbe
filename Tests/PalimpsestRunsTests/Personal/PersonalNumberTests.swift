import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import PalimpsestTesting
import TestFixtures
import Testing

/// The numbers of a prototype, on seeds of our own: the experiment files named by these questions, 600 people a seed.
@Suite(.enabled(if: Tier.slow)) struct PersonalNumberTests {
  /// Means over seeds of what each run of an experiment observed, by safeguard.
  /// - Parameter isAsked: whether updates begin with a fresh optimiser; nil: the file has one way alone.
  private func means(_ file: String, resetting isAsked: Bool? = nil) throws -> [String: (ObservationName) -> [Double]] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("Experiments/\(file).json"), encoding: .utf8)
    let plan = try Plan(Fixture.experiment(text))
    var result: [String: (ObservationName) -> [Double]] = [:]
    for configuration in plan.configurations {
      let resolved = configuration.resolved
      if let isAsked, resolved.personal?.settings.learning.training.resetOptimizer != isAsked { continue }
      let prepared = try resolved.scenario.prepare(from: EmptyLibrary())
      let records = try plan.experiment.seeds.map { seed -> RunRecord in
        var run = try Run(resolved, prepared, seed: seed)
        return run.execute()
      }
      #expect(records.allSatisfy { $0.status == .completed })
      result[resolved.personal?.safeguardLabel ?? ""] = { name in
        let values = records.compactMap { $0[name]?.numbers }
        return (values.first ?? []).indices.map { place in
          values.reduce(0) { $0 + $1[place] } / Double(values.count)
        }
      }
    }
    return result
  }

  /// d = 3: −.019 ± .008, worse .64 ± .08; d = 30: +.030 ± .008; d = 120: +.067 ± .010, worse .07 ± .03. Population .737 ± .010, Bayes
  /// .835 ± .008.
  /// The prototype's optimiser went on from the population's training.
  @Test func `how many days a person needs`() throws {
    let none = try #require(try means("how-many-days-until-a-person-gains", resetting: false)["none"])
    #expect(abs(none("population_accuracy")[0] - 0.737) <= 0.010, "\(none("population_accuracy"))")
    #expect(abs(none("people_bayes")[0] - 0.835) <= 0.008, "\(none("people_bayes"))")
    let (gain, worse) = (none("curve_gain"), none("curve_share_worse"))
    #expect(abs(gain[3] - 0.030) <= 0.008 && abs(gain[5] - 0.067) <= 0.010, "\(gain)")
    #expect(abs(worse[0] - 0.64) <= 0.08 && abs(worse[5] - 0.07) <= 0.03, "\(worse)")
    #expect(abs(gain[0] + 0.019) <= 0.008, "\(gain)")
    // With a fresh one the first days harm less, and the later ones give less.
    let fresh = try #require(try means("how-many-days-until-a-person-gains", resetting: true)["none"])
    #expect(fresh("curve_gain")[0] - gain[0] > 0.010 && gain[5] - fresh("curve_gain")[5] > 0.002)
  }

  /// mixture − none ≥ +.008 in life gain, share worse at most half; held-out never better than none by more than .003; with share .2 within .006
  /// of none in gain, harm at most .8 of it.
  @Test func `what protects a person`() throws {
    let all = try means("who-is-made-worse-off")
    let gain = try all.mapValues { try #require($0("life_gain_mean").first) }
    let worse = try all.mapValues { try #require($0("life_share_worse").first) }
    let none = try #require(gain["none"])
    let harm = try #require(worse["none"])
    #expect(
      try #require(gain["mixture"]) - none >= 0.008 && #require(worse["mixture"]) <= harm / 2, "\(gain), \(worse)")
    #expect(try #require(gain["held-out"]) - none <= 0.003, "\(gain)")
    #expect(
      try #require(gain["mixture-fast"]) >= none - 0.006 && #require(worse["mixture-fast"]) <= 0.8 * harm, "\(worse)")
  }
}
