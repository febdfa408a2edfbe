import Foundation
import PalimpsestCore
import PalimpsestDatasets
import PalimpsestExperiments
import PalimpsestMetrics
import Testing

/// A record with something in every field.
func fullRecord() -> RunRecord {
  var record = RunRecord(status: .diverged, tasks: ["morning \"é\" 🌅", "night\nshift"])
  record.error = "the loss is nan in step 3 of task 1"
  record.accuracy = AccuracyMatrix([[0.1 + 0.2, .nan], [1.0 / 3, .leastNonzeroMagnitude]])
  record.expectedAccuracy = AccuracyMatrix([[0.25, .nan], [.nan, 1]])
  record.logLoss = AccuracyMatrix([[0.6931471805599453, .nan], [1e-300, 123456.789]])
  record.accuracyBefore = [0.5, .nan]
  record.expectedAccuracyBefore = [.nan, 0.125]
  record.zeroShotUnmeasured = "outputs of tasks not yet learned are masked"
  record.curve = [
    CurvePoint(task: 0, examples: 48, accuracy: [0.75, .nan], expectedAccuracy: nil),
    CurvePoint(task: 1, examples: 96, accuracy: [0.5, 1], expectedAccuracy: [.nan, 0.0625]),
  ]
  record.truth = ScenarioTruth(
    bayesAccuracy: [0.86, 0.87], crossAccuracy: [[0.86, 0.5], [0.4, 0.87]], totalVariation: [[0, 0.3], [0.3, 0]],
    hellinger: [[0, 0.2], [0.2, 0]], jointCeiling: 0.8)
  record.cost.timeTotal = 1.5
  record.cost.timeTrain = 1.25
  record.cost.timeEvaluate = 0.25
  record.cost.timeTask = [0.75, 0.5]
  record.cost.steps = 12
  record.cost.examples = 192
  record.cost.learner.bytesModel = 1
  record.cost.learner.bytesOptimizer = 2
  record.cost.learner.bytesImportance = 3
  record.cost.learner.bytesMemory = 4
  record.cost.learner.multiplyAdds = 9_007_199_254_740_993
  return record
}

func entry(
  _ id: String, _ status: RunRecord.Status = .completed, accuracy: Double = 0.5, worker: String = "host-1-0"
) -> JournalEntry {
  var record = RunRecord(status: status, tasks: ["a"])
  record.accuracy = AccuracyMatrix([[accuracy]])
  return entry(id, record, worker: worker)
}

func entry(
  _ id: String, _ record: RunRecord, worker: String = "host-1-0", started: Double = 1_700_000_000.5
) -> JournalEntry {
  JournalEntry(
    runID: id, record: record, started: started, host: "host", worker: worker, instructionSet: "avx2",
    toolkitVersion: "0.1.0", gitCommit: "abc", toolkitCommit: "def")
}

func fullEntry() -> JournalEntry {
  entry("0123456789abcdef0123456789abcdef", fullRecord())
}

@Suite struct JournalTests {
  @Test func `a record goes to a line and back without losing a bit`() throws {
    let entry = fullEntry()
    let line = entry.line
    #expect(line.last == UInt8(ascii: "\n"))
    #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    let back = try #require(JournalEntry.read(line.dropLast()))
    #expect(back == entry)
    #expect(back.line == line)
  }

  @Test func `a line of a program that knew no commit of its own is read as one without`() throws {
    let line = String(decoding: fullEntry().line, as: UTF8.self)
    let body = try #require(
      line.replacing(#","toolkit_commit":"def""#, with: "").components(separatedBy: ",\"crc\"").first)
    let old = Array("\(body),\"crc\":\"\(String(decoding: CRC32.hex(Array(body.utf8)[...]), as: UTF8.self))\"}".utf8)
    #expect(old.count < line.utf8.count - 20)
    let back = try #require(JournalEntry.read(old[...]))
    #expect(back.toolkitCommit == "" && back.record == fullEntry().record && fullEntry().toolkitCommit == "def")
  }

  @Test func `what was not measured stays not measured`() throws {
    var record = entry("a").record
    record.truth = ScenarioTruth(
      bayesAccuracy: [0.9], crossAccuracy: [[0.9]], totalVariation: [[0]], hellinger: [[0]], jointCeiling: .nan)
    let back = try #require(JournalEntry.read(entry("a", record).line.dropLast())).record
    #expect(try #require(back.truth).jointCeiling.isNaN)
    #expect(back.logLoss[0, 0].isNaN)
    #expect(back.expectedAccuracy == nil)
    #expect(back.zeroShotUnmeasured == nil)
    #expect(back.curve.isEmpty)
  }

  /// The text of a truth is kept from line to line, and so is what was read of it; lists with NaN are equal to nothing.
  @Test func `runs with the same truth, another and none keep their own`() throws {
    func record(_ bayes: [Double]?, ceiling: Double = .nan) -> RunRecord {
      var record = entry("").record
      record.truth = bayes.map {
        ScenarioTruth(
          bayesAccuracy: $0, crossAccuracy: [[0.9]], totalVariation: [[0]], hellinger: [[0]], jointCeiling: ceiling)
      }
      return record
    }
    let unknown = [Double.nan]
    let records = [
      record([0.9]), record([0.9]), record([0.8]), record(nil), record([0.8]), record([0.8], ceiling: 0.7),
      record(unknown), record(unknown), record([0.9]),
    ]
    let entries = records.enumerated().map { entry("run \($0)", $1) }
    var (writer, scanner) = (EntryWriter(), EntryScanner())
    for entry in entries {
      let line = writer.line(entry)
      #expect(line == entry.line)
      #expect(try scanner.entry(line.dropLast(), in: line).line == line)
    }
  }

  /// CRC-32 of "123456789" is cbf43926 in every table of check values; here the line is judged by zlib's polynomial.
  @Test func `a line is JSON with the CRC-32 of what comes before as its last key`() throws {
    let line = String(decoding: entry("a").line.dropLast(), as: UTF8.self)
    let parts = line.components(separatedBy: #","crc":""#)
    try #require(parts.count == 2)
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in parts[0].utf8 {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
    }
    #expect(parts[1] == String(format: "%08x", ~crc) + "\"}")
    #expect(JSONReader.read(line, file: "line").problems.isEmpty)
  }

  @Test func `a flipped bit anywhere in a line is seen`() {
    let line = Array(fullEntry().line.dropLast())
    var undetected: [Int] = []
    for byte in line.indices {
      for bit in 0..<8 {
        var damaged = line
        damaged[byte] ^= 1 << bit
        if JournalEntry.read(damaged[...]) != nil { undetected.append(byte) }
      }
    }
    #expect(undetected == [])
  }

  @Test func `a file cut at any byte gives exactly its whole lines`() throws {
    let folder = try TemporaryFolder()
    let lines = ["a", "b", "c"].map { entry($0).line }
    let whole = lines.reduce([], +)
    let ends = [0, lines[0].count, lines[0].count + lines[1].count, whole.count]
    for cut in 0...whole.count {
      try Data(whole[..<cut]).write(to: URL(fileURLWithPath: folder("j.jsonl")))
      let journal = try Journal(folder: folder.path)
      let complete = ends.lastIndex { $0 <= cut } ?? 0
      try #require(journal.entries.map(\.runID) == Array(["a", "b", "c"][..<complete]), "cut at \(cut)")
      let torn = ends.contains(cut) ? [] : ["\(folder.path)/j.jsonl:\(complete + 1)"]
      try #require(journal.damaged == torn, "cut at \(cut)")
    }
  }

  @Test func `damage in one line costs that line alone`() throws {
    let folder = try TemporaryFolder()
    var lines = ["a", "b", "c"].map { entry($0).line }
    lines[1][20] ^= 1
    try Data(lines.reduce([], +)).write(to: URL(fileURLWithPath: folder("j.jsonl")))
    var journal = try Journal(folder: folder.path)
    #expect(journal.entries.map(\.runID) == ["a", "c"])
    #expect(journal.damaged == ["\(folder.path)/j.jsonl:2"])
    lines[1][20] ^= 1
    lines[0][lines[0].count - 1] ^= 4  // the newline: two lines become one
    try Data(lines.reduce([], +)).write(to: URL(fileURLWithPath: folder("j.jsonl")))
    journal = try Journal(folder: folder.path)
    #expect(journal.entries.map(\.runID) == ["c"])
    #expect(journal.damaged == ["\(folder.path)/j.jsonl:1"])
  }

  /// Several megabytes, read piece by piece, each by several threads.
  @Test func `a long journal is read in order, and damaged lines are counted right`() throws {
    let folder = try TemporaryFolder()
    let ids = (0..<3000).map { "run-\($0)" }
    let broken = [0, 499, 500, 1700, 2999]
    var lines = ids.map { entry($0).line }
    let bytes = lines.reduce(0) { $0 + $1.count }
    #expect(bytes > 1 << 20)
    for line in broken { lines[line][20] ^= 1 }
    try Data(lines.joined()).write(to: URL(fileURLWithPath: folder("j.jsonl")))
    let whole = ids.indices.filter { !broken.contains($0) }.map { ids[$0] }
    let damaged = broken.map { "\(folder("j.jsonl")):\($0 + 1)" }
    var journal = try Journal(folder: folder.path)
    #expect(journal.entries.map(\.runID) == whole)
    #expect(journal.damaged == damaged)
    let index = try JournalIndex(folder: folder.path)
    #expect(index.entries.map(\.runID) == whole)
    #expect(index.damaged == damaged)
    let handle = try #require(FileHandle(forWritingAtPath: folder("j.jsonl")))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(entry("last").line))
    try journal.readOn()
    #expect(journal.entries.map(\.runID) == whole + ["last"])
  }

  @Test(arguments: [0, 1, 2, 7, 64, 1000]) func `cores share a range without gaps`(count: Int) {
    let parts = Cores.map(count, atLeast: 2) { $0 }
    #expect(parts.first?.lowerBound == 0 && parts.last?.upperBound == count)
    for (part, next) in zip(parts, parts.dropFirst()) { #expect(part.upperBound == next.lowerBound) }
    #expect(parts.count == 1 || parts.allSatisfy { $0.count >= 2 })
  }

  @Test func `each writer has a file of its own, and all files are read`() throws {
    let folder = try TemporaryFolder()
    let journals = folder("deep/journal")
    let first = try JournalWriter(folder: journals, host: "host")
    try first.append(entry("a"))
    let before = try Files.read(first.path)
    let others = try (0..<50).map { _ in try JournalWriter(folder: journals, host: "host") }
    #expect(Set(others.map(\.path) + [first.path]).count == 51)
    try others[0].append(entry("b"))
    try others[49].append(entry("c"))
    #expect(try Files.read(first.path) == before)
    #expect(try Journal(folder: journals).entries.map(\.runID).sorted() == ["a", "b", "c"])
  }

  @Test func `other files in the folder and a folder that is not there are no journal`() throws {
    let folder = try TemporaryFolder()
    try Files.replace(folder("notes.txt"), with: "no line\n")
    #expect(try Journal(folder: folder.path).damaged == [])
    #expect(try Journal(folder: folder("none")).entries.isEmpty)
  }
}

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

  @Test func `a record without a revision is of the first, however it is read`() throws {
    var record = fullRecord()
    record.cost.revision = 1
    let line = entry("a", record).line
    #expect(!String(decoding: line, as: UTF8.self).contains("revision"))
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
