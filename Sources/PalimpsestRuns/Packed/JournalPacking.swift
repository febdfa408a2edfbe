import Foundation
import PalimpsestExperiments
import PalimpsestJSON

/// What was packed.
public struct PackingSummary: Sendable, Equatable {
  /// Journals that are now one.
  public var journals = 0
  public var lines = 0
  /// What they had.
  public var bytesBefore = 0
  /// What it has.
  public var bytesAfter = 0
  /// Journals with torn or damaged lines, left as they are.
  public var left: [String] = []
}

extension ResultsFolder {
  /// Packs the journals into one, `journal/packed-TIME.jsonl.gz`, in plan order, and takes them away once it has been read again and holds
  /// what they held. What is packed already stays; a journal with damaged lines does too.
  ///
  /// A kill leaves the journals, or both: lines that are there twice count once.
  /// - Throws: ``BusyError`` while a process works here, ``PalimpsestJSON/FileError`` where something cannot be read or written: the journals
  ///   are then as they were.
  /// - Cost: some 300 µs a run of five tasks, shared by all cores. Memory: 64 bytes a run, and 32 MB of lines.
  public func packJournals() throws -> PackingSummary {
    try checkNobodyWorks()
    var lines = JournalLines(folder: journalFolder, skipsPacked: true)
    var found: [(key: RunKey, place: JournalLines.Place)] = []
    try lines.readOn { found.append((RunKey($0.runID), $1)) }
    let whole = lines.whole
    var summary = PackingSummary(left: lines.paths.filter { whole[$0] == nil })
    let isWhole = lines.paths.map { whole[$0] != nil }
    let places = try inPlanOrder(found.filter { isWhole[Int($0.place.file)] })
    if places.isEmpty { return summary }
    let packing = JournalPacking(lines, places, try newPackedJournal())
    summary.bytesAfter = try packing.write()
    summary.lines = places.count
    for (journal, bytes) in whole where SystemCalls.status(journal).map({ Int($0.st_size) }) == bytes {
      SystemCalls.unlink(journal)
      SystemCalls.unlink(JournalSum.path(beside: journal))
      summary.journals += 1
      summary.bytesBefore += bytes
    }
    return summary
  }

  /// Runs that the plan does not have come last.
  private func inPlanOrder(_ found: [(key: RunKey, place: JournalLines.Place)]) throws -> [JournalLines.Place] {
    let plan = try plan()
    var numbers = RunNumbers(minimumCapacity: plan.runCount)
    for run in plan.runs { _ = numbers.number(RunKey(run.id)) }
    let positions = found.map { numbers.known($0.key) ?? .max }
    // Equal ones stay in the order of files and lines.
    return found.indices.sorted { (positions[$0], $0) < (positions[$1], $1) }.map { found[$0].place }
  }

  private func newPackedJournal() throws(FileError) -> String {
    let names = Set(try Files.names(in: journalFolder))
    var number = Int64(max(0, Date().timeIntervalSince1970) * 1e6)
    while names.contains("packed-\(number).jsonl.gz") { number += 1 }
    return "\(journalFolder)/packed-\(number).jsonl.gz"
  }
}

/// Lines on their way into a packed journal.
private struct JournalPacking {
  /// What a core makes of some lines that follow each other.
  private struct Part: Sendable {
    var members: [UInt8] = []
    var digests: [[UInt8]] = []
    /// Nil for a line that this program does not understand.
    var runs: [JournalSum.Run?] = []
  }

  /// Bytes of lines that are in memory at once.
  private static let block = 32 << 20

  private let lines: JournalLines
  private let places: [JournalLines.Place]
  private let path: String

  init(_ lines: JournalLines, _ places: [JournalLines.Place], _ path: String) {
    (self.lines, self.places, self.path) = (lines, places, path)
  }

  /// Writes the file and its sum, and reads it again.
  /// - Returns: bytes of the file.
  /// - Throws: also where it does not hold what was written; it is then gone.
  func write() throws(FileError) -> Int {
    var (bytes, ending, digests, runs) = (0, [UInt8](), [[UInt8]](), [JournalSum.Run?]())
    try Files.replace(path) { (write) throws(FileError) in
      for block in blocks(of: JournalPacking.block, places.indices) {
        let parts = Cores.map(block.count, atLeast: 32) { range in
          Result { () throws(FileError) in
            try part(block.lowerBound + range.lowerBound..<block.lowerBound + range.upperBound)
          }
        }
        for part in parts {
          let part = try part.get()
          try write(part.members)
          bytes += part.members.count
          ending = Array((ending + part.members).suffix(JournalSum.endingLength))
          digests += part.digests
          runs += part.runs
        }
      }
    }
    guard try holds(digests) else {
      SystemCalls.unlink(path)
      throw FileError(.unreadable, "\(path): what was read back is not what was written. The journals are as they were")
    }
    let known = runs.compactMap(\.self)
    if known.count == runs.count { try JournalSum(packed: known, bytes: bytes, ending: ending).write(beside: path) }
    return bytes
  }

  private func part(_ range: Range<Int>) throws(FileError) -> Part {
    var (part, scanner) = (Part(), EntryScanner())
    let texts = try lines.bytes(at: places[range])
    for member in blocks(of: PackedMember.size, range) {
      var all: [UInt8] = []
      for line in texts[member.lowerBound - range.lowerBound..<member.upperBound - range.lowerBound] {
        part.runs.append(JournalEntry.read(line[...], in: line, &scanner).map { JournalSum.Run($0) })
        all += line
        all.append(UInt8(ascii: "\n"))
      }
      part.members += try PackedMember.pack(all, of: path)
      part.digests.append(SHA256.digest(of: all))
    }
    return part
  }

  /// Ranges of lines that have so many bytes, or a line more, but for the last.
  private func blocks(of size: Int, _ range: Range<Int>) -> [Range<Int>] {
    var (blocks, first, bytes) = ([Range<Int>](), range.lowerBound, 0)
    for line in range {
      bytes += Int(places[line].length) + 1
      if bytes < size { continue }
      blocks.append(first..<line + 1)
      (first, bytes) = (line + 1, 0)
    }
    return first < range.upperBound ? blocks + [first..<range.upperBound] : blocks
  }

  private func holds(_ digests: [[UInt8]]) throws(FileError) -> Bool {
    var (place, found) = (JournalPlace(), [[UInt8]]())
    let rest = try PackedJournal(path: path).pieces(from: &place) { found.append(SHA256.digest(of: $0.bytes)) }
    return rest == 0 && found == digests
  }
}
