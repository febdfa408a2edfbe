import Foundation
import PalimpsestJSON
import PalimpsestRuns
import TestFixtures
import Testing

/// What the file system under results is asked for.
struct FolderTrialTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private var results: ResultsFolder { ResultsFolder(folder.path + "/a/b/new.h5") }

  @Test func `this machine's disk does what workers need, and nothing is left behind`() throws {
    do {
      let trial = try FolderTrial(for: results)
      #expect(trial.place == folder.path)
      let checks = trial.checks
      #expect(checks.map(\.key) == ["folder_link", "folder_rename", "folder_times", "folder_clock"])
      #expect(checks.filter { !$0.isRight } == [])
      #expect(checks[3].finding == "that of this machine")
    }
    #expect(try Files.names(in: folder.path) == [])
  }

  @Test func `it is tried in the results themselves where they are there`() throws {
    try Files.makeFolder(results.folder)
    #expect(try FolderTrial(for: results).place == results.folder)
    #expect(try Files.names(in: results.folder) == [])
  }

  @Test func `each file is answered once, and the one who answers ends with the trial`() async throws {
    let results = results
    // Among all other tests each turn may wait for minutes.
    let patience = 1500.0
    async let answered = FolderTrial.answer(results, patience: patience)
    do {
      let trial = try FolderTrial(for: results)
      let check = try await trial.roundTrips(5, patience: patience)
      #expect(check.finding.hasPrefix("a new file and its answer within "), "\(check.finding)")
    }
    // One goes before them.
    #expect(try await answered == 6)
  }

  @Test func `silence is told, and so is that there is no trial`() async throws {
    let check = try await FolderTrial(for: results).roundTrips(3, patience: 0.05)
    #expect(!check.isRight && check.finding.hasPrefix("no answer within 0.1 s to file 1 of another process"))
    #expect(try await FolderTrial.answer(results, patience: 0.02) == 0)
  }

  @Test func `a folder that takes no files is refused with the system's words`() {
    let error = #expect(throws: FileError.self) { try FolderTrial(for: ResultsFolder("/proc/palimpsest.h5")) }
    #expect(error?.kind == .unwritable && error?.description.hasPrefix("/proc: cannot make a folder here: ") == true)
  }
}
