extension [UInt8] {
  /// The bytes of an integer, the least first.
  mutating func append<Integer: FixedWidthInteger>(little value: Integer) {
    for byte in 0..<Integer.bitWidth / 8 { append(UInt8(truncatingIfNeeded: value >> (8 * Integer(byte)))) }
  }
}

extension ArraySlice<UInt8> {
  /// The integer in the bytes from a place on, counted from the first of these, the least first.
  func little<Integer: FixedWidthInteger>(at place: Int) -> Integer {
    var value: Integer = 0
    for byte in 0..<Integer.bitWidth / 8 { value |= Integer(self[startIndex + place + byte]) << (8 * byte) }
    return value
  }
}
