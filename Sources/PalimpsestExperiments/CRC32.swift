/// CRC-32 (ISO 3309, as in gzip): the checksum of a journal line.
///
/// - Source: eight bytes a step by eight tables, Kounavis & Berry 2008 ("slicing by 8").
package struct CRC32 {
  /// Eight tables of 256: entry b of table k is the remainder of byte b followed by k zero bytes.
  private static let tables: [UInt32] = {
    var tables = (0..<256).map(remainder)
    for index in 256..<2048 {
      let before = tables[index - 256]
      tables.append(tables[Int(before & 0xFF)] ^ (before >> 8))
    }
    return tables
  }()

  /// The remainder of one byte.
  private static func remainder(_ byte: Int) -> UInt32 {
    var c = UInt32(byte)
    for _ in 0..<8 { c = c & 1 == 1 ? 0xEDB8_8320 ^ (c >> 1) : c >> 1 }
    return c
  }

  package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    let tables = self.tables.span
    let bytes = bytes.span
    var crc: UInt32 = 0xFFFF_FFFF
    var position = 0
    while position &+ 8 <= bytes.count {
      let low = crc ^ word(bytes, position)
      let high = word(bytes, position &+ 4)
      crc = fold(tables, low, from: 1024) ^ fold(tables, high, from: 0)
      position &+= 8
    }
    while position < bytes.count {
      crc = tables[Int((crc ^ UInt32(bytes[position])) & 0xFF)] ^ (crc >> 8)
      position &+= 1
    }
    return ~crc
  }

  /// Four bytes, the first the lowest.
  @inline(__always) private static func word(_ bytes: Span<UInt8>, _ position: Int) -> UInt32 {
    let low = UInt32(bytes[position]) | UInt32(bytes[position &+ 1]) << 8
    let high = UInt32(bytes[position &+ 2]) | UInt32(bytes[position &+ 3]) << 8
    return low | high << 16
  }

  /// The remainder of four bytes with `first` / 256 more bytes behind them.
  @inline(__always) private static func fold(_ tables: Span<UInt32>, _ word: UInt32, from first: Int) -> UInt32 {
    let low = tables[first &+ 768 &+ Int(word & 0xFF)] ^ tables[first &+ 512 &+ Int(word >> 8 & 0xFF)]
    let high = tables[first &+ 256 &+ Int(word >> 16 & 0xFF)] ^ tables[first &+ Int(word >> 24)]
    return low ^ high
  }

  /// Eight hex digits, as bytes of text.
  static func hex(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let crc = checksum(bytes)
    let digits = Array("0123456789abcdef".utf8)
    return (0..<8).map { digits[Int(crc >> (28 - 4 * UInt32($0)) & 0xF)] }
  }
}
