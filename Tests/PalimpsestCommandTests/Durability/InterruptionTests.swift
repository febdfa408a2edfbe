import Foundation
import Palimpsest
import PalimpsestCube
import Testing

/// Ctrl-C while a run is in hand. Each step waits for what the one before it left in a file, never for a time.
struct InterruptionTests {
  /// Freezes the tool with a run in hand: the progress file names it and the journal has not got it.
  static let freezesInHand = """
    inHand() { sed -n 's/.*"run_id":"\\([0-9a-f]*\\)".*/\\1/p' $results/progress/*.json; }
    while running; do
      kill -s STOP $tool
      run=$(inHand)
      if [ -n "$run" ] && [ $(lines) -ge 1 ] && ! grep -q "\\"$run\\"" $results/journal/*.jsonl; then break; fi
      kill -s CONT $tool
      sleep 0.1
    done
    echo "$run" > in-hand
    cat $results/journal/*.jsonl > acknowledged
    kill -s INT $tool
    kill -s CONT $tool
    """

  let tool: Tool

  init() throws { tool = try Tool() }

  /// One strategy, one seed and a run for each number of epochs.
  private func write(epochs: Int..., to name: String = "small.json") throws {
    let grid = #""sweep": { "grid": { "training.epochs": \#(epochs) } }, "scenarios":"#
    let text = Small.experiment(strategies: #""naive": []"#, training: #""batch": 4"#, seeds: 1)
    try tool.write(text.replacing("\"scenarios\":", with: grid), to: name)
  }

  private var arguments: [String] { ["run", "small.json", "--jobs", "1"] }
  private var results: ResultsFolder { ResultsFolder(tool.folder + "/results/small") }

  /// The run that the signal met.
  private func inHand() throws -> String {
    String(decoding: try Files.read(tool.folder + "/in-hand").dropLast(), as: UTF8.self)
  }

  /// What the journal held when the signal came is what it begins with now.
  private func checkAcknowledged() throws {
    let before = try Files.read(tool.folder + "/acknowledged")
    let names = try Files.names(in: results.journalFolder).filter { $0.hasSuffix(".jsonl") }
    #expect(names.count == 1 && before.count > 0)
    #expect(try Files.read(results.journalFolder + "/" + names[0]).starts(with: before))
    #expect(try results.journal().damaged == [])
  }

  @Test func `the first Ctrl-C finishes the run in hand, begins no other, and the same command goes on`() async throws {
    try write(epochs: 1, 20_000, 2, 3, 4)
    let stopped = try await tool.accompanied(by: InterruptionTests.freezesInHand, "results/small", arguments)
    #expect(stopped.status == 130)
    #expect(stopped.output == "")
    #expect(stopped.errors.contains("interrupted: the runs in hand are finished first; once more ends at once\n"))
    #expect(stopped.errors.contains("\n2 of 5 runs are done and kept in results/small.h5. Go on with:\n"))
    try checkAcknowledged()
    #expect(try results.journal().entries.map(\.runID) == results.plan().runs.prefix(2).map(\.id))
    #expect(try results.journal().entries.last?.runID == inHand())
    #expect(try Files.names(in: results.progressFolder) == [])
    let resumed = try await tool("run", "small.json", "--jobs", "1")
    #expect(resumed.status == 0 && resumed.errors.contains(", 2 were done already"))
    // Each process has a journal of its own, and their names need not be in the order of time: they hold process numbers.
    let begun = try results.journal().entries.sorted { $0.started < $1.started }
    #expect(try begun.map(\.runID) == results.plan().runs.map(\.id))
    #expect(try CubeTable(file: results.cube).runs == 5)
  }

  /// The run in hand would take days.
  @Test func `the second Ctrl-C ends at once, and what was journalled stays`() async throws {
    try write(epochs: 1, 2, 1_000_000_000)
    let script =
      InterruptionTests.freezesInHand + """

        while running && ! grep -q "interrupted: " errors; do sleep 0.01; done
        kill -s INT $tool
        for tenth in $(seq 600); do running || break; sleep 0.1; done
        kill -s KILL $tool
        """
    let stopped = try await tool.accompanied(by: script, "results/small", arguments)
    #expect(stopped.status == 130)
    #expect(stopped.output == "")
    #expect(stopped.errors.hasSuffix("interrupted: the runs in hand are finished first; once more ends at once\n"))
    try checkAcknowledged()
    let ids = try results.plan().runs.map(\.id)
    #expect(try results.journal().entries.map(\.runID) == Array(ids[..<2]))
    #expect(try inHand() == ids[2])
    try write(epochs: 1, 2, 3)
    let resumed = try await tool("run", "small.json", "--jobs", "1")
    #expect(resumed.status == 0 && resumed.errors.contains(", 2 were done already"))
    #expect(try results.journal().entries.count == 3)
    #expect(try Files.names(in: results.progressFolder) == [])
    try write(epochs: 1, 2, 3, to: "straight.json")
    let straight = try await tool("run", "straight.json", "--quiet", "--output", "straight.h5")
    #expect(straight.output.dropLast("straight.h5\n".count) == resumed.output.dropLast("results/small.h5\n".count))
  }
}
