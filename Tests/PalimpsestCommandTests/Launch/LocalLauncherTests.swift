import Foundation
import Palimpsest
import Testing

/// `run FILE --launcher local`.
@Suite struct LocalLauncherTests {
  let tool: Tool

  init() throws { tool = try Tool() }

  private var results: ResultsFolder { ResultsFolder(tool.folder + "/results/small") }

  @Test func `worker processes give what one process gives`() async throws {
    try tool.write(Small.experiment(), to: "small.json")
    let launched = try await tool("run", "small.json", "--launcher", "local", "--tasks", "2")
    #expect(launched.status == 0)
    #expect(
      launched.errors.contains(
        "launch 1: 6 runs in 4 blocks for 2 workers, which log to results/small.palimpsest/log/1\n"))
    let straight = try await tool("run", "small.json", "--quiet", "--output", "straight.h5")
    #expect(
      launched.output.dropLast("results/small.h5\n".count) == straight.output.dropLast("straight.h5\n".count))
    #expect(try await tool("compare", "results/small.h5", "straight.h5", "--same-bits").status == 0)
    let again = try await tool("run", "small.json", "--launcher", "local")
    #expect(again.status == 0 && again.errors.contains("nothing to submit: all 6 runs are done\n"))
    #expect(again.output == launched.output)
  }

  @Test func `a worker that dies is started anew`() async throws {
    try tool.write(
      Small.experiment(strategies: #""naive": []"#, training: #""epochs": 6000, "batch": 4"#, seeds: 12),
      to: "small.json"
    )
    let script = """
      while running && [ $(lines) -lt 1 ]; do sleep 0.05; done
      kill -9 $(pgrep -f "worker .*small.palimpsest --launch 1 --task 0" -P $tool)
      """
    let answer = try await tool.accompanied(
      by: script, "results/small", ["run", "small.json", "--launcher", "local", "--tasks", "2"])
    #expect(answer.status == 0)
    #expect(answer.errors.contains("workers died and were started anew, 1 time; "))
    #expect(try results.journal().entries.count == 12)
  }

  @Test func `Ctrl-C ends the workers, and the same command goes on`() async throws {
    try tool.write(
      Small.experiment(strategies: #""naive": []"#, training: #""epochs": 3000, "batch": 4"#, seeds: 12),
      to: "small.json")
    let stopped = try await tool.signalled(
      "INT", "results/small", "run", "small.json", "--launcher", "local", "--tasks", "2")
    #expect(stopped.status == 130)
    #expect(stopped.errors.contains(" of 12 runs are done and kept in results/small.h5; the same command goes on\n"))
    #expect(try results.leases(ofLaunch: 1).allSatisfy { $0.isDone || $0.age == .infinity })
    let resumed = try await tool("run", "small.json", "--launcher", "local", "--tasks", "2")
    #expect(resumed.status == 0)
    #expect(try results.journal().entries.count == 12)
  }

  @Test func `--fresh takes launches away too`() async throws {
    try tool.write(Small.experiment(seeds: 1), to: "small.json")
    #expect(try await tool("run", "small.json", "--launcher", "local", "--quiet").status == 0)
    #expect(try await tool("run", "small.json", "--fresh", "--quiet").status == 0)
    #expect(try Files.names(in: results.launchFolder) == [] && Files.names(in: results.programFolder) == [])
  }
}
