import Foundation
import Palimpsest
import Testing

/// `palimpsest status`.
struct StatusTests {
  @Test func `status counts, shows means, and ends with 75 until all runs have ended`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 3), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    let done = try await tool("status", "results/small")
    #expect(done.status == 0)
    let lines = done.output.split(separator: "\n")
    #expect(lines[0] == "small: 6 of 6 runs done (100 %)")
    #expect(lines[1].hasPrefix("scenario  strategy  n  average accuracy"))
    #expect(lines[2].hasPrefix("visible   naive     3  "))
    #expect(lines.count == 4)
    let folder = ResultsFolder(tool.folder + "/results/small")
    try extend(folder)
    let open = try await tool("status", "results/small")
    #expect(open.status == 75)
    #expect(open.output.hasPrefix("small: 6 of 8 runs done (75 %), nobody is at work\n"))
    #expect(open.output.contains("naive     3/4  "))
  }

  /// Gives the plan a fourth seed that nobody has run.
  /// - Returns: a run of it.
  @discardableResult
  private func extend(_ folder: ResultsFolder) throws -> String {
    let experiment = try Experiment.read(Small.experiment(seeds: 4), file: "small.json")
    let plan = try folder.write(StoredPlan(Plan(experiment)))
    return try #require(plan.configurations[0].runIDs.last)
  }

  @Test func `status says the same with sums of the journals, with a part of one, and without`() async throws {
    let tool = try Tool()
    try tool.write(
      Small.experiment(strategies: #""ewc": [{ "name": "ewc" }], "joint": [{ "name": "joint" }]"#, seeds: 3),
      to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    let folder = ResultsFolder(tool.folder + "/results/small")
    try extend(folder)
    let name = try #require(try Files.names(in: folder.journalFolder).first { $0.hasSuffix(".jsonl") })
    let journal = folder.journalFolder + "/" + name
    #expect(JournalSum(beside: journal)?.count == 6)
    func both() async throws -> [String] {
      [try await tool("status", "results/small").output, try await tool("status", "results/small", "--json").output]
    }
    let whole = try await both()
    var part = JournalSum()
    for entry in try folder.journal().entries.prefix(2) { part.add(entry, line: entry.line) }
    try part.write(beside: journal)
    #expect(JournalSum(beside: journal)?.count == 2)
    #expect(try await both() == whole)
    try FileManager.default.removeItem(atPath: JournalSum.path(beside: journal))
    #expect(try await both() == whole)
  }

  @Test func `settings of a sweep are lines of their own, as in the report, and of many the latest are shown`()
    async throws
  {
    let tool = try Tool()
    let text = Small.experiment(strategies: #""ewc": [{ "name": "ewc" }]"#, seeds: 2)
    try tool.write(text, to: "small.json")
    let over = (1...60).map(String.init).joined(separator: ",")
    _ = try await tool("run", "small.json", "--quiet", "--over", "strategies.ewc.ewc.strength=1,1000")
    let lines = try await tool("status", "results/small").output.split(separator: "\n")
    #expect(lines[1].hasPrefix("scenario  strategy  ewc_strength  n  average accuracy"))
    #expect(lines[2].hasPrefix("visible   ewc                  1  2  "))
    #expect(lines[3].hasPrefix("visible   ewc               1000  2  "))
    func number(_ line: Substring) -> Substring? { line.split(separator: " ").dropFirst(4).first }
    let report = try await tool("report", "results/small", "--metrics", "average_accuracy").output
    for line in lines[2...3] { #expect(report.contains(" \(number(line) ?? "?") ± ")) }

    _ = try await tool(
      "run", "small.json", "--quiet", "--over", "strategies.ewc.ewc.strength=\(over)", "--limit", "120")
    let many = try await tool("status", "results/small").output.split(separator: "\n")
    #expect(many.count == 53 && many[52] == "10 more configurations are not shown; \"palimpsest report\" has them")
    let json = try JSONReader.read(try await tool("status", "results/small", "--json").output, file: "status").value()
    #expect(json["rows"]?.array?.count == 60 && json["rows"]?[1]?["settings"]?["ewc_strength"]?.int == 2)
  }

  @Test func `status tells who is at work, stale or dead`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 3), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    let folder = ResultsFolder(tool.folder + "/results/small")
    let new = try extend(folder)
    let now = Date().timeIntervalSince1970
    func progress(_ host: String, _ process: Int, _ updated: String) throws {
      let worker = #"{"worker":0,"run_id":"\#(new)","task":1,"of":3,"examples_per_s":5000,"started":\#(now)}"#
      try tool.write(
        """
        {"format":1,"host":"\(host)","process":\(process),"started":\(now - 100),"updated":\(updated),"runs_per_s":0.5,
         "workers":[\(worker)],"claims":[]}
        """, to: "results/small.palimpsest/progress/\(host)-\(process).json")
    }
    // A shell writes the hour just before it asks, so that no delay of the tests makes it an old one.
    func status(_ arguments: String) async throws -> String {
      try progress("ada", 7, "HOUR")
      try progress("bob", 8, "\(now - 36000)")
      try progress(Provenance.hostName, 0x7fff_fff0, "HOUR")
      let script = """
        sed -i "s/HOUR/$(date +%s)/" results/small.palimpsest/progress/*.json
        exec '\(Tool.executable)' status results/small \(arguments)
        """
      return try await Tool.run("/bin/sh", ["-c", script], in: tool.folder).output
    }
    let text = try await status("")
    #expect(text.hasPrefix("small: 6 of 8 runs done (75 %), 1 running, 0.5 runs/s, 4.0 s left\n"))
    #expect(text.contains("\nbob-8 is stale: last heard of 10 h "))
    #expect(text.contains("\n\(Provenance.hostName)-2147483632 has died: last heard of "))
    let json = try JSONReader.read(try await status("--json"), file: "status").value()
    #expect(json["missing"]?.int == 2 && json["running"]?.int == 1 && json["complete"]?.bool == false)
    let states = json["processes"]?.array?.compactMap { $0["state"]?.string }
    #expect(states?.sorted() == ["dead", "stale", "working"])
    let worker = json["processes"]?.array?.first { $0["state"]?.string == "working" }?["workers"]?[0]
    #expect(worker?["run_id"]?.string == new && worker?["examples_per_s"]?.double == 5000)
    #expect(json["rows"]?[0]?["metrics"]?["expected_average_accuracy"]?["n"]?.int == 3)
  }

  @Test func `watching ends with the plan, and elsewhere than on a terminal prints a line a change`() async throws {
    let tool = try Tool()
    let training = #""epochs": 20, "batch": 4"#
    try tool.write(Small.experiment(training: training, seeds: 40, users: 6), to: "small.json")
    let script = """
      while running && [ ! -e $results/plan.json ]; do sleep 0.01; done
      '\(Tool.executable)' status results/small --watch --every 0.05 > watched; echo $? > status
      """
    let run = try await tool.accompanied(by: script, "results/small", ["run", "small.json", "--quiet", "--jobs", "1"])
    #expect(run.status == 0)
    func text(_ name: String) throws -> String {
      String(decoding: try Files.read(tool.folder + "/" + name), as: UTF8.self)
    }
    let watched = try text("watched")
    #expect(try text("status") == "0\n")
    #expect(("\n" + watched).contains("\nsmall: 80 of 80 runs done (100 %)\n"))
    #expect(watched.contains(" of 80 runs done ("))
    #expect(!watched.contains("\u{1B}"))
  }

  @Test func `a folder without results is told`() async throws {
    let answer = try await Tool()("status", "results/none")
    #expect(answer.status == 66)
    #expect(answer.errors == "results/none.palimpsest: no results here; \"palimpsest run FILE\" makes them\n")
  }

  @Test func `an experiment in place of results is told as what it is`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    let answer = try await tool("status", "small.json")
    #expect(answer.status == 66)
    #expect(
      answer.errors
        == "small.json: results are asked for, and this is an experiment file; its results are results/NAME.h5 with its "
        + "\"name\", or what --output named\n")
  }
}
