import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns
import TestFixtures
import Testing

/// Sums of journals: the same as the journals, or not read.
struct JournalSumTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func accuracies(_ rows: [[Double]]) -> RunRecord {
    var record = RunRecord(status: .completed, tasks: rows.indices.map { "task \($0)" })
    record.accuracy = AccuracyMatrix(rows)
    return record
  }

  /// Of one and two tasks, completed and not.
  private var entries: [JournalEntry] {
    [
      entry("0123456789abcdef0123456789abcdef", accuracies([[0.9, 0.5], [0.7, 0.1 + 0.2]])), fullEntry(),
      entry("b", accuracies([[1.0 / 3]])), entry("c", .failed),
    ]
  }

  /// A journal of all entries, with a sum of the first.
  private func journal(summed: Int) throws -> String {
    let journal = folder.path + "/host-1-17.jsonl"
    try Files.replace(journal, with: entries.flatMap(\.line))
    var sum = JournalSum()
    for entry in entries.prefix(summed) { sum.add(entry, line: entry.line) }
    try sum.write(beside: journal)
    return journal
  }

  private func read() throws -> (runs: [JournalSum.Run], damaged: [String]) {
    var (ended, runs) = (EndedRuns(folder: folder.path), [JournalSum.Run]())
    try ended.readOn { runs.append($0) }
    return (runs, ended.damaged)
  }

  @Test func `a sum says of each run how it ended and its status metrics`() throws {
    let journal = try journal(summed: 4)
    let runs = try #require(JournalSum(beside: journal)).runs
    #expect(runs.map(\.status) == [.completed, .diverged, .completed, .failed])
    #expect(runs.map(\.key) == entries.map { RunKey($0.runID) } && runs[0].key == runs[1].key)
    #expect(runs.map(\.kind) == [.sampled, .expected, .sampled, .sampled])
    #expect(runs.map(\.started) == entries.map(\.started))
    // Mean of the last row; 0.9 − 0.7; mean of 0.9 and 0.30000000000000004.
    #expect(runs[0].values.map(\.number) == [0.5, 0.9 - 0.7, (0.9 + (0.1 + 0.2)) / 2])
    #expect(runs[1].values.isEmpty && runs[3].values.isEmpty)
    #expect(runs[2].values.map(\.reason) == [nil, "there is only one task", nil])
  }

  @Test(arguments: 0...4) func `runs are the same whatever a sum tells of`(summed: Int) throws {
    let journal = try journal(summed: summed)
    let withSum = try read()
    try FileManager.default.removeItem(atPath: JournalSum.path(beside: journal))
    let without = try read()
    #expect(withSum.runs == without.runs && without.runs.count == 4)
    #expect(withSum.damaged == without.damaged)
  }

  @Test func `lines that come later, and a torn one, are read behind the sum`() throws {
    let journal = try journal(summed: 4)
    var (ended, runs) = (EndedRuns(folder: folder.path), [JournalSum.Run]())
    try ended.readOn { runs.append($0) }
    let more = entry("d", accuracies([[0.5]]))
    try Files.replace(journal, with: entries.flatMap(\.line) + more.line + more.line.prefix(30))
    try ended.readOn { runs.append($0) }
    #expect(runs.count == 5 && runs[4] == JournalSum.Run(more))
    #expect(ended.damaged == ["\(journal):6"])
  }

  @Test func `a sum with a wrong byte, of another journal or of a longer one is not read`() throws {
    let journal = try journal(summed: 4)
    let path = JournalSum.path(beside: journal)
    let bytes = try Files.read(path)
    for place in bytes.indices {
      var wrong = bytes
      wrong[place] ^= 1
      #expect(JournalSum(wrong) == nil, "byte \(place)")
      #expect(JournalSum(Array(bytes[..<place])) == nil)
    }
    #expect(JournalSum(beside: journal) != nil)
    try Files.replace(journal, with: entries.flatMap(\.line))
    // A file system's clock may go on in steps of some milliseconds.
    #expect(SystemCalls.backdate(journal) == 0)
    #expect(JournalSum(beside: journal) == nil, "as long, and changed since")
    try Files.replace(journal, with: entries.dropLast().flatMap(\.line))
    #expect(JournalSum(beside: journal) == nil)
    let others = entries.dropLast() + [entry("e", .failed)]
    try Files.replace(journal, with: others.flatMap(\.line))
    #expect(try JournalSum(beside: journal) == nil && read().runs.count == 4)
  }

  @Test func `a journal's writer keeps its sum, and what it cannot tell of ends it`() throws {
    let writer = try JournalWriter(folder: folder.path, host: "ada")
    try writer.append(entries[0])
    try writer.writeSum()
    try writer.append(entries[1])
    #expect(JournalSum(beside: writer.path)?.count == 1)
    try writer.writeSum()
    #expect(JournalSum(beside: writer.path)?.count == 2)
    try writer.append(entries[2].line)
    try writer.append(entries[3])
    try writer.writeSum()
    #expect(JournalSum(beside: writer.path)?.count == 2)
    #expect(try read().runs.count == 4)
  }
}
