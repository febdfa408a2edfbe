import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns
import TestFixtures
import Testing

/// Journals that are packed into one: all that reads journals reads it, and nothing is lost on the way.
struct JournalPackingTests {
  private let folder: TemporaryFolder
  private let results: ResultsFolder
  private let plan: Plan

  init() throws {
    folder = try TemporaryFolder()
    results = ResultsFolder(folder("r"))
    plan = try Plan(Fixture.small(strategies: #""naive": [], "ewc": [{ "name": "ewc" }]"#, #""seeds": 40"#))
    try results.write(StoredPlan(plan))
  }

  /// Journals of the plan's runs, dealt by turns.
  private func writeJournals(_ count: Int, lines: Range<Int>? = nil) throws {
    for number in 0..<count {
      var (bytes, sum) = ([UInt8](), JournalSum())
      for (place, run) in plan.runs.enumerated().reversed() where place % count == number {
        var record = RunRecord(status: place % 7 == 0 ? .diverged : .completed, tasks: ["a", "b"])
        record.accuracy = AccuracyMatrix([[0.5, 1 / Double(place + 2)], [0.25, .nan]])
        let line = entry(run.id, record, started: Double(place)).line
        bytes += line
        sum.add(entry(run.id, record, started: Double(place)), line: line)
      }
      let path = results.journalFolder + "/host-\(number + 1)-\(number).jsonl"
      try Files.replace(path, with: bytes)
      try sum.write(beside: path)
    }
  }

  private func names() throws -> [String] { try Files.names(in: results.journalFolder).sorted() }

  private func packed() throws -> String {
    results.journalFolder + "/" + (try #require(try names().first { $0.hasSuffix(".gz") }))
  }

  private func ended() throws -> (runs: [JournalSum.Run], damaged: [String]) {
    var (ended, runs) = (EndedRuns(folder: results.journalFolder), [JournalSum.Run]())
    try ended.readOn { runs.append($0) }
    return (runs.sorted { $0.started < $1.started }, ended.damaged)
  }

  private func unpacked(_ path: String) throws -> [UInt8] {
    let (gzip, pipe) = (Process(), Pipe())
    gzip.executableURL = URL(filePath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-dc", path]
    gzip.environment = ProcessInfo.processInfo.environment.merging(["LD_PRELOAD": ""]) { $1 }
    gzip.standardOutput = pipe
    try gzip.run()
    let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
    gzip.waitUntilExit()
    #expect(gzip.terminationStatus == 0)
    return Array(bytes)
  }

  @Test func `what is packed is what the journals held, in plan order, and gzip reads it`() throws {
    try writeJournals(3)
    let before = try (Journal(folder: results.journalFolder), Results(results), ended())
    let summary = try results.packJournals()
    #expect(summary.journals == 3 && summary.lines == 80 && summary.left.isEmpty)
    #expect(summary.bytesAfter < summary.bytesBefore / 3)
    #expect(try names().map { $0.hasPrefix("packed-") } == [true, true], "one journal and its sum")

    let lines = before.0.entries.sorted { $0.started < $1.started }.flatMap(\.line)
    #expect(try unpacked(packed()) == lines)
    let journal = try Journal(folder: results.journalFolder)
    #expect(journal.entries.map(\.runID) == plan.runs.map(\.id) && journal.damaged.isEmpty)
    #expect(try JournalIndex(folder: results.journalFolder).entries.map(\.runID) == plan.runs.map(\.id))
    let after = try (Results(results), FinishedRuns(results))
    #expect(after.0.rows.map(\.entry.line) == before.1.rows.map(\.entry.line))
    #expect(try after.1.rows(0..<80).map(\.entry.line) == before.1.rows.map(\.entry.line))
    #expect(try ended().runs == before.2.runs)
    // Without its sum the lines say the same.
    SystemCalls.unlink(JournalSum.path(beside: try packed()))
    #expect(try ended().runs == before.2.runs)
  }

  /// Members of a megabyte: 40 runs with a megabyte and a half among them, read in any order.
  @Test func `lines are found in every member`() throws {
    var bytes: [UInt8] = []
    for (place, run) in plan.runs.enumerated() {
      var record = RunRecord(status: .failed, tasks: [])
      record.error = String(repeating: "word \(place) ", count: place % 20 == 3 ? 200_000 : 4000)
      bytes += entry(run.id, record, started: Double(place)).line
    }
    try Files.replace(results.journalFolder + "/a-1-1.jsonl", with: bytes)
    _ = try results.packJournals()
    #expect(try unpacked(packed()) == bytes)
    let runs = try FinishedRuns(results)
    for range in [0..<80, 79..<80, 3..<4, 40..<70] {
      let rows = try runs.rows(range)
      #expect(
        zip(range, rows).allSatisfy { $1.entry.record.error.hasPrefix("word \($0) ") } && rows.count == range.count)
    }
  }

  @Test func `what is packed already stays, and later journals are packed beside it`() throws {
    try writeJournals(2)
    _ = try results.packJournals()
    let first = try packed()
    #expect(try results.packJournals().lines == 0)
    try Files.replace(results.journalFolder + "/late-1-1.jsonl", with: entry("late").line)
    #expect(try results.packJournals().lines == 1)
    #expect(try names().filter { $0.hasSuffix(".gz") }.count == 2 && Files.exists(first))
    #expect(try JournalIndex(folder: results.journalFolder).entries.count == 81)
  }

  @Test func `a journal with a damaged line stays as it is`() throws {
    try writeJournals(2)
    let path = results.journalFolder + "/host-1-0.jsonl"
    let bytes = try Files.read(path)
    try Files.replace(path, with: Array(bytes.dropLast(5)))
    let summary = try results.packJournals()
    #expect(summary.left == [path] && summary.journals == 1 && summary.lines == 40)
    #expect(try Files.read(path) == Array(bytes.dropLast(5)))
  }

  /// A kill between the new file and the last of the old ones.
  @Test func `lines that are there twice count once`() throws {
    try writeJournals(2)
    let before = try Results(results).rows.map(\.entry.line)
    let names = try names()
    let bytes = try names.map { try Files.read(results.journalFolder + "/" + $0) }
    _ = try results.packJournals()
    for (name, bytes) in zip(names, bytes) { try Files.replace(results.journalFolder + "/" + name, with: bytes) }
    #expect(try FinishedRuns(results).rows(0..<80).map(\.entry.line) == before)
    #expect(try results.packJournals().lines == 80)
    #expect(try FinishedRuns(results).count == 80)
  }

  @Test func `a packed journal that is cut is told, and its whole members are read`() throws {
    try writeJournals(1)
    _ = try results.packJournals()
    let path = try packed()
    let bytes = try Files.read(path)
    // Bytes 16 to 19 of a member say how long it is.
    let first = Int(bytes[16]) + Int(bytes[17]) << 8
    for cut in [0, 10, 30, first / 2, first - 1, bytes.count - 1] {
      try Files.replace(path, with: Array(bytes[..<cut]))
      let index = try JournalIndex(folder: results.journalFolder)
      let torn = cut == 0 ? [] : ["\(path):\(index.entries.count + 1)"]
      #expect(index.torn == torn && index.entries.count < 80 && (cut >= first || index.entries.isEmpty))
    }
    for place in stride(from: 24, to: first, by: 97) {
      var damaged = bytes
      damaged[place] ^= 4
      try Files.replace(path, with: damaged)
      #expect(try JournalIndex(folder: results.journalFolder).torn == ["\(path):1"], "byte \(place)")
    }
  }

  @Test func `a journal that somebody else packed is refused with what to do`() throws {
    let path = results.journalFolder + "/mine.jsonl.gz"
    try Files.replace(path, with: [0x1F, 0x8B, 8, 0] + [UInt8](repeating: 0, count: 40))
    let error = #expect(throws: FileError.self) { try JournalIndex(folder: results.journalFolder) }
    #expect(error?.description.contains("mine.jsonl.gz: this was not packed by") == true)
  }

  @Test func `single runs can be forgotten`() throws {
    try writeJournals(2)
    _ = try results.packJournals()
    let ids = plan.runs.map(\.id)
    #expect(try results.forget(Set(ids.prefix(3))) == 3)
    #expect(try JournalIndex(folder: results.journalFolder).entries.map(\.runID) == Array(ids.dropFirst(3)))
    #expect(try ended().runs.count == 77)
  }

  @Test func `nothing is packed while a process works here`() throws {
    try writeJournals(1)
    try Files.makeFolder(results.progressFolder)
    try Files.replace(
      results.progressFolder + "/elsewhere-1.json",
      with: """
        {"format":1,"host":"elsewhere","process":1,"updated":\(Date().timeIntervalSince1970),"claims":[]}
        """)
    let before = try names()
    #expect(throws: BusyError.self) { try results.packJournals() }
    #expect(try names() == before)
  }
}
