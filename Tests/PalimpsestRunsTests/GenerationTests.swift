import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestRuns
import TestFixtures
import Testing

/// Plans that change while results are kept.
@Suite struct GenerationTests {
  let folder: TemporaryFolder
  let results: ResultsFolder

  init() throws {
    folder = try TemporaryFolder()
    results = ResultsFolder(folder("r"))
  }

  func plan(_ strategies: String, seeds: String) throws -> StoredPlan {
    try StoredPlan(Plan(Fixture.small(strategies: strategies, "\"seeds\": \(seeds)")))
  }

  let two = #""naive": [], "e": [{ "name": "ewc" }]"#

  @Test func `the same plan again adds no generation, a larger one does, and the latest counts`() throws {
    let small = try plan(two, seeds: "2")
    #expect(try results.write(small) == small)
    try results.write(small)
    #expect(try results.generations == [0])
    let large = try results.write(plan(two, seeds: "3"))
    #expect(try results.write(plan(two, seeds: "3")) == large)
    #expect(try results.generations == [0, 1])
    #expect(try Files.names(in: results.folder) == ["journal", "plan-1.json", "plan.json"])
    #expect(try results.plan() == large)
    try results.write(small)
    #expect(try results.generations == [0, 1, 2])
    #expect(try results.plan() == small)
  }

  /// Two strategies with seeds 0 and 1 stand at 0…3. Seed 2 of each comes behind them, at 4 and 5, then a third strategy
  /// at 6…8, although it stands between the two in the file.
  @Test func `a run keeps its position, new ones follow`() throws {
    func positions(_ strategies: String, seeds: String) throws -> [[Int]] {
      let plan = try results.write(plan(strategies, seeds: seeds))
      return plan.configurations.indices.map { index in
        plan.runs.filter { $0.configuration == index }.map(\.index)
      }
    }
    let three = #""naive": [], "r": [{ "name": "reservoir" }], "e": [{ "name": "ewc" }]"#
    #expect(try positions(two, seeds: "2") == [[0, 1], [2, 3]])
    #expect(try positions(two, seeds: "3") == [[0, 1, 4], [2, 3, 5]])
    #expect(try positions(three, seeds: "3") == [[0, 1, 4], [6, 7, 8], [2, 3, 5]])
    #expect(try positions(two, seeds: "[1, 7]") == [[1, 9], [3, 10]])
    #expect(try positions(two, seeds: "[2, 7, 0]") == [[4, 9, 0], [5, 10, 2]])
    let again = try results.plan()
    #expect(again.runs.map(\.seed) == [2, 7, 0, 2, 7, 0])
  }

  @Test func `runs of equal identity under two labels keep two positions`() throws {
    let first = try results.write(plan(#""a": [], "b": []"#, seeds: "1"))
    #expect(first.runs.map(\.index) == [0, 1])
    let second = try results.write(plan(#""b": [], "a": [], "c": []"#, seeds: "1"))
    #expect(second.runs.map(\.index) == [0, 1, 2])
  }

  @Test func `writers at once add a generation each, and no position has two runs`() async throws {
    let results = results
    let plans = try (1...16).map { try plan(two, seeds: "\($0)") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for plan in plans { group.addTask { try results.write(plan) } }
      try await group.waitForAll()
    }
    #expect(try results.generations == Array(plans.indices))
    var places: [Int: String] = [:]
    for generation in try results.generations {
      for run in try results.plan(generation: generation).runs {
        #expect(places.updateValue(run.id, forKey: run.index) ?? run.id == run.id)
      }
    }
    #expect(places.keys.sorted() == Array(0..<2 * plans.count))
  }

  @Test func `settings that configurations share are in the file once`() throws {
    let text = #""sweep": { "grid": { "strategies.e.ewc.strength": [1, 2.5, 7] } }"#
    let plan = try StoredPlan(Plan(Fixture.small(strategies: two, #""seeds": 2"#, text)))
    #expect(plan.text.components(separatedBy: "\"habit-phases\"").count - 1 == 1)
    #expect(plan.text.components(separatedBy: "\"driftTV\"").count - 1 == 1)
    #expect(plan.text.components(separatedBy: "\"name\":\"ewc\"").count - 1 == 3)
    #expect(plan.configurations[2].values["ewc_strength"]?.double == 2.5)
    #expect(plan.configurations[0].values["ewc_strength"] == nil)
    #expect(plan.configurations[0].values["scenario_name"]?.string == "habit-phases")
    #expect(plan.configurations[0].values["optimizer"]?.string == "adam")
  }

  @Test func `a configuration's record is that of the experiment, every default written out`() throws {
    let text = #""sweep": { "grid": { "strategies.e.ewc.strength": [1, 2.5, 7] } }"#
    let plan = try Plan(Fixture.small(strategies: two, #""seeds": 2"#, text))
    let stored = StoredPlan(plan)
    for (kept, planned) in zip(stored.configurations, plan.configurations) {
      #expect(kept.record == JSONValue(planned.resolved.record))
    }
  }

  @Test func `a plan of format 1 is read, and keeps its positions`() throws {
    let ids = try plan(#""a": []"#, seeds: "2").configurations[0].runIDs
    let text = """
      {"format": 1, "name": "x", "question": "", "seeds": [1, 0], "columns": [], "experiment": "{}", "configurations": [
        {"scenario": "s", "strategy": "a", "values": {"ewc_strength": 3}, "configuration": {"numerics": 1},
         "runs": ["\(ids[1])", "\(ids[0])"]}]}
      """
    try Files.makeFolder(results.folder)
    try Files.replace(results.planFile, with: text)
    let old = try results.plan()
    #expect(old.configurations[0].values["ewc_strength"]?.int == 3)
    #expect(old.configurations[0].record == ["numerics": 1])
    #expect(try results.write(plan(#""a": []"#, seeds: "3")).runs.map(\.index) == [1, 0, 2])
    #expect(try results.generations == [0, 1])
  }

  @Test func `a generation that is damaged or of a later format is named`() throws {
    try results.write(plan(two, seeds: "2"))
    try Files.replace(results.planFile(generation: 3), with: #"{"format": 4}"#)
    let later = #expect(throws: Problems.self) { try results.plan() }
    #expect(
      later?.description
        == "\(results.planFile(generation: 3)): this is a plan of format 4, of a later version; 1 to 3 are known here")
    try Files.replace(results.planFile(generation: 4), with: #"{"format": 2}"#)
    let damaged = #expect(throws: Problems.self) { try results.plan() }
    #expect(damaged?.description.hasPrefix("\(results.planFile(generation: 4)): this plan is damaged: ") == true)
  }

  /// The largest whole number once overflowed, and a sign or zeros named a generation that is read from another file.
  @Test(arguments: ["9223372036854775807", "+7", "07", "-1", "0", "", "1000000"])
  func `a file that is called nearly as a generation is none`(number: String) throws {
    try results.write(plan(two, seeds: "2"))
    try Files.replace(results.folder + "/plan-\(number).json", with: "{}")
    #expect(try results.generations == [0])
    try results.write(plan(two, seeds: "3"))
    #expect(try results.generations == [0, 1])
  }

  /// A file in the folder's place is what cannot be listed, whoever asks.
  @Test func `a folder that cannot be listed is an error and not empty`() throws {
    try Files.replace(results.folder, with: "a file")
    let said = "\(results.folder): cannot list: Not a directory"
    #expect(throws: FileError(.unreadable, said)) { try results.generations }
    #expect(throws: FileError(.unreadable, said)) { try results.plan() }
    try FileManager.default.removeItem(atPath: results.folder)
    try results.write(plan(two, seeds: "2"))
    for name in ["journal", "progress"] {
      try? FileManager.default.removeItem(atPath: "\(results.folder)/\(name)")
      try Files.replace("\(results.folder)/\(name)", with: "a file")
    }
    #expect(throws: FileError(.unreadable, "\(results.journalFolder): cannot list: Not a directory")) {
      try results.journal()
    }
    #expect(throws: FileError(.unreadable, "\(results.progressFolder): cannot list: Not a directory")) {
      try results.processes
    }
  }

  /// A link that leads nowhere has the name and cannot be read.
  @Test func `a plan that can be neither read nor made ends with an error`() throws {
    try Files.makeFolder(results.folder)
    try FileManager.default.createSymbolicLink(atPath: results.planFile, withDestinationPath: "nowhere")
    #expect(throws: FileError.self) { try results.write(plan(two, seeds: "2")) }
  }

  /// A plan of many configurations is kept in little time and little space.
  @Test func `a thousand configurations take less than 300 bytes each`() throws {
    let rates = (1...1000).map { "\(Double($0) / 100)" }.joined(separator: ", ")
    let text = #""sweep": { "grid": { "strategies.e.ewc.strength": [\#(rates)] } }"#
    let plan = try StoredPlan(Plan(Fixture.small(strategies: #""e": [{ "name": "ewc" }]"#, #""seeds": 1"#, text)))
    try results.write(plan)
    #expect(try Files.read(results.planFile).count < 300_000 + plan.experimentText.utf8.count)
    #expect(try results.plan() == plan)
  }
}
