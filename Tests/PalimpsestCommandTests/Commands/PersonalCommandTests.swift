import Foundation
import Palimpsest
import TestFixtures
import Testing

/// Runs with single people from the command line.
struct PersonalCommandTests {
  let tool: Tool

  init() throws {
    tool = try Tool()
    try tool.write(
      """
      { "name": "people", "model": { "hidden": [6] }, "seeds": 2, "strategies": { "plain": [] },
        "scenarios": { "habits": { "name": "habit-personal", "population": 10, "populationDays": 20, "users": 5, "days": 30,
          "testReplicates": 3, "testDays": 10 } },
        "personal": { "curve": [3, 10] }, "output": { "keep": ["model"] },
        "policies": { "weekly": { "name": "interval" }, "never": { "name": "never" } },
        "safeguards": { "none": { "name": "none" }, "mixture": { "name": "mixture" } } }
      """, to: "people.json")
  }

  @Test func `table, status and export name policy and safeguard, on one worker as on two`() async throws {
    let run = try await tool("run", "people.json", "--jobs", "2")
    #expect(run.status == 0, "\(run.errors)")
    let shown = run.output + run.errors
    #expect(shown.contains("habits: measures, mean"))
    // Headings in two lines: "life share worse low".
    #expect(shown.contains("     life share     life share     life share       life gain  "), "\(shown)")
    #expect(shown.contains("  gain mean          worse      worse low     worse high          cvar10  "), "\(shown)")
    #expect(shown.contains("weekly") && shown.contains("mixture") && !shown.contains("policy_days"))
    let status = try await tool("status", "results/people")
    #expect(status.output.contains("8 of 8 runs done") && status.output.contains("life gain mean"))
    #expect(!status.output.contains("–"), "\(status.output)")
    let export = try await tool("export", "results/people", "--csv")
    let lines = export.output.split(separator: "\n")
    #expect(lines.count == 9 && lines[0].contains("policy") && lines[0].contains("life_share_worse_high"))
    #expect(try await tool("run", "people.json", "--jobs", "1", "--output", "results/again").status == 0)
    let again = try await tool("export", "results/again", "--csv")
    let columns = lines[0].split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let measured = columns.indices.filter { columns[$0].contains("gain") || columns[$0].contains("worse") }
    let values = [lines, again.output.split(separator: "\n")].map { table in
      table.map { line in
        let cells = line.split(separator: ",", omittingEmptySubsequences: false)
        return measured.map { String(cells[$0]) }
      }
    }
    #expect(values[0] == values[1])
  }
}
