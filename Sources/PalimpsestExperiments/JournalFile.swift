import Foundation

/// How far a journal file has been read: always to the end of a line.
package struct JournalPlace: Sendable, Equatable {
  /// Bytes read.
  package var offset = 0
  /// Lines read.
  package var lines = 0

  package init() {}
}

/// Reads whole lines of a journal file from a place on, a piece of the file at a time.
struct JournalFile {
  let path: String
  /// Bytes that a piece has at least; a longer line makes it longer.
  private static let piece = 1 << 20

  /// Calls `line` for each line that ends in a newline: its bytes without it, the array they are a part of, and its
  /// number in the file. What follows the last newline is left for later.
  ///
  /// - Returns: how many bytes follow the last newline.
  /// - Memory: a megabyte, or twice the longest line.
  func lines(
    from place: inout JournalPlace, _ line: (ArraySlice<UInt8>, [UInt8], Int) -> Void
  ) throws(FileError) -> Int {
    let descriptor = SystemCalls.open(path, O_RDONLY)
    guard descriptor >= 0 else { throw .system(.unreadable, "read", path) }
    defer { close(descriptor) }
    if lseek(descriptor, 0, SEEK_END) == off_t(place.offset) { return 0 }
    guard lseek(descriptor, off_t(place.offset), SEEK_SET) >= 0 else { throw .system(.unreadable, "read", path) }
    var buffer = [UInt8](repeating: 0, count: JournalFile.piece)
    var filled = 0
    while true {
      let count = SystemCalls.read(descriptor, &buffer, from: filled)
      guard count >= 0 else { throw .system(.unreadable, "read", path) }
      if count == 0 { return filled }
      let start = visit(buffer, filled, filled + count, &place, line)
      filled += count
      buffer.removeSubrange(..<start)
      filled -= start
      buffer.append(contentsOf: repeatElement(0, count: max(start, filled + JournalFile.piece / 2 - buffer.count)))
    }
  }

  /// - Returns: where the last newline in `buffer[..<end]` ends.
  private func visit(
    _ buffer: [UInt8], _ new: Int, _ end: Int, _ place: inout JournalPlace,
    _ line: (ArraySlice<UInt8>, [UInt8], Int) -> Void
  ) -> Int {
    var start = 0
    var search = new
    while let newline = SystemCalls.firstIndex(of: UInt8(ascii: "\n"), in: buffer, search..<end) {
      place.lines += 1
      line(buffer[start..<newline], buffer, place.lines)
      start = newline + 1
      search = start
    }
    place.offset += start
    return start
  }
}
