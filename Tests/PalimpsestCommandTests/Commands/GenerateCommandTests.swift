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

  /// What a day's line of the file has of a person's log: launches, reminders, outcome, date.
  private struct FileDay {
    var opened: [Double] = []
    var tapped = 0
    var isCompleted = false
    var date = 0
  }

  /// Person by person, day by day; and each one's hours from home.
  private func fileDays(_ name: String) throws -> (days: [Int: [Int: FileDay]], zones: [Int: Double]) {
    var (days, zones) = ([Int: [Int: FileDay]](), [Int: Double]())
    for line in String(decoding: try Files.read(folder(name)), as: UTF8.self).split(separator: "\n") {
      let entry = try #require(JSONReader.read(Array(line.utf8), file: "").root)
      let (user, number) = (try #require(entry["user"]?.int), try #require(entry["day"]?.int))
      var day = days[user]?[number] ?? FileDay()
      day.date = try #require(entry["date"]?.int)
      switch entry["kind"]?.string {
      case "app-opened": day.opened.append(try #require(entry["hour"]?.double))
      case "reminder-tapped": day.tapped += 1
      case "habit-completed": day.isCompleted = true
      case "zone-changed": zones[user] = entry["value"]?.double
      default: break
      }
      days[user, default: [:]][number] = day
    }
    return (days, zones)
  }

  /// From the files alone, by the columns' definitions: a person's n-th line is day 30 + n of the log.
  @Test(arguments: ["in turn", "recurring"]) func `rows of a habit can be made again from the written log`(
    order: String
  ) async throws {
    let schedule = order == "recurring" ? ["--set", "schedule.name=recurring", "--set", "schedule.period=17"] : []
    let settings = ["users=2", "days=12", "testUsers=1", "calibration=table", "identity=hidden", "jointCeiling=none"]
    let arguments = ["generate", "habit-phases", "--output", "a"] + settings.flatMap { ["--set", $0] } + schedule
    let answer = try await Tool.run(Tool.executable, arguments, in: tool.folder)
    #expect(answer.status == 0, "\(answer.errors)")
    let (log, zones) = try fileDays("a/events.jsonl")
    let lines = try lines("a/train.csv")
    var shown: [Int: Int] = [:]
    for (number, line) in lines.dropFirst().enumerated() {
      let user = try #require(Int(line[3]))
      let day = 30 + shown[user, default: 0]
      shown[user, default: 0] += 1
      let days = try #require(log[user])
      let told = line.count - 10
      let x = line[told...].compactMap { Double($0) }
      let outcomes = (1...day).map { days[$0]?.isCompleted == true }
      let last = outcomes.lastIndex(of: true).map { $0 + 1 } ?? 0
      let today = try #require(days[day])
      let hour = (0...day).reversed().lazy.compactMap { days[$0]?.opened.min() }.first ?? .nan
      let week = (day - 6...day).reduce(0) { $0 + (days[$1]?.tapped ?? 0) }
      let recent = Array(outcomes.suffix(30))
      let season = Foundation.sin(2 * Double.pi * Double(today.date % 365) / 365)
      let streak = Double(min(outcomes.reversed().prefix { $0 }.count, 30)) / 30
      let rate = Double(recent.count { $0 }) / Double(recent.count)
      let launches = Foundation.log(1 + Double(min(today.opened.count, 40))) / Foundation.log(41)
      let gap = Double(min(day + 1 - last, 14)) / 14
      let weekend: Double = (today.date + 1) % 7 >= 5 ? 1 : 0
      let away = abs(zones[user] ?? 0) / 12
      let expected: [Double] = [
        streak, rate, launches, Double(today.tapped) / 2, hour / 24, weekend, gap, Double(week) / 14, away,
        0.5 + 0.5 * season,
      ]
      let distance = zip(x, expected).map { abs($0 - $1) }.max() ?? 1
      #expect(x.count == 10 && distance < 1e-6, "line \(number): \(x), \(expected)")
      #expect(line[told - 1] == (days[day + 1]?.isCompleted == true ? "1" : "0"))
      #expect(line[4] == "\(86_400 * number)")
    }
    #expect(lines.count == 1 + 5 * 24 && zones.values.allSatisfy { $0 == 12 } && !zones.isEmpty)
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
