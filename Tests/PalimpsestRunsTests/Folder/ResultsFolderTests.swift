import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestRuns
import TestFixtures
import Testing

@Suite struct ResultsFolderTests {
  @Test func `results are found by their cube, their folder or their name`() {
    for path in ["r/a", "r/a.h5", "r/a.palimpsest", "r/a.palimpsest/"] {
      #expect(ResultsFolder(path) == ResultsFolder("r/a"), "\(path)")
    }
    #expect(ResultsFolder("r/a.h5").cube == "r/a.h5")
    #expect(ResultsFolder("r/a").journalFolder == "r/a.palimpsest/journal")
  }

  @Test func `a journal folder that cannot be made is an error`() throws {
    let folder = try TemporaryFolder()
    try Files.replace(folder("file"), with: "x")
    let journal = #expect(throws: FileError.self) { try JournalWriter(folder: folder("file/journal"), host: "h") }
    #expect(journal?.kind == .unwritable)
  }

  @Test func `a folder without a plan, or with another file in its place, is told`() throws {
    let folder = try TemporaryFolder()
    let results = ResultsFolder(folder("r"))
    let missing = #expect(throws: FileError.self) { try results.plan() }
    #expect(missing?.description == "\(folder("r")).palimpsest: no results here; \"palimpsest run FILE\" makes them")
    try Files.makeFolder(results.folder)
    let next =
      "No finished run is lost: move the file away and run the experiment again as before (\"palimpsest run FILE\"), "
      + "which writes it anew and goes on"
    try Files.replace(results.planFile, with: "{}")
    let other = #expect(throws: Problems.self) { try results.plan() }
    #expect(
      other?.description
        == "\(results.planFile): this plan is damaged: something in it is no part of a plan. \(next)")
    try Files.replace(results.planFile, with: "{")
    let cut = #expect(throws: Problems.self) { try results.plan() }
    #expect(
      cut?.description == "\(results.planFile): this plan is damaged: it is not JSON (line 1, column 2). \(next)")
  }

  @Test func `a plan is kept and read back as it was`() throws {
    let folder = try TemporaryFolder()
    let results = ResultsFolder(folder("r.h5"))
    let plan = try Fixture.plan(hasPositions: false)
    try results.write(plan)
    #expect(try results.plan() == plan)
    #expect(plan.runs == (try Array(Plan(Fixture.experiment(plan.experimentText)).runs)))
    #expect(Set(plan.columns.map(\.name)).isSuperset(of: ["ewc_strength", "reservoir_capacity", "optimizer_rate"]))
  }
}

#if os(Linux)
  @Suite struct FullJournalTests {
    /// The journal is stretched to ten bytes below the largest size a file may have, so that a line fits in part.
    @Test func `a line that does not fit is taken back whole`() throws {
      let folder = try TemporaryFolder()
      let writer = try JournalWriter(folder: folder.path, host: "host")
      try writer.append(entry("a"))
      let whole = try Files.read(writer.path)
      let limit: UInt64 = 1 << 30
      let handle = try #require(FileHandle(forWritingAtPath: writer.path))
      try handle.truncate(atOffset: limit - 10)
      let error = #expect(throws: FileError.self) {
        try withFilesAtMost(limit) { try writer.append(entry("b")) }
      }
      #expect(error?.kind == .unwritable)
      #expect(error?.description == "\(writer.path): cannot write: No space left on device")
      try #require(try handle.seekToEnd() == UInt64(whole.count))
      #expect(try Files.read(writer.path) == whole)
      try writer.append(entry("c"))
      #expect(try Journal(folder: folder.path).entries.map(\.runID) == ["a", "c"])
    }

    /// Writing beyond the limit fails instead of ending the process.
    private func withFilesAtMost(_ bytes: UInt64, _ body: () throws -> Void) throws {
      _ = signal(SIGXFSZ, SIG_IGN)
      var before = rlimit()
      try #require(unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) == 0)
      var limited = rlimit(rlim_cur: rlim_t(bytes), rlim_max: before.rlim_max)
      try #require(unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limited) == 0)
      defer { _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &before) }
      try body()
    }
  }
#endif
