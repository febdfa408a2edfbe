import Foundation
import Palimpsest
import PalimpsestCube
import Testing

/// What a sweep says of itself: its log, the models it did not keep, the time left.
struct LogTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
  }

  private var logs: [String] { (try? Files.names(in: tool.folder + "/results/small.palimpsest/log")) ?? [] }

  private func text(_ log: String) throws -> String {
    String(decoding: try Files.read(tool.folder + "/results/small.palimpsest/log/" + log), as: UTF8.self)
  }

  @Test func `what a run says stands beside the journal, with times and without terminal codes`() async throws {
    let answer = try await tool("run", "small.json", "--jobs", "1")
    #expect(answer.status == 0)
    #expect(logs.count == 1)
    let lines = try text(logs[0]).split(separator: "\n").map(String.init)
    let time = try Regex(#"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (.*)"#)
    let said = lines.compactMap { $0.wholeMatch(of: time).flatMap { $0[1].substring }.map(String.init) }
    #expect(said.count == lines.count)
    #expect(said.first?.hasPrefix("palimpsest 0.1.0") == true)
    #expect(said.first?.hasSuffix(": run small.json --jobs 1") == true)
    #expect(said.dropFirst().joined(separator: "\n") + "\n" == answer.errors)
    #expect(said.last?.hasPrefix("6 runs in ") == true)
  }

  @Test func `each call has a log, errors stand in it, and --fresh takes them away`() async throws {
    _ = try await tool("run", "small.json", "--quiet", "--limit", "2")
    #expect(logs.count == 1)
    #expect(try text(logs[0]).hasSuffix("Z --limit: 4 of 6 runs are still to do; run again\n"))
    _ = try await tool("run", "small.json")
    #expect(logs.count == 2)
    _ = try await tool("run", "small.json", "--fresh")
    #expect(logs.count == 1)
  }

  @Test func `a call that is refused leaves no log`() async throws {
    try tool.write("no cube", to: "results/small.h5")
    #expect(try await tool("run", "small.json").status == 73)
    #expect(!tool.exists("results/small.palimpsest"))
  }

  @Test func `a terminal is told that the time left is being estimated`() async throws {
    let command = "'\(Tool.executable)' run small.json --jobs 1 >/dev/null"
    let answer = try await Tool.run(
      "/usr/bin/script", ["-qec", command, "/dev/null"], environment: ["TERM": "xterm"], in: tool.folder)
    #expect(answer.status == 0)
    #expect(answer.output.contains("  0/6 runs  estimating the time left"))
    #expect(answer.output.contains("/6 runs  ") && answer.output.contains(" left"))
    #expect(try !text(logs[0]).contains("\u{1B}"))
  }

  @Test func `models that are asked for too late are missed, and the command line may ask for them`() async throws {
    let usual = try await tool("run", "small.json", "--quiet")
    let late = try await tool("run", "small.json", "--quiet", "--set", "output.keep=model")
    #expect(late.status == 0 && late.output == usual.output)
    #expect(
      late.errors
        == "output.keep: 6 finished runs have no kept model, for models are kept when a run ends. --fresh does all runs again, "
        + "another --output keeps these beside them\n")
    let more = try await tool("run", "small.json", "--quiet", "--set", #"output.keep=["model"]"#, "--seeds", "4")
    #expect(more.errors.hasPrefix("output.keep: 6 finished runs have no kept model"))
    #expect(try Files.names(in: tool.folder + "/results/small.palimpsest/detail").count == 2)
    let fresh = try await tool("run", "small.json", "--quiet", "--set", "output.keep=model", "--fresh")
    #expect(fresh.errors == "")
    #expect(try Files.names(in: tool.folder + "/results/small.palimpsest/detail").count == 6)
    let none = try await tool("run", "small.json", "--quiet", "--set", "output.keep=[]", "--fresh")
    #expect(none.errors == "" && !tool.exists("results/small.palimpsest/detail"))
    let wrong = try await tool("validate", "small.json", "--set", "output.keep=modell")
    #expect(wrong.status == 65 && wrong.errors.contains("--set \"output.keep=modell\""))
  }

  @Test func `results name the commit of the program beside that of the working folder`() async throws {
    _ = try await tool("run", "small.json", "--quiet")
    let version = try await tool("--version").output.trimmingCharacters(in: .whitespacesAndNewlines)
    let entries = try ResultsFolder(tool.folder + "/results/small").journal().entries
    let commit = try #require(entries.first).toolkitCommit
    let mark = commit.hasSuffix("-dirty") ? "-dirty" : ""
    #expect(version == (commit.isEmpty ? "0.1.0" : "0.1.0 (\(commit.prefix(12))\(mark))"))
    let words = try await tool("doctor").output.split(separator: "\n")[0].split(separator: " ").dropFirst().prefix(3)
    #expect(words.joined(separator: " ").hasPrefix("palimpsest \(version.prefix(20))"))
    let cube = try CubeTable(file: tool.folder + "/results/small.h5")
    #expect(try cube.strings("toolkit_commit") == Array(repeating: commit, count: 6))
    #expect(cube.column("git_commit") != nil)
  }
}
