import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import TestFixtures
import Testing

/// Records that stay in their journals: the same rows as with all of them in memory.
@Suite struct FinishedRunsTests {
  private let folder: TemporaryFolder
  private let results: ResultsFolder
  private let ids: [String]

  init() throws {
    folder = try TemporaryFolder()
    results = ResultsFolder(folder("r"))
    let plan = try Plan(Fixture.experiment(Fixture.text(#""seeds": 4"#)))
    try results.write(StoredPlan(plan))
    ids = plan.runs.map(\.id)
  }

  private func write(_ journals: [[UInt8]]) throws {
    for (number, bytes) in journals.enumerated() {
      try Files.replace(results.journalFolder + "/\(number).jsonl", with: bytes)
    }
  }

  private func expectSame(block: Int = 2) throws {
    let (whole, runs) = try (Results(results), FinishedRuns(results))
    let rows = try runs.blocks(of: block).flatMap { try runs.rows($0) }
    #expect(rows.map(\.run) == whole.rows.map(\.run))
    #expect(rows.map(\.entry) == whole.rows.map(\.entry))
    #expect(runs.statuses == whole.rows.map(\.entry.record.status))
    #expect(runs.damaged == whole.damaged && runs.outside == whole.outside && runs.inputs == whole.inputs)
  }

  /// Several lines a run, torn and damaged ones, one that an editor has spaced, and runs of another plan; in files of any order.
  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]]) func `rows are those of results in memory`(order: [Int]) throws {
    var again = entry(ids[0]).record
    again.cost.timeTotal = 9
    let late = entry(ids[0], again, worker: "host-2-0", started: 1_700_000_100.5)
    let spaced = Array(entry(ids[2], .diverged).line.dropLast(19)) + Array(" ".utf8)
    let tail = Array(",\"crc\":\"".utf8) + CRC32.hex(spaced[...]) + Array("\"}\n".utf8)
    let journals = [
      entry(ids[3]).line + entry(ids[0]).line + entry("elsewhere").line,
      Array("{}\n".utf8) + entry(ids[1], .failed).line + late.line + spaced + tail,
      entry(ids[1], accuracy: 0.25).line + entry("elsewhere").line + entry(ids[2]).line.prefix(50),
    ]
    try write(order.map { journals[$0] })
    try expectSame()
    try expectSame(block: 100)
    #expect(try FinishedRuns(results).outside == 1)
    #expect(try FinishedRuns(results).rows([0]).map(\.entry.worker) == ["host-2-0"])
  }

  @Test func `no journal is no run`() throws {
    try expectSame()
    #expect(try FinishedRuns(results).count == 0)
  }

  @Test func `records that differ are the same error as in memory`() throws {
    try write([entry(ids[0]).line, entry(ids[0], accuracy: 0.5.nextUp, worker: "other-2-1").line])
    let whole = #expect(throws: DuplicateError.self) { try Results(results) }
    let lines = #expect(throws: DuplicateError.self) { try FinishedRuns(results) }
    #expect(lines == whole && lines?.second.place == results.journalFolder + "/1.jsonl:1")
  }

  @Test func `a journal that was changed meanwhile is an error, not another record`() throws {
    try write([entry(ids[0]).line + entry(ids[1]).line])
    let runs = try FinishedRuns(results)
    try write([entry(ids[1]).line])
    let path = results.journalFolder + "/0.jsonl"
    for (run, byte) in [(0, 0), (1, entry(ids[0]).line.count)] {
      let error = #expect(throws: FileError.self) { try runs.rows(run..<run + 1) }
      let text = "the line at byte \(byte) is not there any more: this file was changed meanwhile; try again"
      #expect(error?.description == "\(path): \(text)")
    }
  }
}
