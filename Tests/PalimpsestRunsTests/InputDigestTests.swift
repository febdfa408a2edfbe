import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestResults
import PalimpsestRuns
import PalimpsestScenarios
import TestFixtures
import Testing

/// One small table of four classes under every name.
private struct Digested: DatasetLibrary {
  let digest: String

  func dataset(named name: String) throws -> Dataset {
    Dataset(
      name: name, inputs: Table(FloatBuffer((0..<48).map { Float($0) }), columns: 1),
      labels: (0..<48).map { Int32($0 % 4) }, classes: ["a", "b", "c", "d"], training: 0..<32, test: 32..<48,
      digest: digest)
  }
}

@Suite struct InputDigestTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  func run(_ digest: String, seeds: Int = 1) async throws {
    let experiment = try Fixture.experiment(
      """
      { "name": "x", "scenarios": { "s": { "name": "split", "dataset": "tiny" } }, "strategies": { "naive": [] },
        "model": { "hidden": [2] }, "seeds": \(seeds) }
      """)
    let runner = try Runner(
      Plan(experiment), output: ResultsFolder(folder("r")), library: Digested(digest: digest), jobs: 1)
    _ = try await runner.run { _ in }
  }

  @Test func `the digest of a data set is kept beside the results and handed on`() async throws {
    try await run("abc")
    #expect(try ResultsFolder(folder("r")).inputs() == ["tiny": "abc"])
    #expect(try Results(ResultsFolder(folder("r"))).inputs == ["tiny": "abc"])
    try await run("abc", seeds: 2)
    #expect(try Results(ResultsFolder(folder("r"))).rows.count == 2)
  }

  @Test func `other data under the same name are refused, and nothing runs`() async throws {
    try await run("aaaaaaaaaaaaaaaa")
    let output = ResultsFolder(folder("r"))
    await #expect {
      try await run("bbbbbbbbbbbbbbbb", seeds: 2)
    } throws: { error in
      String(describing: error)
        == "data set \"tiny\": it is not what earlier runs in \(output.folder) were made from (SHA-256 aaaaaaaaaaaa… "
        + "then, bbbbbbbbbbbb… now). Put the earlier data back, choose another --output or pass --fresh."
    }
    #expect(try Results(output).rows.count == 1)
    try output.removeResults()
    try await run("bbbbbbbbbbbbbbbb")
    #expect(try output.inputs() == ["tiny": "bbbbbbbbbbbbbbbb"])
  }

  @Test func `a scenario that makes its own data keeps no digests`() async throws {
    let plan = try Plan(Fixture.small(strategies: #""naive": []"#))
    let output = ResultsFolder(folder("h"))
    _ = try await Runner(plan, output: output, library: EmptyLibrary(), jobs: 1).run { _ in }
    #expect(!Files.exists(output.inputsFile))
    #expect(try Results(output).inputs == [:])
  }
}
