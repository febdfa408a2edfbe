import Foundation
import Palimpsest
import Testing

/// Names from files and arguments do nothing to a terminal.
struct VisibleOutputTests {
  /// Clears the screen, turns the direction of writing, begins a line of its own.
  private static let hostile = "a\u{1B}[2J\u{202E}b\nc"
  private static let shown = "a\\u{1B}[2J\\u{202E}b\\u{A}c"

  private func isVisible(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0 == "\n" || $0.isPrintable }
  }

  @Test func `arguments with escape sequences are shown in messages, not obeyed`() async throws {
    let tool = try Tool()
    let file = try await tool("run", "x\u{1B}[31m.json")
    #expect(file.errors == "x\\u{1B}[31m.json: cannot read: No such file or directory\n")
    let name = try await tool("describe", "x\u{202E}y")
    #expect(isVisible(name.errors) && name.errors.hasPrefix("nothing is called \"x\\u{202E}y\""))
    let option = try await tool("run", "x.json", "--x\u{1B}[31m")
    #expect(option.status == 64)
    #expect(isVisible(option.errors) && option.errors.contains("--x\\u{1B}[31m"))
    let data = try await tool("datasets", "add", "x\u{1B}[31m", "--from", "y.csv")
    #expect(data.status == 65 && isVisible(data.errors))
  }

  @Test func `a good file of a hostile name is shown on one line`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "x\u{1B}\ny.json")
    #expect(
      try await tool("validate", "x\u{1B}\ny.json").output
        == "x\\u{1B}\\u{A}y.json: 2 configurations × 3 seeds = 6 runs\n")
  }

  @Test func `labels of results made by hand or by older versions are shown, and data stay exact`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    _ = try await tool("run", "small.json", "--quiet")
    let folder = ResultsFolder(tool.folder + "/results/small")
    var plan = try folder.plan()
    plan.name = VisibleOutputTests.hostile
    for i in plan.configurations.indices {
      plan.configurations[i].scenario = VisibleOutputTests.hostile
      plan.configurations[i].strategy = VisibleOutputTests.hostile + String(i)
    }
    try FileManager.default.removeItem(atPath: folder.planFile)
    try folder.write(plan)
    let commands = [
      ["status"], ["report"], ["report", "--format", "markdown"], ["report", "--format", "latex"],
    ]
    for command in commands {
      let answer = try await Tool.run(
        Tool.executable, [command[0], "results/small"] + command.dropFirst(), in: tool.folder)
      #expect(answer.status == 0)
      #expect(isVisible(answer.output) && isVisible(answer.errors), "\(command)")
      #expect(command.count == 3 || answer.output.contains(VisibleOutputTests.shown + "0  "), "\(command)")
    }
    let csv = try await tool("report", "results/small", "--format", "csv")
    #expect(csv.output.contains(VisibleOutputTests.hostile + "0"))
    let json = try await tool("report", "results/small", "--json")
    let rows = try JSONReader.read(json.output, file: "").value()["rows"]?.array
    #expect(rows?.first?["strategy"]?.string == VisibleOutputTests.hostile + "0")
  }
}
