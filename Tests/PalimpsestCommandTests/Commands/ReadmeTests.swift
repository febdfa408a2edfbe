import Foundation
import Palimpsest
import Testing

/// Whatever README.md shows must work: its commands, its JSON, its Python.
struct ReadmeTests {
  private static let path = Tool.root + "/README.md"
  private static var isThere: Bool { FileManager.default.fileExists(atPath: path) }

  /// The text of the fenced blocks of a language.
  private static func blocks(_ language: String, of path: String = path) -> [String] {
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    return text.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  /// Commands of the tool, each as its arguments; comments behind them are dropped.
  private static var commands: [[String]] {
    blocks("sh").flatMap { $0.split(separator: "\n") }.compactMap { line in
      let line = line.components(separatedBy: "  #")[0].trimmingCharacters(in: .whitespaces)
      let words = line.split(separator: " ").map(String.init)
      guard let program = words.first, program == "palimpsest" || program.hasSuffix("/palimpsest") else { return nil }
      return Array(words.dropFirst())
    }
  }

  /// A folder like a fresh clone, in which the quickstart has run with two seeds.
  private func workplace() async throws -> Tool {
    let tool = try Tool()
    // Not FileManager: its copies keep their owner, which another user than the files' may not give them.
    let copied = try await Tool.run(
      "cp", ["-R", "\(Tool.root)/Experiments", "\(Tool.root)/README.md", "."], in: tool.folder)
    try #require(copied.status == 0, "\(copied.errors)")
    let text = String(decoding: try Files.read(Tool.experiment("quickstart.json")), as: UTF8.self)
    try tool.write(
      text.replacingOccurrences(of: "\"seeds\": 10", with: "\"seeds\": 2"), to: "Experiments/quickstart.json")
    let answer = try await tool("run", "Experiments/quickstart.json", "--quiet")
    try #require(answer.status == 0, "\(answer.errors)")
    return tool
  }

  @Test(.enabled(if: isThere, "there is no README.md"))
  func `every command of the README runs, and its Python reads the results`() async throws {
    let tool = try await workplace()
    for arguments in ReadmeTests.commands where arguments.first != "datasets" {
      let answer = try await Tool.run(Tool.executable, arguments, in: tool.folder)
      #expect(answer.status == 0, "palimpsest \(arguments.joined(separator: " ")): \(answer.errors)")
    }
    guard Python.has("xarray", "h5py") else { return }
    for script in ReadmeTests.blocks("python") {
      let answer = try await Tool.run("python3", ["-c", script], in: tool.folder)
      #expect(answer.status == 0, "\(script)\n\(answer.errors)")
    }
  }

  @Test(.enabled(if: Python.has("xarray", "h5py", "scipy"), "python3 with xarray, h5py and scipy is not here"))
  func `the Python of docs/results.md runs, and its intervals are those of the report`() async throws {
    let tool = try await workplace()
    let scripts = ReadmeTests.blocks("python", of: Tool.root + "/docs/results.md")
    #expect(scripts.count == 4)
    let answer = try await Tool.run("python3", ["-c", scripts.joined(separator: "\n")], in: tool.folder)
    try #require(answer.status == 0, "\(answer.errors)")
    let report = try await tool("report", "results/quickstart.h5", "--metrics", "average_accuracy")
    let lines = answer.output.split(separator: "\n").filter { $0.contains(" ± ") }
    #expect(lines.count == 16)
    for line in lines {
      let interval = String(line).components(separatedBy: "  ").last ?? ""
      #expect(report.output.contains(interval), "\(line)")
    }
  }

  @Test func `the blocks that docs/sweeps.md shows are read, and choose fairly`() throws {
    let blocks = ReadmeTests.blocks("jsonc", of: Tool.root + "/docs/sweeps.md")
    #expect(blocks.count == 2)
    for block in blocks {
      let experiment = try Experiment.read(
        """
        { "name": "x", "scenarios": { "a": { "name": "habit-phases" } },
          "strategies": { "ewc": [{ "name": "ewc" }], "si": [{ "name": "si" }], "replay": [{ "name": "reservoir" }] },
          \(block) }
        """, file: "docs/sweeps.md")
      let plan = try experiment.select.map { try Tuning(experiment, $0).plan } ?? Plan(experiment)
      #expect(plan.configurations.count > 3)
    }
  }

  /// The pages that a reader may follow line by line: experiments are saved under their names, commands are run as they stand.
  @Test(arguments: ["docs/experiments.md", "docs/scenarios.md"])
  func `the experiments of a page are valid, and its commands run`(_ page: String) async throws {
    let tool = try await workplace()
    let path = Tool.root + "/" + page
    for block in ReadmeTests.blocks("json", of: path) where block.contains("\"scenarios\"") {
      let experiment = try Experiment.read(block, file: page)
      _ = try Plan(experiment)
      try tool.write(block, to: experiment.name + ".json")
    }
    let scripts = ReadmeTests.blocks("sh", of: path)
    #expect(scripts.count > 1)
    for script in scripts {
      let whole = "palimpsest() { \"$0\" \"$@\"; }\n" + script
      let answer = try await Tool.run("/bin/bash", ["-ec", whole, Tool.executable], in: tool.folder)
      #expect(answer.status == 0, "\(script)\n\(answer.errors)")
    }
  }

  /// The rows of docs/experiments.md with two cells of code: what stands in a file, and what is said of it.
  private static var mistakes: [(written: String, said: String)] {
    let text = (try? String(contentsOfFile: Tool.root + "/docs/experiments.md", encoding: .utf8)) ?? ""
    return text.components(separatedBy: "\n").compactMap { line in
      guard line.hasPrefix("| `\""), line.hasSuffix("` |") else { return nil }
      let cells = line.dropFirst(3).dropLast(3).components(separatedBy: "` | `")
      return cells.count == 2 ? (cells[0], cells[1]) : nil
    }
  }

  @Test func `the mistakes of docs/experiments.md are told as it says`() {
    let right = [
      "\"name\": \"x\"", "\"scenarios\": { \"a\": { \"name\": \"habit-phases\" } }", "\"strategies\": { \"a\": [] }",
    ]
    #expect(ReadmeTests.mistakes.count > 15)
    for (written, said) in ReadmeTests.mistakes {
      let key = written.prefix { $0 != ":" }
      let members = right.filter { !$0.hasPrefix("\(key):") } + [written]
      let text = "{ " + members.joined(separator: ", ") + " }"
      let problems = #expect(throws: Problems.self) { try Experiment.read(text, file: "x.json") }
      #expect(problems?.description.contains(": " + said) == true, "\(text): \(problems?.description ?? "nothing")")
    }
  }

  @Test(.enabled(if: isThere, "there is no README.md"))
  func `every experiment shown in the README is valid`() throws {
    for block in ReadmeTests.blocks("json") + ReadmeTests.blocks("jsonc") where block.contains("\"scenarios\"") {
      _ = try Plan(Experiment.read(block, file: "README.md"))
    }
  }

  /// The package itself is built and run by `make examples`.
  @Test(.enabled(if: isThere, "there is no README.md"))
  func `the Swift shown in the README stands in the example package`() throws {
    let example = String(
      decoding: try Files.read(Tool.root + "/Examples/CustomStrategy/Sources/CustomStrategy/L2Init.swift"),
      as: UTF8.self)
    let shown = ReadmeTests.blocks("swift").flatMap { $0.split(separator: "\n") }.filter { !$0.contains("// …") }
    #expect(shown.count > 4)
    for line in shown { #expect(example.contains(line), "\(line)") }
  }
}
