import Foundation
import Palimpsest
import TestFixtures
import Testing

/// `palimpsest generate`.
@Suite struct GenerateCommandTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private func folder(_ name: String) -> String { tool.folder + "/" + name }

  private func lines(_ file: String) throws -> [[String]] {
    let text = String(decoding: try Files.read(folder(file)), as: UTF8.self)
    return text.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func `the rows of a seed stand in the files, with p* beside them`() async throws {
    let answer = try await tool(
      "generate", "habit-phases", "--set", "users=2", "--set", "testUsers=1", "--set", "days=5", "--set",
      "calibration=table", "--seed", "3", "--output", "a")
    #expect(answer.status == 0, "\(answer.errors)")
    var settings = HabitPhases()
    (settings.users, settings.testUsers, settings.days, settings.calibration) = (2, 1, 5, .table)
    let stream = Run.data(of: try settings.prepare(from: EmptyLibrary()), seed: 3)
    let rows = try lines("a/train.csv")
    #expect(rows.count == 1 + 5 * 10)
    #expect(rows[0].prefix(8) == ["task", "concept", "row", "user", "time", "p_true", "label", "currentStreak"])
    for task in 0..<5 {
      let batch = stream.trainingRows(for: task).batch
      for i in 0..<10 {
        let row = rows[1 + task * 10 + i]
        #expect(row[0] == "\(task)" && row[2] == "\(i)" && Int32(row[6]) == batch.labels[i])
        #expect(Float(row[5]) == stream.trainingRows(for: task).truth?[i])
        #expect((0..<10).allSatisfy { Float(row[7 + $0]) == batch.inputs[i, $0] })
      }
    }
    #expect(try lines("a/test.csv").count == 1 + 5 * 5)
    #expect(try lines("a/events.jsonl").count > 100)
  }

  @Test func `equal settings and seed give equal digests, another seed gives another`() async throws {
    func digest(_ seed: Int, _ name: String) async throws -> String? {
      let answer = try await tool("generate", "sea", "--seed", "\(seed)", "--output", name)
      #expect(answer.status == 0, "\(answer.errors)")
      let manifest = JSONReader.read(try Files.read(folder("\(name)/manifest.json")), file: "").root
      let files = manifest?["files"]?.array ?? []
      for file in files {
        let bytes = try Files.read(folder("\(name)/\(file["name"]?.string ?? "")"))
        #expect(file["sha256"]?.string == sha256(bytes))
      }
      #expect(files.count == 2)
      return manifest?["content_sha256"]?.string
    }
    let (a, b, c) = (try await digest(1, "a"), try await digest(1, "b"), try await digest(2, "c"))
    #expect(a != nil && a == b && a != c)
  }

  @Test func `an earlier stream in the folder goes, and nothing of anybody else's`() async throws {
    let habit = ["generate", "habit-phases", "--set", "users=2", "--set", "testUsers=1", "--set", "calibration=table"]
    #expect(try await Tool.run(Tool.executable, habit + ["--output", "a"], in: tool.folder).status == 0)
    #expect(Files.exists(folder("a/events.jsonl")))
    #expect(try await tool("generate", "sea", "--output", "a").status == 0)
    #expect(try Files.names(in: folder("a")) == ["manifest.json", "test.csv", "train.csv"])
    try Files.makeFolder(folder("b"))
    try Files.replace(folder("b/train.csv"), with: "mine")
    let refused = try await tool("generate", "sea", "--output", "b")
    #expect(refused.status != 0 && refused.errors.contains("b/train.csv: the file is there, and no manifest.json"))
    #expect(try Files.read(folder("b/train.csv")) == Array("mine".utf8))
  }

  /// Four of five rows are trained on, and a stream shows all.
  @Test func `rows that a run over tasks keeps for tests are marked`() async throws {
    try Files.makeFolder(folder("datasets/own"))
    let rows = (0..<40).map { "\($0 % 7),\($0),\($0 % 3 == 0 ? 1 : 0)\n" }.joined()
    try Files.replace(folder("datasets/own/own.csv"), with: "x,t,label\n" + rows)
    let answer = try await tool(
      "generate", "table", "--set", "dataset=own", "--set", "tasks.count=2", "--output", "a",
      environment: ["PALIMPSEST_DATASETS": folder("datasets")])
    #expect(answer.status == 0, "\(answer.errors)")
    let (train, test) = (try lines("a/train.csv"), try lines("a/test.csv"))
    let mark = try #require(train[0].firstIndex(of: "held_out"))
    #expect(train.count == 41 && train.dropFirst().count { $0[mark] == "1" } == test.count - 1 && test.count > 2)
    #expect(!test[0].contains("held_out"))
    let manifest = JSONReader.read(try Files.read(folder("a/manifest.json")), file: "").root
    let tasks = manifest?["tasks"]?.array ?? []
    #expect(tasks.reduce(0) { $0 + ($1["rows"]?.int ?? 0) } == 40)
    #expect(tasks.reduce(0) { $0 + ($1["training_rows"]?.int ?? 0) } == 41 - test.count)
  }

  /// FNV-1a over the words of the rows as the files have them: of each task inputs, labels, p*, training rows first.
  private func fold(_ sets: [[[String]]], task: Int, into hash: inout UInt64) {
    for set in sets {
      let rows = set.dropFirst().filter { $0[0] == "\(task)" }
      let words =
        rows.flatMap { $0[7...].map { (Float($0) ?? .nan).bitPattern } } + rows.map { UInt32($0[6]) ?? 0 }
        + rows.map { (Float($0[5]) ?? .nan).bitPattern }
      for word in words { hash = (hash ^ UInt64(word)) &* 0x100_0000_01b3 }
    }
  }

  @Test func `the rows' digest is that of the runs of the seed, and can be worked out from the files`() async throws {
    let answer = try await tool("generate", "sea", "--set", "rowsPerTask=40", "--seed", "1", "--output", "a")
    #expect(answer.status == 0, "\(answer.errors)")
    let manifest = JSONReader.read(try Files.read(folder("a/manifest.json")), file: "").root
    let sets = [try lines("a/train.csv"), try lines("a/test.csv")]
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for task in 0..<4 { fold(sets, task: task, into: &hash) }
    #expect(manifest?["data_digest"]?.int == Int(truncatingIfNeeded: hash))
    try tool.write(
      #"""
      { "name": "s", "scenarios": { "s": { "name": "sea", "rowsPerTask": 40 } }, "training": { "tasks": 2 },
        "strategies": { "naive": [], "replay": [{ "name": "reservoir", "capacity": 5 }] }, "seeds": 2 }
      """#, to: "s.json")
    #expect(try await tool("run", "s.json", "--quiet").status == 0)
    let rows = try Results(ResultsFolder(tool.folder + "/results/s")).rows
    #expect(rows.count == 4)
    for row in rows {
      let digest = row.entry.record["data_digest"]?.integers?.first
      #expect((digest == Int(truncatingIfNeeded: hash)) == (row.run.seed == 1) && digest != nil)
    }
  }

  @Test func `mistakes are told`() async throws {
    for (scenario, option, value, message) in [
      ("see", "--seed", "0", "no scenario is called \"see\"; did you mean \"sea\"?"), ("sea", "--seed", "-1", "seed"),
      ("sea", "--set", "nois=1", "has no parameter \"nois\""),
      ("split", "--set", "dataset=none", "data set \"none\" is not there"),
      ("table", "--set", "tasks.by=user", "table.tasks.by: tasks by \"user\" need the scenario's \"owner\""),
    ] {
      let answer = try await tool("generate", scenario, option, value, "--output", "x")
      #expect(answer.status != 0 && answer.errors.contains(message), "\(answer.errors)")
    }
    #expect(try await tool("generate", "sea", "--output", "").errors.contains("a folder is wanted"))
    #expect(!Files.exists(folder("x")))
  }
}
