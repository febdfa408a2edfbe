import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns
import TestFixtures
import Testing

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
