/// CRC-32 (ISO 3309, as in gzip and PNG), for targets that link no zlib.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
  }

  static func crc32(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { rest, byte in rest >> 8 ^ table[Int(UInt8(truncatingIfNeeded: rest) ^ byte)] }
  }
}

extension [UInt8] {
  /// Little-endian.
  mutating func append(number: some FixedWidthInteger) {
    for shift in stride(from: 0, to: number.bitWidth, by: 8) { append(UInt8(truncatingIfNeeded: number >> shift)) }
  }

  /// The number whose bytes begin there, little-endian; they must be there.
  func number<T: FixedWidthInteger>(_ type: T.Type, at place: Int) -> T {
    (0..<(T.bitWidth / 8)).reduce(0) { $0 | T(truncatingIfNeeded: self[place + $1]) << (8 * $1) }
  }
}
