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

  /// The first step has no earlier row; every later one has three more.
  @Test func `joint keeps all rows and draws earlier ones`() throws {
    var joint = try run(#"{ "name": "joint", "draw": 3 }"#, boundaries: #""boundaries": "none""#)
    let record = joint.execute()
    #expect(record.cost.steps == 1200 && record.cost.examples == 1200 + 3 * 1199)
    #expect(record.cost.learner.bytesMemory == 1200 * 4 * (3 + 1 + 1))
  }

  /// What a bound is fed: the numbers of a step's rows, told by their inputs.
  private final class Fed: @unchecked Sendable { var steps: [[Int]] = [] }

  private struct Keeper: Learner {
    let fed: Fed
    let rows: [[Float]: Int]

    func plan(for experience: Int) -> TrainingPlan { TrainingPlan(rows: .all, draw: 4) }
    mutating func begin(_ experience: ExperienceInfo) {}
    mutating func learn(_ batch: Batch, _ context: StepContext) -> StepReport {
      fed.steps.append((0..<batch.count).map { rows[batch.inputs.row($0)] ?? -1 })
      return StepReport(loss: 0, penalty: 0, rows: batch.count)
    }
    mutating func finish(_ experience: ExperienceInfo, revisiting data: Rows) {}
    func predict(_ inputs: Matrix, knowing experience: Int?) -> Matrix { Matrix(rows: inputs.rows, columns: 1) }
    func predictableOutputs(knowing experience: Int?) -> Range<Int> { 0..<1 }
    var cost: LearnerCost { LearnerCost() }
    var isFinite: Bool { true }
  }

  private func fed(delay: Int, missing: Double, block: Int = 1) -> [[Int]] {
    let all = (0..<3).map { TurningStream().trainingRows(for: $0) }
    let inputs = all.flatMap { rows in
      var batch = Batch(columns: rows.columns)
      batch.append(rows, range: 0..<rows.count)
      return (0..<batch.count).map { batch.inputs.row($0) }
    }
    let fed = Fed()
    let numbers = Dictionary(uniqueKeysWithValues: inputs.enumerated().map { ($1, $0) })
    var settings = StreamSettings(block: block, window: 20)
    (settings.labels.delay, settings.labels.missing) = (delay, missing)
    var run = StreamRun(settings, TurningStream(), learner: Keeper(fed: fed, rows: numbers), seed: Seed(4))
    run.finish()
    return fed.steps
  }

  @Test(arguments: [0, 7]) func `earlier rows are drawn evenly from all whose labels have arrived`(delay: Int) {
    let steps = fed(delay: delay, missing: 0)
    #expect(steps.map { $0[0] } == Array(0..<75 - delay))
    #expect(steps[0].count == 1 && steps.dropFirst().allSatisfy { $0.count == 5 })
    #expect(steps.allSatisfy { step in step.dropFirst().allSatisfy { (0..<step[0]).contains($0) } })
    let places = steps.flatMap { step in step.dropFirst().map { (Double($0) + 0.5) / Double(step[0]) } }
    let mean = places.reduce(0, +) / Double(places.count)
    #expect(abs(mean - 0.5) < 4 * (1.0 / 12 / Double(places.count)).squareRoot(), "\(mean)")
    #expect(fed(delay: delay, missing: 0) == steps)
  }

  @Test func `a row whose label never arrives is never drawn`() {
    let steps = fed(delay: 0, missing: 0.5)
    let new = Set(steps.map { $0[0] })
    #expect((20...55).contains(new.count) && Set(steps.joined()) == new)
  }

  @Test(arguments: ["frozen\"", "scratch\"", "joint\", \"restart\": false, \"draw\": 3"])
  func `a run that goes on from a checkpoint has the same bits`(part: String) throws {
    let part = "{ \"name\": \"\(part) }"
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
