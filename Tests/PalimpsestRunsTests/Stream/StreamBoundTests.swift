import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// References without learning, and without transfer, beside a stream.
@Suite struct StreamBoundTests {
  private func run(_ part: String, boundaries: String = #""boundaries": "every", "every": 300"#, rate: Double = 0.1)
    throws -> Run
  {
    let text = """
      { "name": "x", "scenarios": { "s": { "name": "sea", "rowsPerTask": 300, "testRows": 20 } },
        "stream": { "window": 100, \(boundaries) }, "training": { "optimizer": { "name": "sgd", "rate": \(rate) } },
        "strategies": { "s": [\(part)] } }
      """
    let configuration = try Plan(Fixture.experiment(text)).configurations[0].resolved
    let prepared = try configuration.scenario.prepare(from: EmptyLibrary())
    return try Run(configuration, data: Run.data(of: prepared, seed: 3), seed: 3)
  }

  private func windows(_ record: RunRecord, _ name: ObservationName = "prequential_loss") throws -> [Double] {
    try #require(record[name]).numbers
  }

  /// 1,200 rows in four tasks of 300: three windows each.
  @Test(arguments: [#""boundaries": "every", "every": 300"#, #""boundaries": "given""#])
  func `a frozen learner learns the first experience alone`(boundaries: String) throws {
    var (frozen, naive) = (
      try run(#"{ "name": "frozen" }"#, boundaries: boundaries), try run("", boundaries: boundaries)
    )
    let (still, moving) = (frozen.execute(), naive.execute())
    #expect(still.status == .completed && still.cost.steps == 300 && moving.cost.steps == 1200)
    #expect(try windows(still).prefix(3) == windows(moving).prefix(3))
    #expect(try zip(windows(still), windows(moving)).dropFirst(3).allSatisfy { $0 != $1 })
  }

  /// At a rate that moves nothing only fresh weights change an answer: at rows 300, 600 and 900.
  @Test func `a scratch learner begins each experience with fresh weights`() throws {
    var (scratch, naive) = (try run(#"{ "name": "scratch" }"#, rate: 1e-30), try run("", rate: 1e-30))
    let (fresh, old) = (scratch.execute(), naive.execute())
    #expect(fresh.cost.steps == 1200)
    #expect(try windows(fresh).prefix(3) == windows(old).prefix(3))
    for first in [3, 6, 9] {
      #expect(try windows(fresh)[first..<first + 3] != windows(old)[first..<first + 3])
    }
  }

  @Test(arguments: ["frozen", "scratch"]) func `a run that goes on from a checkpoint has the same bits`(part: String)
    throws
  {
    let part = #"{ "name": "\#(part)" }"#
    var whole = try run(part)
    let expected = whole.execute()
    var (checkpoints, watched) = ([[UInt8]](), try run(part))
    watched.saving(each: 170, into: &checkpoints)
    #expect(checkpoints.count > 3)
    for checkpoint in checkpoints {
      var resumed = try run(part)
      try resumed.restore(checkpoint, "id")
      #expect(resumed.execute().hasSameResults(as: expected))
    }
  }
}
