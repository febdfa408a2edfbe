import Foundation
import Palimpsest
import PalimpsestTesting
import Testing

/// What learners make of the small domains: the experiment files as they ship. The seeds are fixed, so are the numbers; bounds leave
/// room for two standard errors and more, so that another order of operations does not break them.
@Suite struct DomainLearnerTests {
  /// Runs by strategy label, in the order of seeds.
  private func run(_ name: String) async throws -> [String: [RunRecord]] {
    let tool = try Tool()
    let answer = try await tool("run", Tool.experiment(name + ".json"), "--quiet", "--output", "r.h5")
    try #require(answer.status == 0, "\(answer.errors)")
    let results = try Results(ResultsFolder(tool.folder + "/r"))
    return Dictionary(
      grouping: results.rows, by: { results.plan.configurations[$0.run.configuration].strategy }
    ).mapValues { rows in rows.map(\.entry.record) }
  }

  /// Mean over seeds of a metric, without the noise of labels.
  private func mean(_ records: [RunRecord]?, _ metric: String = "average_accuracy") throws -> Double {
    let metric = try #require(standardMetrics.first { $0.name == metric })
    let values = try #require(records).map { metric.value(of: $0, kind: .expected).number }
    return values.reduce(0, +) / Double(values.count)
  }

  /// Seed deviations .002 to .005, .020 of frozen.
  @Test func `the camera's nuisances are hardly forgotten, and refitting gains little`() async throws {
    let runs = try await run("how-many-false-alerts")
    let naive = try mean(runs["naive"])
    #expect(abs(naive - 0.890) < 0.006)
    #expect((0.02...0.05).contains(try mean(runs["naive"], "forgetting")))
    #expect(try mean(runs["joint"]) > naive + 0.010 && mean(runs["joint"]) < 0.912)
    #expect(abs(try mean(runs["replay-200"]) - naive) < 0.008)
    #expect(try mean(runs["scratch"]) < naive - 0.015 && mean(runs["frozen"]) < naive - 0.03)
  }

  /// Seed deviations .005 to .013, of forward transfer .05.
  @Test func `seasons help each other, and summer is what plain learning forgets`() async throws {
    let runs = try await run("what-helps-the-next-season")
    let naive = try mean(runs["naive"])
    #expect(abs(naive - 0.803) < 0.015)
    #expect(try mean(runs["replay-200"]) > naive + 0.05 && mean(runs["joint"]) > naive + 0.08)
    #expect(try mean(runs["joint"]) < 0.9345)
    for learner in ["frozen", "naive", "replay-200", "ewc-10", "si-1", "joint"] {
      #expect(try mean(runs[learner], "forward_transfer") > 0.08, "\(learner)")
    }
    #expect(try mean(runs["scratch"], "forward_transfer") < 0.06)
  }
}
