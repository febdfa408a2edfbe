import Foundation
import Palimpsest
import Testing

/// Standard output and standard error that are closed, full, or pipes that nobody reads.
struct StreamTests {
  /// Every command with something to print, in a folder with a finished sweep.
  static let commands = [
    "run small.json", "run small.json --json", "status results/small", "status results/small --json",
    "status results/small --watch", "collect results/small", "report results/small",
    "report results/small --format markdown", "report results/small --format latex",
    "report results/small --format csv", "report results/small --format json", "export results/small --csv",
    "export results/small --csv --what matrices", "merge results/small.h5 --output merged.h5",
    "predict results/small.palimpsest/detail/*.model --input table.csv --task 1", "validate small.json",
    "validate small.json --json", "expand small.json", "list strategies", "list metrics --json", "describe ewc",
    "schema", "datasets", "doctor", "bench --check --net tiny --variant sgd", "--help", "run --help", "help",
    "--version",
    "--generate-completion-script bash",
  ]

  let tool: Tool

  init() async throws {
    tool = try Tool()
    let experiment = Small.experiment(strategies: #""naive": []"#, seeds: 1).replacing(
      "\"seeds\":", with: "\"output\": { \"keep\": [\"model\"] },\n  \"seeds\":")
    try tool.write(experiment, to: "small.json")
    try tool.write(PredictTests.header + "\n" + PredictTests.rows[0] + "\n", to: "table.csv")
    #expect(try await tool("run", "small.json", "--quiet").status == 0)
  }

  /// What the script says, with `$tool` in front of each command's arguments.
  private func shell(_ script: String) async throws -> [String] {
    let answer = try await Tool.run(
      "/bin/bash", ["-c", "tool='\(Tool.executable)'\n" + script], in: tool.folder)
    #expect(answer.errors == "")
    return answer.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["1>/dev/full", "1>&-"])
  func `output that cannot be written ends every command with 73 and a message`(to place: String) async throws {
    let script = StreamTests.commands.map { "$tool \($0) 2>errors \(place); echo $? $(grep -c 'cannot write' errors)" }
    let ends = try await shell(script.joined(separator: "\n"))
    for (command, end) in zip(StreamTests.commands, ends) { #expect(end == "73 1", "\(command)") }
    #expect(ends.count == StreamTests.commands.count)
  }

  @Test func `a reader that has gone ends every command quietly`() async throws {
    let script = StreamTests.commands.map { command in
      """
      rm -f gone
      { until [ -e gone ]; do sleep 0.002; done; $tool \(command) 2>errors; echo $? $(wc -c <errors) >end; } | \
      { exec <&-; touch gone; }
      cat end
      """
    }
    let ends = try await shell(script.joined(separator: "\n"))
    for (command, end) in zip(StreamTests.commands, ends) {
      #expect(command.hasPrefix("run small") ? end.hasPrefix("141 ") : end == "141 0", "\(command)")
    }
    #expect(ends.count == StreamTests.commands.count)
  }

  @Test func `results that cannot be printed are kept, and the message says so`() async throws {
    let script = "$tool run small.json --seeds 2 --quiet --output results/other.h5 2>&1 1>/dev/full"
    #expect(
      try await shell(script) == [
        "standard output: cannot write: No space left on device. The runs are kept: \"palimpsest report "
          + "results/other.h5\" prints this again"
      ])
    #expect(try await tool("status", "results/other").status == 0)
    #expect(tool.exists("results/other.h5"))
  }

  @Test(arguments: [
    "2>/dev/full", "2>&-", "0<&- 2>&-", "0<&- 1>/dev/null 2>&-", "2>&1 >/dev/null | (exec <&-; sleep 0.1)",
  ])
  func `messages that nobody takes stop no sweep and stand in no journal`(_ place: String) async throws {
    let arguments = "run small.json --seeds 40 --output results/other.h5"
    let ends = try await shell("$tool \(arguments) >/dev/null \(place); echo ${PIPESTATUS[0]}")
    #expect(ends == ["0"])
    let journal = try ResultsFolder(tool.folder + "/results/other").journal()
    #expect(journal.damaged == [])
    #expect(journal.entries.count == 40)
  }

  @Test func `a sweep waits for nobody who does not read its messages`() async throws {
    let script = """
      mkfifo slow; exec 4<>slow
      head -c 1000000 /dev/zero | timeout 0.3 cat >&4
      timeout -s KILL 120 $tool run small.json --seeds 40 --output results/other.h5 2>&4 >/dev/null; echo $?
      """
    #expect(try await shell(script) == ["0"])
  }

  @Test func `nothing in the tool prints past the place where errors are noticed`() throws {
    let folder = Tool.root + "/Sources/PalimpsestCommand"
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
    #expect(files.count > 20)
    for file in files {
      let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
      for way in ["Swift.print", "FileHandle.standard", "fputs", "debugPrint", "dump("] {
        #expect(!text.contains(way), "\(file): \(way)")
      }
    }
  }
}
