/// A run by 128 bits, where a million ids as text would be too many.
///
/// The bits are those that the toolkit's own ids write in hex, so equal keys are equal ids. Of other texts they are two hashes (FNV-1a).
package struct RunKey: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  package init(_ id: String) {
    self = RunKey(hex: id) ?? RunKey(hashing: id)
  }

  /// Nil where the text is not 32 lower-case hex digits.
  private init?(hex id: String) {
    var (high, low, count) = (UInt64(0), UInt64(0), 0)
    for byte in id.utf8 {
      guard let digit = RunKey.digit(byte), count < 32 else { return nil }
      high = high << 4 | low >> 60
      low = low << 4 | UInt64(digit)
      count += 1
    }
    if count < 32 { return nil }
    self.init(high: high, low: low)
  }

  private init(hashing id: String) {
    func hash(_ basis: UInt64) -> UInt64 { id.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
    self.init(high: hash(0xCBF2_9CE4_8422_2325), low: hash(0x8422_2325_CBF2_9CE4))
  }

  /// The value of a lower-case hex digit.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
