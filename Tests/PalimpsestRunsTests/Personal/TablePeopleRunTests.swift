import PalimpsestDatasets
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns
import PalimpsestScenarios
import Synchronization
import TestFixtures
import Testing

/// Runs that go on with the people of a small table.
@Suite struct TablePeopleRunTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try Files.makeFolder(folder("data/diary"))
  }

  /// 12 people, 40 rows each, two a day, the rows of all in no order: for every other person label 1 is a small x, for the rest a large one, with a third
  /// label at times. What is missing is filled.
  private var diary: [String] {
    (0..<480).map { place in
      let (row, person) = (place * 7 % 480 / 12, place * 7 % 12)
      let x = (row * 37 + person * 11) % 100
      let label = row % 10 == 9 ? "away" : (x < 50) == (person % 2 == 0) ? "yes" : "no"
      return "\(row * 43_200 + person),u\(person),\(row == 3 ? "NA" : "\(x)"),\(label)"
    }
  }

  private func write(_ lines: [String]) throws {
    let text = "time,user,x,label\n" + lines.joined(separator: "\n") + "\n"
    try Files.replace(folder("data/diary/diary.csv"), with: Array(text.utf8))
  }

  private func plan(_ settings: String = "", owner: String = #""owner": "user","#, epochs: Int = 10) throws -> Plan {
    let text = """
      { "format": 1, "name": "diary",
        "scenarios": { "d": { "name": "table", "dataset": "diary", \(owner) "time": "time"\(settings) } },
        "model": { "hidden": [8] },
        "training": { "epochs": \(epochs), "batch": 16, "optimizer": { "name": "adam", "rate": 0.01 } },
        "strategies": { "plain": [] }, "seeds": 1,
        "personal": { "training": { "epochs": 40, "batch": 16, "optimizer": { "name": "adam", "rate": 0.01 } } },
        "policies": { "weekly": { "name": "interval" } },
        "safeguards": { "none": { "name": "none" }, "mixture": { "name": "mixture" } } }
      """
    return try Plan(Experiment.read(text, file: "diary.json"))
  }

  private var library: DatasetFolder { DatasetFolder([folder("data")]) }

  private func records(_ plan: Plan) throws -> [RunRecord] {
    try plan.configurations.map { configuration in
      let resolved = configuration.resolved
      let prepared = try CalibrationCache().prepare(resolved.scenario, from: library, forPeople: true)
      var run = try Run(resolved, prepared, seed: 0)
      return run.execute()
    }
  }

  @Test func `people of a table live on with the model, and gain`() throws {
    try write(diary)
    for record in try records(plan()) {
      #expect(record.status == .completed, "\(record.error)")
      let gains = try #require(record["user_life_gain"]?.numbers)
      #expect(gains.count == 6 && gains.allSatisfy { (-1...1).contains($0) })
      let mean = try #require(record["life_gain_mean"]?.numbers.first)
      // Half the people are the other way round than the rest: no population model serves both.
      #expect(abs(mean - gains.reduce(0, +) / 6) < 1e-9 && mean > 0.1, "\(gains)")
      #expect(record["user_updates_finished"]?.numbers == [Double](repeating: 2, count: 6))
      #expect(record["user_gain"]?.numbers.count == 6 && record["user_regret"] == nil)
      #expect(record["life_share_worse"] != nil && record["user_archetype"] == nil)
    }
  }

  @Test func `people keep their names`() throws {
    try write(diary)
    let records = try records(plan(#", "people": { "population": 7, "choice": "first" }"#, epochs: 1))
    // In the order of time u0 comes first and u11 last; the first seven are the population.
    for record in records { #expect(record.ticks["user"] == .labels(["u7", "u8", "u9", "u10", "u11"])) }
    let short = try self.records(plan(#", "people": { "users": 3 }"#, epochs: 1))[0]
    guard case .labels(let names)? = short.ticks["user"] else { return #expect(Bool(false), "no names") }
    #expect(names.count == 3 && Set(names).count == 3 && names.allSatisfy { $0.hasPrefix("u") })
  }

  @Test func `a life is the same whoever else is held out`() throws {
    try write(diary)
    let all = try records(plan(#", "people": { "population": 6 }"#, epochs: 1))[1]
    let few = try records(plan(#", "people": { "population": 6, "users": 2 }"#, epochs: 1))[1]
    for name in ["user_life_gain", "user_log_loss", "user_excess_log_loss_max"] {
      let name = ObservationName(stringLiteral: name)
      #expect(few[name]?.numbers.count == 2)
      #expect(few[name]?.numbers == all[name].map { Array($0.numbers.prefix(2)) })
    }
  }

  @Test func `a person of one row and people of one label have numbers too`() throws {
    var lines = diary.map { line in
      line.contains(",u3,") ? line.split(separator: ",").dropLast().joined(separator: ",") + ",yes" : line
    }
    lines.append("77,single,5,no")
    try write(lines)
    let plan = try plan(#", "people": { "choice": "first", "population": 1 }"#, epochs: 1)
    for record in try records(plan) {
      #expect(record.status == .completed, "\(record.error)")
      let gains = try #require(record["user_life_gain"]?.numbers)
      #expect(gains.count == 12 && gains.allSatisfy(\.isFinite))
      // The last to come: no update was due before her only row.
      #expect(gains[11] == 0 && record["user_updates_finished"]?.numbers[11] == 0)
    }
  }

  @Test func `the runner goes on with people, and says who is left out`() async throws {
    try write(diary + ["77,single,5,no"])
    let notes = Mutex<[String]>([])
    let spied = Checkpoints(note: { note in notes.withLock { $0.append(note) } })
    let output = ResultsFolder(folder("r"))
    let runner = Runner(
      try plan(#", "people": { "leastRows": 2 }"#, epochs: 1), output: output, library: library, jobs: 2,
      checkpoints: spied)
    #expect(try await runner.run { _ in }.completed == 2)
    let wanted = "scenarios.d: 1 of 13 people have fewer than 2 rows and take no part, with 1 of 481 rows"
    #expect(notes.withLock { $0 } == [wanted])
  }

  @Test func `a table of nobody's rows is refused at its place`() async throws {
    try write(diary)
    let runner = Runner(try plan(owner: ""), output: ResultsFolder(folder("r")), library: library, jobs: 1)
    let error = await #expect(throws: PreparationError.self) { _ = try await runner.run { _ in } }
    #expect(error?.description.hasPrefix("scenarios.d.owner: nobody knows whose the rows of \"diary\" are") == true)
  }
}
