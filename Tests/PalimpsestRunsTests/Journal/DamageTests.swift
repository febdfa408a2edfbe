import PalimpsestJSON
import PalimpsestRuns
import TestFixtures
import Testing

/// Bits that fall over in journals and digests, on which the meaning of results hangs.
@Suite struct DamageTests {
  @Test func `a bit that falls over in a journal costs its line or joins two, and is always told`() throws {
    let folder = try TemporaryFolder()
    let entries = (0..<8).map { entry("run \($0)", accuracy: Double($0) / 8) }
    let lines = entries.map(\.line)
    Damage.flip(lines.reduce([], +), 3) { damaged, place in
      do {
        try Files.replace(folder("j.jsonl"), with: damaged)
        let journal = try Journal(folder: folder.path)
        #expect(!journal.damaged.isEmpty, "byte \(place)")
        #expect(journal.entries.count >= 6 && journal.entries.allSatisfy(entries.contains), "byte \(place)")
        let index = try JournalIndex(folder: folder.path)
        #expect(index.entries.map(\.runID) == journal.entries.map(\.runID), "byte \(place)")
      } catch {
        Issue.record(error)
      }
    }
  }

  @Test func `digests of data that are damaged are refused, those of earlier versions are read`() throws {
    let folder = try TemporaryFolder()
    let results = ResultsFolder(folder("r"))
    try Files.makeFolder(results.folder)
    let whole = SealedJSON.sealed(["format": 2, "inputs": ["tiny": "abc", "other": "def"]])
    try Files.replace(results.inputsFile, with: whole)
    #expect(try results.inputs() == ["tiny": "abc", "other": "def"])
    try Damage.flip(whole, 4) { damaged, place in
      try Files.replace(results.inputsFile, with: damaged)
      #expect(throws: Problems.self, "byte \(place)") { try results.inputs() }
    }
    try Files.replace(results.inputsFile, with: #"{"tiny": "abc"}"#)
    #expect(try results.inputs() == ["tiny": "abc"])
    try Files.replace(results.inputsFile, with: #"{"tiny": 7}"#)
    let error = #expect(throws: Problems.self) { try results.inputs() }
    #expect(
      error?.description
        == "\(results.inputsFile): this file is damaged. Move it away and run again: the digests of the data are then "
        + "taken anew")
  }
}
