import CZlib

/// CRC-32 (ISO 3309, as in gzip).
package enum CRC32 {
  package static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { unsafe UInt32(truncatingIfNeeded: crc32_z(0, $0.baseAddress, $0.count)) }
  }

  /// Eight hex digits, as bytes of text.
  package static func hex(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    let crc = checksum(bytes)
    let digits = Array("0123456789abcdef".utf8)
    return (0..<8).map { digits[Int(crc >> (28 - 4 * UInt32($0)) & 0xF)] }
  }
}
