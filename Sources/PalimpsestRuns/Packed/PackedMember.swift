import CZlib
import PalimpsestJSON

/// Whole lines of a journal, packed: a gzip member (RFC 1952) that says in its header how long it is, so that it can be read by itself.
///
///     10 bytes   gzip: deflate, with extra field, no name, no time
///      2         length of the extra field: 12
///      4         'P' 'L', length of what follows: 8
///      4 + 4     bytes of the member; bytes of its lines
///      …         deflate data
///      4 + 4     CRC-32 of the lines; bytes of the lines
struct PackedMember {
  /// Bytes up to the deflate data.
  static let header = 24
  private static let trailer = 8
  private static let opening: [UInt8] = [0x1F, 0x8B, 8, 4, 0, 0, 0, 0, 0, 255, 12, 0] + Array("PL".utf8) + [8, 0]
  /// Bytes of lines after which a member ends.
  static let size = 1 << 20
  /// Of zlib: 6 takes twice as long for a twentieth less.
  private static let level: Int32 = 4
  /// Of lines, or packed: what a member has at most.
  private static let most = 1 << 30

  /// Bytes of the whole member.
  let length: Int
  /// Bytes of its lines.
  let unpacked: Int

  /// - Parameter header: the first bytes of a member.
  /// - Returns: nil where they are of something else, or of what cannot be.
  init?(header: [UInt8]) {
    guard header.count == PackedMember.header, header.starts(with: PackedMember.opening) else { return nil }
    length = Int(header[16...].little(at: 0) as UInt32)
    unpacked = Int(header[16...].little(at: 4) as UInt32)
    // Deflate makes a byte of 1,032 at most.
    let data = length - PackedMember.header - PackedMember.trailer
    guard data > 0, max(length, unpacked) <= PackedMember.most, unpacked <= 1032 * data else { return nil }
  }

  /// The lines of a member.
  /// - Returns: nil where it is damaged.
  func lines(_ member: [UInt8]) -> [UInt8]? {
    let data = PackedMember.header..<length - PackedMember.trailer
    let unpacked = unpacked
    let lines = unsafe [UInt8](unsafeUninitializedCapacity: unpacked) { target, count in
      let isWhole = unsafe member[data].withUnsafeBufferPointer { source in
        unsafe pal_inflate_raw(target.baseAddress, unpacked, source.baseAddress, source.count) == 1
      }
      count = isWhole ? unpacked : 0
    }
    let trailer = member[(length - PackedMember.trailer)...]
    guard lines.count == unpacked, trailer.little(at: 0) == CRC32.checksum(lines[...]),
      trailer.little(at: 4) == UInt32(unpacked)
    else { return nil }
    return lines
  }

  /// - Parameter lines: with their newlines; less than a gigabyte.
  /// - Throws: where there is no memory, or they are more.
  static func pack(_ lines: [UInt8], of path: String) throws(FileError) -> [UInt8] {
    let room = pal_deflate_raw_bound(lines.count)
    let data = unsafe [UInt8](unsafeUninitializedCapacity: room) { target, count in
      let length = unsafe lines.withUnsafeBufferPointer { source in
        unsafe pal_deflate_raw(target.baseAddress, room, source.baseAddress, source.count, level)
      }
      count = max(0, length)
    }
    let length = header + data.count + trailer
    guard !data.isEmpty, max(length, lines.count) <= most else {
      throw FileError(.unwritable, "\(path): a line of \(grouped(lines.count)) bytes cannot be packed")
    }
    var member = opening
    member.append(little: UInt32(length))
    member.append(little: UInt32(lines.count))
    member += data
    member.append(little: CRC32.checksum(lines[...]))
    member.append(little: UInt32(lines.count))
    return member
  }
}
