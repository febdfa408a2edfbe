import Foundation
import PalimpsestExperiments
import PalimpsestJSON

/// How far a journal file has been read: always to the end of a line.
package struct JournalPlace: Sendable, Equatable {
  /// Bytes read.
  package var offset = 0
  /// Lines read.
  package var lines = 0

  package init() {}
}

/// Whole lines of a journal file that were read at once.
struct JournalPiece: Sendable {
  let bytes: [UInt8]
  /// The lines in ``bytes``, without their newlines.
  let lines: [Range<Int>]
  /// Number of the first line in the file.
  let first: Int
  /// Where ``bytes`` begin in the file.
  let offset: Int

  /// What `line` makes of each, in parts that follow each other: each core has one.
  /// - Parameter makeState: something that a thread's calls hand on to each other.
  func map<State, Value: Sendable>(
    _ makeState: @Sendable () -> State, _ line: @Sendable (ArraySlice<UInt8>, [UInt8], inout State) -> Value
  ) -> [[Value]] {
    Cores.map(lines.count, atLeast: 32) { range in
      // A copy of its own: cores that counted references to one array would wait for each other.
      let start = lines[range.lowerBound].lowerBound
      let bytes = Array(bytes[start..<lines[range.upperBound - 1].upperBound])
      var state = makeState()
      return lines[range].map { line(bytes[$0.lowerBound - start..<$0.upperBound - start], bytes, &state) }
    }
  }
}

/// Reads whole lines of a journal file from a place on, a piece of the file at a time: `NAME.jsonl`, or `NAME.jsonl.gz`, which
/// ``PackedJournal`` reads.
package struct JournalFile {
  let path: String
  /// Bytes that a piece has at least; a longer line makes it longer.
  private static let piece = 1 << 20

  /// Whether a file of that name is a journal.
  package static func isName(_ name: String) -> Bool { name.hasSuffix(".jsonl") || PackedJournal.isName(name) }

  /// The name without what says that it is a journal.
  static func stem(of name: String) -> String {
    for ending in [".jsonl", ".jsonl.gz"] where name.hasSuffix(ending) { return String(name.dropLast(ending.count)) }
    return name
  }

  /// Calls `line` for each line that ends in a newline: its bytes without it, and its number in the file. What follows the
  /// last newline is left for later.
  func lines(from place: inout JournalPlace, _ line: (ArraySlice<UInt8>, Int) -> Void) throws(FileError) {
    _ = try pieces(from: &place) { piece in
      for (number, range) in piece.lines.enumerated() { line(piece.bytes[range], piece.first + number) }
    }
  }

  /// The same, a piece at a time; none is empty.
  ///
  /// - Returns: how many bytes follow the last newline.
  /// - Memory: a megabyte, or twice the longest line.
  func pieces(from place: inout JournalPlace, _ piece: (JournalPiece) -> Void) throws(FileError) -> Int {
    if PackedJournal.isName(path) { return try PackedJournal(path: path).pieces(from: &place, piece) }
    let descriptor = try Files.descriptor(of: path)
    defer { close(descriptor) }
    if lseek(descriptor, 0, SEEK_END) == off_t(place.offset) { return 0 }
    guard lseek(descriptor, off_t(place.offset), SEEK_SET) >= 0 else { throw .system(.unreadable, "read", path) }
    var buffer = [UInt8](repeating: 0, count: JournalFile.piece)
    var filled = 0
    while true {
      let count = SystemCalls.read(descriptor, &buffer, from: filled)
      guard count >= 0 else { throw .system(.unreadable, "read", path) }
      if count == 0 { return filled }
      let lines = JournalFile.lines(in: buffer, filled, filled + count)
      filled += count
      if let last = lines.last {
        piece(JournalPiece(bytes: buffer, lines: lines, first: place.lines + 1, offset: place.offset))
        place.lines += lines.count
        place.offset += last.upperBound + 1
        buffer.removeSubrange(...last.upperBound)
        filled -= last.upperBound + 1
      }
      let room = max(JournalFile.piece - buffer.count, filled + JournalFile.piece / 2 - buffer.count)
      if room > 0 { buffer.append(contentsOf: repeatElement(0, count: room)) }
    }
  }

  /// The lines that end in a newline of `buffer[new..<end]`; none does before.
  static func lines(in buffer: [UInt8], _ new: Int, _ end: Int) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    var search = new
    while let newline = SystemCalls.firstIndex(of: UInt8(ascii: "\n"), in: buffer, search..<end) {
      lines.append(start..<newline)
      start = newline + 1
      search = start
    }
    return lines
  }
}
