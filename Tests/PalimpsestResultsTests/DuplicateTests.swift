import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import TestFixtures
import Testing

@Suite struct DuplicateTests {
  /// Results of a plan with one run, from entries with that run's id.
  func results(_ make: (String) -> [JournalEntry]) throws -> Results {
    let plan = try Plan(Fixture.experiment(Fixture.text()))
    return try Results(plan: StoredPlan(plan), journal: Journal(entries: make(plan.runs[0].id)))
  }

  @Test func `records that differ in their times alone are one`() throws {
    let results = try results { id in
      var record = entry(id).record
      record.cost.timeTotal = 9
      record.cost.timeTrain = 8
      record.cost.timeEvaluate = 1
      record.cost.timeTask = [8]
      return [entry(id), entry(id, record, worker: "host-2-0", started: 1_700_000_100.5)]
    }
    #expect(results.rows.map(\.entry.worker) == ["host-2-0"])
  }

  @Test func `work and memory compare between records that count them alike, and in those alone`() throws {
    func both(_ revision: Int) throws -> Results {
      try results { id in
        var record = entry(id).record
        record.cost.revision = revision
        record.cost.learner.bytesMemory = 96
        return [entry(id), entry(id, record, worker: "host-2-0", started: 1_700_000_100.5)]
      }
    }
    #expect(try both(1).rows.map(\.entry.worker) == ["host-2-0"])
    #expect(throws: DuplicateError.self) { try both(RunCost.currentRevision) }
  }

  @Test func `a record keeps its revision, however it is read`() throws {
    var record = fullRecord()
    record.cost.revision = 1
    let line = entry("a", record).line
    #expect(JournalEntry.read(line.dropLast())?.record.cost.revision == 1)
    #expect(JournalEntry.read(fullEntry().line.dropLast())?.record.cost.revision == RunCost.currentRevision)
    for entry in [entry("a", record), fullEntry()] {
      let body = entry.line.dropLast(19)  // Without checksum, brace and newline.
      let spaced = Array(body) + Array(" ".utf8)
      let sealed = spaced + Array(",\"crc\":\"".utf8) + CRC32.hex(spaced[...]) + Array("\"}".utf8)
      #expect(JournalEntry.read(sealed[...]) == entry)  // By way of the tree.
    }
  }

  @Test func `records that differ in a result are an error that names both`() throws {
    let id = try Plan(Fixture.experiment(Fixture.text())).runs[0].id
    let error = #expect(throws: DuplicateError.self) {
      try results { [entry($0), entry($0, accuracy: 0.5.nextUp, worker: "other-2-1")] }
    }
    #expect(
      error?.description == """
        run \(id): the records of host-1-0 and other-2-1 differ, though the same run must give the same numbers. \
        Look for two versions of the program or processors without fused multiply-add; "--fresh" starts over.
        """)
  }

  /// The second record stands in the third line of its file, behind one that is damaged and one of another run.
  @Test func `records in files are named with file and line`() throws {
    let plan = try Plan(Fixture.experiment(Fixture.text()))
    let folder = try TemporaryFolder()
    let results = ResultsFolder(folder("r"))
    try results.write(StoredPlan(plan))
    let other = entry(plan.runs[0].id, accuracy: 0.5.nextUp, worker: "other-2-1")
    let lines = [entry(plan.runs[0].id).line, Array("{}\n".utf8) + entry("elsewhere").line + other.line]
    for (name, bytes) in zip(["a.jsonl", "b.jsonl"], lines) {
      try Files.replace(results.journalFolder + "/" + name, with: bytes)
    }
    let error = #expect(throws: DuplicateError.self) { try Results(results) }
    #expect(error?.first.place == results.journalFolder + "/a.jsonl:1")
    #expect(error?.second.place == results.journalFolder + "/b.jsonl:3")
    let places = "host-1-0 (\(results.journalFolder)/a.jsonl:1) and other-2-1 (\(results.journalFolder)/b.jsonl:3)"
    #expect(error?.description.contains("the records of \(places) differ") == true)
  }

  @Test(arguments: [RunRecord.Status.failed, .diverged, .cancelled])
  func `a completed record wins over another, whichever came first`(status: RunRecord.Status) throws {
    let first = try results { [entry($0, status, accuracy: 0.1), entry($0, accuracy: 0.9)] }
    #expect(first.rows.map { $0.entry.record.accuracy[0, 0] } == [0.9])
    let second = try results { [entry($0, accuracy: 0.9), entry($0, status, accuracy: 0.1)] }
    #expect(second.rows.map { $0.entry.record.accuracy[0, 0] } == [0.9])
  }

  @Test func `of two that did not complete the newest counts, whichever file it is in`() throws {
    let results = try results { id in
      let late = entry(id, entry(id, .failed, accuracy: 0.2).record, started: 1_700_000_001.5)
      return [entry(id, .failed, accuracy: 0.1), late, entry(id, .diverged, accuracy: 0.3)]
    }
    #expect(results.rows.map { $0.entry.record.accuracy[0, 0] } == [0.2])
  }

  @Test func `entries of no run in the plan leave the results`() throws {
    let results = try results { [entry("elsewhere"), entry($0), entry("elsewhere"), entry("there")] }
    #expect(results.rows.count == 1)
    #expect(results.outside == 2)
  }
}
