/// CRC-32 (ISO 3309, as in gzip): the checksum of a journal line.
struct CRC32 {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { c, _ in c & 1 == 1 ? 0xEDB8_8320 ^ (c >> 1) : c >> 1 }
  }

  /// Eight hex digits.
  static func hex(_ bytes: some Sequence<UInt8>) -> String {
    let crc = ~bytes.reduce(0xFFFF_FFFF) { c, byte in table[Int((c ^ UInt32(byte)) & 0xFF)] ^ (c >> 8) }
    let text = String(crc, radix: 16)
    return String(repeating: "0", count: 8 - text.count) + text
  }
}
