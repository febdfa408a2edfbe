import Foundation
import Palimpsest
import PalimpsestTesting
import Testing

/// `run --checkpoint-every`: stopped, killed, and gone on with.
struct CheckpointCommandTests {
  /// One run of a second or two: some thousand steps with importance, memory and evaluation within tasks.
  static func long(epochs: Int) -> String {
    """
    {
      "name": "long",
      "scenarios": { "a": {
        "name": "habit-phases", "phases": [0, 1, 3], "users": 6, "days": 20, "burnIn": 5, "testUsers": 5,
        "calibration": "table", "jointCeiling": "none" } },
      "training": { "epochs": \(epochs), "batch": 8 },
      "evaluation": { "everySteps": 500 },
      "strategies": { "all": [ { "name": "si" }, { "name": "reservoir", "capacity": 50 }, { "name": "heads" } ] }
    }
    """
  }

  @Test func `an interval that is none is told with those that are`() async throws {
    let tool = try Tool()
    try tool.write(Small.experiment(), to: "small.json")
    let answer = try await tool("run", "small.json", "--checkpoint-every", "5 parsecs")
    #expect(answer.status == 64)
    #expect(
      answer.errors.hasPrefix(
        "Error: --checkpoint-every: \"5 parsecs\" is no interval. Give a time such as 30s, 5min or 1h, or a number of "
          + "steps such as 2000.\n"))
  }

  @Test func `Ctrl-C saves the run in hand, and running again goes on from there with the same bits`() async throws {
    let tool = try Tool()
    let name = try tool.write(CheckpointCommandTests.long(epochs: 1500), to: "long.json")
    let expected = try await whole(tool, name)
    let stopped = try await ended(by: "INT", tool, "run", name, "--checkpoint-every", "40", "--output", "ended.h5")
    #expect(stopped.status == 130)
    #expect(stopped.errors.contains("interrupted: the runs in hand are saved; once more ends at once\n"))
    let detail = try Files.names(in: tool.folder + "/ended.palimpsest/detail")
    #expect(detail.count == 1 && detail.allSatisfy { $0.hasSuffix(".ckpt") })
    #expect(try await tool("run", name, "--quiet", "--output", "ended.h5").status == 0)
    let rows = try Results(ResultsFolder(tool.folder + "/ended")).rows
    #expect(rows.first?.entry.record.hasSameResults(as: expected) == true)
  }

  /// The record of a run that nothing interrupts.
  private func whole(_ tool: Tool, _ name: String) async throws -> RunRecord {
    let answer = try await tool("run", name, "--quiet", "--output", "whole.h5")
    try #require(answer.status == 0, "\(answer.errors)")
    return try #require(Results(ResultsFolder(tool.folder + "/whole")).rows.first).entry.record
  }

  /// Runs `palimpsest` with results in `ended.h5` and sends it a signal a moment after it has written a checkpoint.
  private func ended(by signal: String, _ tool: Tool, _ arguments: String...) async throws -> Tool.Answer {
    let command = ([Tool.executable] + arguments).map { "'\($0)'" }.joined(separator: " ")
    let script = """
      set -m
      saved() { stat -c %y ended.palimpsest/detail/*.ckpt 2>/dev/null; }
      before=$(saved)
      \(command) & tool=$!
      while kill -0 $tool 2>/dev/null && [ "$(saved)" = "$before" ]; do sleep 0.005; done
      sleep \(Double.random(in: 0...0.05))
      kill -s \(signal) $tool 2>/dev/null
      wait $tool
      """
    return try await Tool.run("/bin/bash", ["-c", script], in: tool.folder)
  }

  /// - Parameter kills: killed -9 at random moments that many times, then left to end.
  @Test(arguments: Tier.slow ? [20] : [5])
  func `one long run, killed again and again, ends with the bits of one that never was`(kills: Int) async throws {
    let tool = try Tool()
    let name = try tool.write(CheckpointCommandTests.long(epochs: 400 * kills), to: "long.json")
    let expected = try await whole(tool, name)
    var killed = 0
    for _ in 0..<kills {
      let answer = try await ended(
        by: "KILL", tool, "run", name, "--quiet", "--checkpoint-every", "40", "--output", "ended.h5")
      killed += answer.status == 137 ? 1 : 0
      #expect(!answer.errors.contains("begins anew"))
      #expect(try Files.names(in: tool.folder + "/ended.palimpsest/detail").contains { $0.hasSuffix(".ckpt") })
    }
    let end = try await tool("run", name, "--quiet", "--output", "ended.h5")
    #expect(end.status == 0 && end.errors == "")
    let rows = try Results(ResultsFolder(tool.folder + "/ended")).rows
    #expect(rows.count == 1)
    #expect(rows[0].entry.record.hasSameResults(as: expected))
    #expect(rows[0].entry.record.cost.steps == expected.cost.steps)
    #expect(killed == kills)
    #expect(try Files.names(in: tool.folder + "/ended.palimpsest/detail") == [])
    print("\(killed) kills in one run of \(expected.cost.steps) steps: the same bits")
  }
}
