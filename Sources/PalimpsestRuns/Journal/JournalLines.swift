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
    /// Bytes before it.
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

  /// - Parameter folder: one that is not there holds no journals.
  package init(folder: String) { files = JournalFiles(folder: folder) }

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
  /// - Memory: the entries, and a line a core.
  package func entries(at places: [Place], of ids: [String]?) throws(FileError) -> [JournalEntry] {
    let order = places.indices.sorted { (places[$0].file, places[$0].offset) < (places[$1].file, places[$1].offset) }
    let parts = Cores.map(order.count, atLeast: 32) { range in
      var reader = LineReader(paths: paths)
      return Result { try order[range].map { try reader.entry(places[$0], of: ids?[$0]) } }
    }
    var entries = [JournalEntry?](repeating: nil, count: places.count)
    var next = 0
    do {
      for part in parts {
        for entry in try part.get() {
          entries[order[next]] = entry
          next += 1
        }
      }
    } catch let error as FileError {
      throw error
    } catch {
      throw FileError(.unreadable, "\(error)")
    }
    return entries.compactMap(\.self)
  }
}

/// Reads lines of journals by their places, best in the order of files.
private struct LineReader {
  let paths: [String]
  private var scanner = EntryScanner()
  private var file: OpenFile?

  init(paths: [String]) { self.paths = paths }

  mutating func entry(_ place: JournalLines.Place, of id: String?) throws(FileError) -> JournalEntry {
    let path = paths[Int(place.file)]
    if file?.path != path { file = try OpenFile(path) }
    guard let bytes = file?.bytes(Int(place.length), at: place.offset) else { throw LineReader.changed(path, place) }
    let entry = (try? scanner.entry(bytes[...], in: bytes)) ?? JournalEntry.read(bytes[...])
    guard let entry, entry.runID == id ?? entry.runID else { throw LineReader.changed(path, place) }
    return entry
  }

  private static func changed(_ path: String, _ place: JournalLines.Place) -> FileError {
    FileError(
      .unreadable,
      "\(path): the line at byte \(place.offset) is not there any more: this file was changed meanwhile; try again")
  }
}

/// A descriptor that is closed when it is out of use.
private final class OpenFile {
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws(FileError) {
    self.path = path
    descriptor = try Files.descriptor(of: path)
  }

  deinit { close(descriptor) }

  func bytes(_ count: Int, at offset: Int) -> [UInt8]? { SystemCalls.read(descriptor, count, at: offset) }
}
