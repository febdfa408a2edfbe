import Testing

/// `merge` and `export`, and `report` of files that have no folder.
struct MergeTests {
  /// Two sweeps that share a seed, and their cubes away from their folders.
  private func tool() async throws -> Tool {
    let tool = try Tool()
    for (name, seeds) in [("a", "[0, 1]"), ("b", "[1, 2]")] {
      let text = Small.experiment(name: name).replacing("\"seeds\": 3", with: "\"seeds\": \(seeds)")
      try tool.write(text, to: "\(name).json")
      #expect(try await tool("run", "\(name).json", "--quiet").status == 0)
      _ = try await Tool.run("cp", ["results/\(name).h5", "\(name).h5"], in: tool.folder)
    }
    return tool
  }

  @Test func `files without their folders become one, and it can be reported and exported`() async throws {
    let tool = try await tool()
    let merge = try await tool("merge", "a.h5", "b.h5", "-o", "deep/c.h5")
    #expect(merge.output == "deep/c.h5: 6 runs of 2 files, 2 of them in more than one\n", "\(merge.errors)")
    #expect(merge.status == 0 && merge.errors == "deep: this folder was not there and has been made\n")
    // Another file name makes another experiment of the same runs: all three seeds at once.
    try tool.write(Small.experiment(name: "whole"), to: "whole.json")
    let whole = try await tool("run", "whole.json", "--quiet")
    let report = try await tool("report", "deep/c.h5")
    #expect(report.status == 0 && whole.output.hasPrefix(report.output), "\(report.output)\(whole.output)")
    let export = try await tool("export", "deep/c.h5", "--csv")
    #expect(export.output.split(separator: "\n").count == 7)
    let all = try await tool("export", "results/a.h5", "--csv", "--what", "all", "--output", "tables")
    #expect(all.status == 0 && all.output.isEmpty)
    for name in ["runs", "matrices", "tasks", "pairs"] { #expect(tool.exists("tables/\(name).csv")) }
  }

  @Test func `what cannot be merged is told in one line`() async throws {
    let tool = try await tool()
    func expect(_ arguments: [String], _ status: Int, _ message: String) async throws {
      let answer = try await Tool.run(Tool.executable, ["merge"] + arguments, in: tool.folder)
      #expect(answer.status == status && answer.errors == message + "\n" && answer.output.isEmpty, "\(answer)")
    }
    try await expect(
      ["a.h5", "b.h5", "-o", "./a.h5"], 64,
      "--output ./a.h5: this is one of the files to be merged (a.h5); choose another name")
    try await expect(
      ["a.h5", "b.h5", "-o", "results/a.h5"], 64,
      "--output results/a.h5: results/a.palimpsest has a plan of its own, from which this file would be made anew; "
        + "choose another name")
    try tool.write("another program's", to: "other.h5")
    try await expect(
      ["a.h5", "b.h5", "-o", "other.h5"], 64,
      "--output other.h5: this file is there and is no file of results; choose another name")
    try await expect(["a.h5", "none.h5", "-o", "c.h5"], 66, "none.h5: there is no such file.")
    try await expect(["a.h5", "a.json", "-o", "c.h5"], 65, "a.json: it is no HDF5 file.")
    try await expect(["a.h5", "./a.h5", "-o", "c.h5"], 64, "a.h5 is given twice")
    #expect(!tool.exists("c.h5"))
  }

  @Test func `several tables need a folder`() async throws {
    let tool = try await tool()
    let answer = try await tool("export", "a.h5", "--what", "all")
    #expect(answer.status == 64)
    #expect(answer.errors == "--what all: several tables need a folder; add --output DIR\n")
    let missing = try await tool("export", "none")
    #expect(missing.status == 66)
  }
}
