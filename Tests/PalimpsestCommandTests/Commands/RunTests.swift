import Foundation
import Palimpsest
import Testing

/// `palimpsest run` from the file to the table.
struct RunTests {
  @Test func `a run ends with the table, the path of the cube and nothing else on standard output`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    let answer = try await tool("run", "small.json", "--jobs", "2")
    #expect(answer.status == 0)
    let lines = answer.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines.first
        == "visible: noise-free accuracy, mean ± half-width of the 95 % interval over seeds (Student's t)")
    // Wider than a screen: headings stand in two lines.
    #expect(lines[1].hasPrefix("                average                      learning"))
    #expect(lines[2].hasPrefix("strategy       accuracy     forgetting       accuracy"))
    #expect(lines[2].hasSuffix("NR   kept  multiply-adds  n"))
    #expect(lines[3].hasPrefix("naive  ") && lines[3].hasSuffix("  –   1284         262080  3"))
    #expect(lines[4].hasPrefix("replay  "))
    #expect(lines.suffix(2) == ["results/small.h5", ""])
    #expect(tool.exists("results/small.h5"))
  }

  @Test func `elsewhere than on a terminal progress is plain lines without control characters`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 10), to: "small.json")
    let answer = try await tool("run", "small.json", "--color", "always")
    let lines = answer.errors.split(separator: "\n")
    #expect(lines.contains { $0.hasPrefix("20/20 runs (100 %), ") })
    #expect(lines.last?.hasPrefix("20 runs in ") == true)
    #expect(lines.count <= 11)
    #expect(!answer.errors.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    #expect(!answer.output.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  @Test func `quiet says nothing on standard error`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    #expect(try await tool("sweep", "small.json", "--quiet").errors == "")
  }

  @Test func `running again runs nothing and a larger experiment runs what is missing`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 2), to: "small.json")
    let first = try await tool("run", "small.json")
    let again = try await tool("run", "small.json")
    #expect(again.errors == "all 4 runs were done already\n")
    #expect(again.output == first.output)
    try tool.write(Small.experiment(seeds: 3), to: "small.json")
    let more = try await tool("run", "small.json")
    #expect(more.errors.hasSuffix("4 were done already\n"))
    #expect(more.errors.contains("\n2 runs in "))
    let fresh = try await tool("run", "small.json", "--fresh")
    #expect(fresh.errors.contains("\n6 runs in "))
    #expect(fresh.output == more.output)
  }

  @Test func `settings under two labels are run once and told as such`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(strategies: #""a": [], "b": []"#, seeds: 2), to: "small.json")
    let first = try await tool("run", "small.json")
    #expect(first.errors.contains("\n2 runs in "))
    #expect(first.errors.hasSuffix(", 2 more have the same settings under another label\n"))
    #expect(try await tool("run", "small.json").errors == "all 4 runs were done already\n")
    try tool.write(Small.experiment(strategies: #""a": [], "b": []"#, seeds: 3), to: "small.json")
    let more = try await tool("run", "small.json")
    #expect(more.errors.contains("\n1 run in "))
    #expect(more.errors.hasSuffix(", 1 more has the same settings under another label, 4 were done already\n"))
  }

  @Test func `one job and two jobs give the same bits`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(seeds: 4), to: "small.json")
    _ = try await tool("run", "small.json", "--jobs", "1", "--output", "one.h5")
    _ = try await tool("run", "small.json", "--jobs", "2", "--output", "two.h5")
    let one = try Results(ResultsFolder(tool.folder + "/one.h5")).rows
    let two = try Results(ResultsFolder(tool.folder + "/two.h5")).rows
    #expect(one.count == 8)
    #expect(one.map(\.run) == two.map(\.run))
    for (a, b) in zip(one, two) { #expect(a.entry.record.hasSameResults(as: b.entry.record)) }
    #expect(one[0].entry.record.accuracy != one[1].entry.record.accuracy)
  }

  @Test func `a run that diverges is recorded, told and ends with 1`() async throws {
    let tool = try Tool()
    let training = #""epochs": 2, "batch": 16, "optimizer": { "name": "sgd", "rate": 1e30 }"#
    try tool.write(Small.experiment(strategies: #""naive": []"#, training: training, seeds: 2), to: "small.json")
    let answer = try await tool("run", "small.json", "--quiet")
    #expect(answer.status == 1)
    #expect(answer.output.contains("\nvisible, naive: 2 of 2 runs diverged; they are not in the means.\n"))
    #expect(answer.output.hasSuffix("results/small.h5\n"))
  }

  @Test func `JSON on standard output holds every number of the table`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    let answer = try await tool("run", "small.json", "--quiet", "--json")
    let json = try JSONReader.read(answer.output, file: "output").value()
    #expect(json["cube"]?.string == "results/small.h5")
    #expect(json["completed"]?.int == 6)
    let row = try #require(json["rows"]?[1])
    #expect(row["strategy"]?.string == "replay")
    let mean = try #require(row["metrics"]?["expected_average_accuracy"]?["mean"]?.double)
    #expect(mean > 0.3 && mean < 1)
    #expect(row["metrics"]?["expected_normalised_retention"]?["mean"]?.isNull == true)
    let reason = row["metrics"]?["expected_normalised_retention"]?["undefined_because"]?.string
    #expect(reason == "the joint ceiling of the scenario is not known")
  }

  @Test(arguments: ["INT", "TERM"])
  func `a signal finishes the runs in hand, says how to go on, and going on gives the same numbers`(
    signal: String
  ) async throws {
    let tool = try Tool()
    let training = #""epochs": 20, "batch": 4"#
    try tool.write(Small.experiment(training: training, seeds: 30, users: 10), to: "small.json")
    let stopped = try await tool.signalled(signal, "results/small", "run", "small.json", "--jobs", "1")
    #expect(stopped.status == 130)
    #expect(stopped.output == "")
    #expect(stopped.errors.contains("interrupted: the runs in hand are finished first; once more ends at once\n"))
    #expect(stopped.errors.contains(" of 60 runs are done and kept in results/small.h5. Go on with:\n"))
    #expect(stopped.errors.contains("/palimpsest run small.json --jobs 1\n"))
    #expect(try await tool("collect", "results/small").status == 75)
    let resumed = try await tool("run", "small.json", "--jobs", "2")
    #expect(resumed.status == 0)
    #expect(resumed.errors.contains(" were done already\n"))
    let straight = try await tool("run", "small.json", "--quiet", "--output", "results/straight.h5")
    #expect(
      straight.output.dropLast("results/straight.h5\n".count) == resumed.output.dropLast("results/small.h5\n".count))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "needs script(1)"))
  func `on a terminal progress is one line that is redrawn at most ten times a second`() async throws {
    let tool = try Tool()
    let training = #""epochs": 40, "batch": 4"#
    try tool.write(Small.experiment(training: training, seeds: 15, users: 10), to: "small.json")
    let start = ContinuousClock.now
    let command = "'\(Tool.executable)' run small.json >/dev/null"
    let answer = try await Tool.run(
      "/usr/bin/script", ["-qec", command, "/dev/null"], environment: ["TERM": "xterm"], in: tool.folder)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let redraws = answer.output.components(separatedBy: "\r\u{1B}[K").count - 1
    #expect(answer.status == 0)
    #expect(answer.output.contains("━"))
    #expect(answer.output.contains("\u{1B}[32m"))
    #expect(redraws >= 1 && Double(redraws) <= 10 * seconds + 2)
    let dumb = try await Tool.run(
      "/usr/bin/script", ["-qec", command + " --fresh", "/dev/null"], environment: ["TERM": "dumb"], in: tool.folder)
    #expect(!dumb.output.contains("\u{1B}"))
    let plain = try await Tool.run(
      "/usr/bin/script", ["-qec", command + " --fresh", "/dev/null"], environment: ["TERM": "xterm", "NO_COLOR": "1"],
      in: tool.folder)
    #expect(plain.output.contains("\u{1B}[K") && !plain.output.contains("\u{1B}[32m"))
  }
}
