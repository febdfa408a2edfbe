import PalimpsestJSON
import PalimpsestRuns
import TestFixtures
import Testing

@Suite struct ProgressTests {
  @Test func `a process heard of in the future is not at work for ever`() throws {
    let folder = try TemporaryFolder()
    let results = ResultsFolder(folder("r"))
    try Files.makeFolder(results.progressFolder)
    try Files.replace(
      results.progressFolder + "/elsewhere-1.json",
      with: #"{"format":1,"host":"elsewhere","process":1,"updated":1000}"#)
    let progress = try #require(try results.processes.first)
    #expect(progress.state(at: 950) == .working)
    #expect(progress.state(at: 900) == .stale)
    #expect(progress.state(at: 1061) == .stale)
  }
}
