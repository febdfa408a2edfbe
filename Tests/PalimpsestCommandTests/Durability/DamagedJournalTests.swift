import Foundation
import Palimpsest
import Testing

/// Every command that reads results says which lines it left out, in the same words and with the exit code it has anyway.
struct DamagedJournalTests {
  /// Six runs whose first journal line has one wrong digit, and what is to be said of it.
  private func tool() async throws -> (Tool, warning: String) {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    #expect(try await tool("run", "small.json", "--quiet", "--jobs", "1").status == 0)
    let journal = tool.folder + "/results/small.palimpsest/journal"
    let name = try #require(try Files.names(in: journal).first { $0.hasSuffix(".jsonl") })
    var bytes = try Files.read("\(journal)/\(name)")
    let digit = try #require(bytes.firstIndex(of: UInt8(ascii: "0")))
    bytes[digit] = UInt8(ascii: "1")
    try Files.replace("\(journal)/\(name)", with: bytes)
    return (tool, "\(name):1: this line is torn or damaged and does not count\n")
  }

  @Test func `all readers name a damaged line`() async throws {
    let (tool, warning) = try await tool()
    try FileManager.default.removeItem(atPath: tool.folder + "/results/small.h5")
    let journals = [["export", "results/small", "--csv"], ["report", "results/small"], ["collect", "results/small"]]
    let cube = [["export", "results/small.h5", "--csv"], ["merge", "results/small.h5", "-o", "merged.h5"]]
    for arguments in journals + cube {
      let answer = try await Tool.run(Tool.executable, arguments, in: tool.folder)
      #expect(answer.errors.hasSuffix(warning), "\(arguments): \(answer.errors)")
      #expect(answer.status == (arguments[0] == "collect" ? 75 : 0), "\(arguments)")
    }
    let status = try await tool("status", "results/small")
    #expect(status.output.contains(warning.dropLast()) && status.status == 75, "\(status)")
    let run = try await tool("run", "small.json", "--quiet")
    #expect(run.errors.contains(warning) && run.status == 0, "\(run)")
  }
}

/// What a spreadsheet would run.
struct SpreadsheetTests {
  @Test func `texts that begin like formulas get an apostrophe where it is asked for, numbers never`() async throws {
    let tool = try Tool()
    let strategies = #""=1+1": [], "@x": [{ "name": "reservoir", "capacity": 20 }]"#
    try tool.write(Small.experiment(strategies: strategies, seeds: 1), to: "small.json")
    #expect(try await tool("run", "small.json", "--quiet").status == 0)
    for command in [["export", "results/small", "--csv"], ["report", "results/small", "--format", "csv"]] {
      let plain = try await Tool.run(Tool.executable, command, in: tool.folder).output
      let safe = try await Tool.run(Tool.executable, command + ["--spreadsheet-safe"], in: tool.folder).output
      #expect(plain.contains(",=1+1,") && plain.contains(",@x,") && plain.contains(",-"), "\(plain)")
      #expect(safe == plain.replacing(",=1+1,", with: ",'=1+1,").replacing(",@x,", with: ",'@x,"))
    }
    let answer = try await tool("report", "results/small", "--spreadsheet-safe")
    #expect(answer.status == 64)
    #expect(answer.errors == "--spreadsheet-safe: only CSV goes to spreadsheets; add --format csv\n")
  }
}
