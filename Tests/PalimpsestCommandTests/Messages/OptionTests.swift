import Palimpsest
import Testing

/// `--set`, `--over`, `--seeds`, `--only` and `--limit` of the built program.
struct OptionTests {
  @Test func `run, expand and validate take the same changes`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    let changes = [
      "--set", "training.epochs=1", "--over", "strategies.replay.reservoir.capacity=5,10", "--seeds", "7..8",
    ]
    func answer(_ command: String, _ more: String...) async throws -> Tool.Answer {
      try await Tool.run(Tool.executable, [command, "small.json"] + changes + more, in: tool.folder)
    }
    #expect(try await answer("validate").output == "small.json: 3 configurations × 2 seeds = 6 runs\n")
    #expect(
      try await answer("expand", "--no-estimate").output == """
        scenario  strategy  configurations  seeds  runs  done  to run
        visible   naive                  1      2     2     0       2
        visible   replay                 2      2     4     0       4

        3 configurations × 2 seeds = 6 runs, 0 done, 6 to run

        """)
    #expect(try await answer("run", "--quiet").status == 0)
    #expect(try await answer("expand", "--no-estimate").output.hasSuffix("6 runs, 6 done, 0 to run\n"))
    #expect(try await answer("expand").output.hasSuffix("\nnothing is left to run\n"))
  }

  @Test func `only runs what is chosen, and a limit ends with 75 while chosen runs are left`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    let first = try await tool("run", "small.json", "--quiet", "--only", "strategy=replay", "--limit", "2")
    #expect(first.status == 75)
    #expect(first.errors == "--limit: 1 of 3 runs are still to do; run again\n")
    let second = try await tool("run", "small.json", "--quiet", "--only", "strategy=replay", "--limit", "2")
    #expect(second.status == 0)
    #expect(
      try await tool("expand", "small.json", "--no-estimate").output
        .hasSuffix("2 configurations × 3 seeds = 6 runs, 3 done, 3 to run\n"))
    #expect(
      try await tool("expand", "small.json", "--no-estimate", "--only", "strategy=naive", "--limit", "1").output
        .hasSuffix("2 configurations × 3 seeds = 6 runs; chosen: 3 runs, 0 done, 1 to run\n"))
  }

  @Test func `an argument that is wrong is told as the file's mistakes are`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    let changes = try await tool("validate", "small.json", "--set", "training.epochs=x", "--seeds", "0")
    #expect(changes.status == 65)
    #expect(
      changes.errors == """
        --seeds "0": expected a count ≥ 1, a range such as 100..109, or a list such as 1,2,7
        --set "training.epochs=x": expected a whole number in [1, 1000000000], found "x"

        """)
    let only = try await tool("run", "small.json", "--only", "strategy=reply")
    #expect(only.status == 65)
    #expect(only.errors == "--only \"strategy=reply\": no strategy is called \"reply\"; did you mean \"replay\"?\n")
    let limit = try await tool("run", "small.json", "--limit", "0")
    #expect(limit.status == 64)
    #expect(limit.errors.hasPrefix("Error: --limit: 0 runs are too few; at least 1.\n"))
  }

  @Test func `expand tells what a run takes and what that rests on`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    let answer = try await tool("expand", "small.json", "--jobs", "1", "--json")
    let estimate = try JSONReader.read(answer.output, file: "").value()["estimate"]
    #expect(estimate?["jobs"]?.int == 1)
    #expect((estimate?["seconds"]?.double ?? 0) > 0)
    #expect(estimate?["pairs"]?.array?.compactMap { $0["basis"]?.string } == ["probe", "probe"])
    let text = try await tool("expand", "small.json", "--jobs", "1").output
    #expect(
      text.hasSuffix("with --jobs 1, judged from 2 pairs of scenario and strategy: 2 by the first steps of a run\n"))
  }

  @Test func `the file that shows the algebra expands as worked out by hand`() async throws {
    // Two steps of the zip, times: naive 1 + 1 (as it is; other epochs), ewc 1 + 6 + 1, replay 1 + 2 + 1, both 1 + 6 + 1.
    let answer = try await Tool()("expand", Tool.experiment("sweep-algebra.json"), "--no-estimate")
    #expect(
      answer.output == """
        scenario  strategy    configurations  seeds  runs  done  to run
        small     naive                    4      3    12     0      12
        small     ewc                     16      3    48     0      48
        small     replay                   8      3    24     0      24
        small     ewc+replay              16      3    48     0      48

        44 configurations × 3 seeds = 132 runs, 0 done, 132 to run

        """)
  }
}
