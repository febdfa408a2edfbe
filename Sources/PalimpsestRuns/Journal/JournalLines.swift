import Foundation
import PalimpsestExperiments
import PalimpsestJSON

/// The lines of a folder's journals as heads: who has run what, and where the line stands. What was measured stays in the files until it is
/// asked for.
package struct JournalLines: Sendable {
  /// Where a line stands.
  package struct Place: Sendable, Equatable {
    /// Number of its file.
    package let file: Int32
    /// Bytes of the line without its newline.
    package let length: Int32
    /// Bytes before it; in a packed file as ``PackedJournal`` counts.
    package let offset: Int

    package init(file: Int32, length: Int32, offset: Int) {
      (self.file, self.length, self.offset) = (file, length, offset)
    }
  }

  private var files: JournalFiles
  /// The files, by number.
  package private(set) var paths: [String] = []
  private var numbers: [String: Int32] = [:]
  /// Lines that are torn or damaged: file and line number.
  package var damaged: [String] { files.damaged + files.torn }

  /// - Parameters:
  ///   - folder: one that is not there holds no journals.
  ///   - skipsPacked: packed ones are passed over.
  package init(folder: String, skipsPacked: Bool = false) {
    files = JournalFiles(folder: folder, skipsPacked: skipsPacked)
  }

  /// Files that were read and hold whole lines alone, and how many bytes of each were read.
  var whole: [String: Int] { files.whole }

  /// The bytes at places, in their order, without newlines.
  /// - Throws: where a file cannot be read, or was changed meanwhile.
  func bytes(at places: ArraySlice<Place>) throws(FileError) -> [[UInt8]] {
    let reader = LineReader(paths: paths)
    return try reader.lines(at: places)
  }

  /// Goes through the lines that were not read yet, in the order of file names and lines. Checksums are compared.
  /// - Cost: about 4 µs a run of five tasks, most of it for the checksum.
  package mutating func readOn(_ line: (JournalIndex.Entry, Place) -> Void) throws(FileError) {
    var (paths, numbers) = (paths, numbers)
    try files.eachPiece { path, piece in
      let file = numbers[path] ?? Int32(clamping: paths.count)
      if Int(file) == paths.count { (paths, numbers[path]) = (paths + [path], file) }
      let heads = piece.map({}) { line, bytes, _ in
        JournalLine.isWhole(line) ? JournalIndex.Entry(line, bytes) : nil
      }
      var wrong: [Int] = []
      for (number, (head, range)) in zip(heads.joined(), piece.lines).enumerated() {
        guard let head else {
          wrong.append(piece.first + number)
          continue
        }
        let length = Int32(clamping: range.count)
        line(head, Place(file: file, length: length, offset: piece.offset + range.lowerBound))
      }
      return wrong
    }
    (self.paths, self.numbers) = (paths, numbers)
  }

  /// The entries at places, in their order. Lines that follow each other in a file are read at once; what lines repeat of each other is
  /// read once and shared.
  /// - Parameter ids: the runs that the lines are of; nil: whichever.
  /// - Throws: where a file cannot be read, or a line is not there any more.
  /// - Memory: the entries, and the lines.
  package func entries(at places: [Place], of ids: [String]?) throws(FileError) -> [JournalEntry] {
    try parts(at: places, of: ids, [JournalEntry]()) { $0 += $2 }.flatMap(\.self)
  }

  /// What `take` makes of the entries at places, in parts that follow each other: each core has one, and hands it some entries at a time.
  ///
  /// - Parameters:
  ///   - ids: the runs that the lines are of; nil: whichever.
  ///   - empty: what a part begins with.
  ///   - take: a part, the numbers of some places, and their entries.
  /// - Throws: where a file cannot be read, or a line is not there any more.
  /// - Memory: the lines, and ``piece`` entries a core.
  package func parts<Part: Sendable>(
    at places: [Place], of ids: [String]?, _ empty: Part,
    _ take: @Sendable (inout Part, Range<Int>, [JournalEntry]) -> Void
  ) throws(FileError) -> [Part] {
    let parts = Cores.map(places.count, atLeast: 32) { range -> Result<Part, FileError> in
      Result { () throws(FileError) in
        var (part, reader) = (empty, LineReader(paths: paths))
        let lines = try reader.lines(at: places[range])
        for first in stride(from: range.lowerBound, to: range.upperBound, by: JournalLines.piece) {
          let some = first..<min(first + JournalLines.piece, range.upperBound)
          var entries: [JournalEntry] = []
          entries.reserveCapacity(some.count)
          for place in some {
            entries.append(try reader.entry(lines[place - range.lowerBound], places[place], of: ids?[place]))
          }
          take(&part, some, entries)
        }
        return part
      }
    }
    var taken: [Part] = []
    for part in parts { taken.append(try part.get()) }
    return taken
  }

  /// Entries that a core has at once: what they hold stays in its cache.
  private static let piece = 128
}

/// Reads lines of journals by their places.
private struct LineReader {
  let paths: [String]
  private var scanner = EntryScanner()

  init(paths: [String]) { self.paths = paths }

  /// The bytes at places, in their order, read in that of the files: each is opened once.
  func lines(at places: ArraySlice<JournalLines.Place>) throws(FileError) -> [[UInt8]] {
    let order = places.indices.sorted { (places[$0].file, places[$0].offset) < (places[$1].file, places[$1].offset) }
    var lines = [[UInt8]](repeating: [], count: places.count)
    var file: OpenFile?
    for number in order {
      let place = places[number]
      let path = paths[Int(place.file)]
      if file?.path != path { file = try OpenFile(path) }
      guard let bytes = try file?.bytes(Int(place.length), at: place.offset) else {
        throw LineReader.changed(path, place)
      }
      lines[number - places.startIndex] = bytes
    }
    return lines
  }

  /// What a line says.
  mutating func entry(
    _ line: [UInt8], _ place: JournalLines.Place, of id: String?
  ) throws(FileError) -> JournalEntry {
    let entry = (try? scanner.entry(line[...], in: line)) ?? JournalEntry.read(line[...])
    guard let entry, entry.runID == id ?? entry.runID else {
      throw LineReader.changed(paths[Int(place.file)], place)
    }
    return entry
  }

  private static func changed(_ path: String, _ place: JournalLines.Place) -> FileError {
    FileError(
      .unreadable,
      "\(path): the line at byte \(place.offset) is not there any more: this file was changed meanwhile; try again")
  }
}

/// A descriptor that is closed when it is out of use, and of a packed file the member that was read last.
private final class OpenFile {
  let path: String
  private let descriptor: Int32
  private var member: (offset: Int, lines: [UInt8])?

  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = try Files.descriptor(of: path)
  }

  deinit { close(descriptor) }

  func bytes(_ count: Int, at place: Int) throws(FileError) -> [UInt8]? {
    guard PackedJournal.isName(path) else { return SystemCalls.read(descriptor, count, at: place) }
    let (offset, start) = PackedJournal.member(of: place)
    if member?.offset != offset {
      member = try PackedJournal(path: path).read(descriptor, at: offset).map { (offset, $0.lines) }
    }
    guard let lines = member?.lines, start + count <= lines.count else { return nil }
    return Array(lines[start..<start + count])
  }
}
