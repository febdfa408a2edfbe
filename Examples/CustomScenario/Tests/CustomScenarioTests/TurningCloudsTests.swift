import Palimpsest
import PalimpsestTesting
import Testing
import custom_scenario

struct TurningCloudsTests {
  @Test func `the clouds obey the laws of every scenario`() throws {
    #expect(try ScenarioLaws.violations(of: TurningClouds()) == [])
  }

  /// Φ(1.5) = 0.93319. Over 20,000 rows of p* the mean of max(p, 1 − p) has a standard error below .001.
  @Test func `the best rule is right with the probability that the distance says`() throws {
    var clouds = TurningClouds()
    clouds.testRows = 20_000
    let stream = try clouds.prepare(from: EmptyLibrary()).makeStream(seed: Seed(3))
    for bayes in try #require(stream.truth).bayesAccuracy { #expect(abs(bayes - 0.93319) < 0.005) }
  }

  @Test func `after half a turn the old rule is wrong as often as it was right`() throws {
    var clouds = TurningClouds()
    clouds.turn = 180
    let truth = try #require(clouds.prepare(from: EmptyLibrary()).makeStream(seed: Seed(3)).truth)
    #expect(abs(truth.crossAccuracy[1][0] - (1 - truth.bayesAccuracy[0])) < 1e-9)
  }

  @Test func `more rows than memory is meant for are refused at their parameter`() {
    var clouds = TurningClouds()
    clouds.rowsPerTask = 1_000_000
    clouds.tasks = 1000
    #expect { try clouds.check() } throws: { ($0 as? ScenarioError)?.parameter == "tasks" }
  }
}
