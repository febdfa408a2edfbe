import Foundation
import PalimpsestJSON

/// Reads the members of a packed journal, `NAME.jsonl.gz`, which `zcat` reads too.
///
/// A place in it is that of a member times ``window``, and the bytes of lines before it in the member.
struct PackedJournal {
  /// Lines begin within so many bytes of their member's lines.
  private static let window = 1 << 24

  let path: String

  /// Whether a file of that name is packed.
  static func isName(_ name: String) -> Bool { name.hasSuffix(".jsonl.gz") }

  /// Goes on from a place of the file, which is between members, a member at a time.
  ///
  /// - Returns: how many bytes follow the last whole member.
  /// - Throws: where it cannot be read, or was packed by something else.
  /// - Memory: a member, packed and not.
  func pieces(from place: inout JournalPlace, _ piece: (JournalPiece) -> Void) throws(FileError) -> Int {
    let descriptor = try Files.descriptor(of: path)
    defer { close(descriptor) }
    let end = Int(lseek(descriptor, 0, SEEK_END))
    while place.offset < end {
      guard let (lines, length) = try read(descriptor, at: place.offset) else { return end - place.offset }
      let ranges = JournalFile.lines(in: lines, 0, lines.count)
      piece(
        JournalPiece(bytes: lines, lines: ranges, first: place.lines + 1, offset: place.offset * PackedJournal.window))
      place.lines += ranges.count
      place.offset += length
    }
    return 0
  }

  /// The member at an offset, and its length in the file.
  /// - Returns: nil where it is damaged or not whole.
  func read(_ descriptor: Int32, at offset: Int) throws(FileError) -> (lines: [UInt8], length: Int)? {
    guard let header = SystemCalls.read(descriptor, PackedMember.header, at: offset) else { return nil }
    guard let member = PackedMember(header: header) else {
      if offset > 0 { return nil }
      throw FileError(
        .unreadable,
        "\(path): this was not packed by \"palimpsest collect --compact\", or its first bytes are damaged. Where gunzip can unpack it, "
          + "do that and leave the .jsonl here")
    }
    guard let bytes = SystemCalls.read(descriptor, member.length, at: offset) else { return nil }
    return member.lines(bytes).map { ($0, member.length) }
  }

  /// A line's member at its place in the file, and where it begins there.
  static func member(of place: Int) -> (offset: Int, start: Int) { (place / window, place % window) }

  /// Writes the file anew without the lines of some runs; what is damaged stays as it is.
  /// - Memory: the packed lines.
  func remove(_ runs: Set<String>) throws(FileError) {
    var (place, members, isSame) = (JournalPlace(), [Result<[UInt8], FileError>](), true)
    let rest = try pieces(from: &place) { piece in
      let kept = piece.lines.filter { line in
        JournalEntry.read(piece.bytes[line]).map { !runs.contains($0.runID) } ?? true
      }
      isSame = isSame && kept.count == piece.lines.count
      let lines = kept.flatMap { piece.bytes[$0.lowerBound...$0.upperBound] }
      if !lines.isEmpty { members.append(Result { () throws(FileError) in try PackedMember.pack(lines, of: path) }) }
    }
    if isSame { return }
    let tail = try Files.read(path).suffix(rest)
    SystemCalls.unlink(JournalSum.path(beside: path))
    try Files.replace(path) { (write) throws(FileError) in
      for member in members { try write(try member.get()) }
      try write(Array(tail))
    }
  }
}
