/// A run by 128 bits, where a million ids as text would be too many.
///
/// The bits are those that the toolkit's own ids write in hex, so equal keys are equal ids. Of other texts they are two hashes (FNV-1a).
package struct RunKey: Hashable, Sendable {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  package init(_ id: String) {
    self = RunKey(hex: id.utf8) ?? RunKey(hashing: id)
  }

  /// Nil where the text is not 32 lower-case hex digits.
  package init?(hex id: some Sequence<UInt8>) {
    var (high, low, count, isHex) = (UInt64(0), UInt64(0), 0, true)
    for byte in id {
      // Digits and letters come by chance: a branch for each would be guessed wrong as often as not.
      let (number, letter) = (byte &- UInt8(ascii: "0"), byte &- UInt8(ascii: "a"))
      isHex = isHex && (number < 10) != (letter < 6)
      high = high << 4 | low >> 60
      low = low << 4 | UInt64((byte & 15) &+ 9 &* (byte >> 6))
      count &+= 1
    }
    guard isHex && count == 32 else { return nil }
    self.init(high: high, low: low)
  }

  private init(hashing id: String) {
    func hash(_ basis: UInt64) -> UInt64 { id.utf8.reduce(basis) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
    self.init(high: hash(0xCBF2_9CE4_8422_2325), low: hash(0x8422_2325_CBF2_9CE4))
  }

  /// The first 16 bytes of a digest.
  init(digest: some Sequence<UInt8>) {
    var (high, low) = (UInt64(0), UInt64(0))
    for byte in digest.prefix(16) {
      high = high << 8 | low >> 56
      low = low << 8 | UInt64(byte)
    }
    self.init(high: high, low: low)
  }

  /// The bits as 32 hex digits: the id of a run that the toolkit named.
  package var text: String {
    let digits = (0..<32).map { place in
      let digit = UInt8((place < 16 ? high : low) >> UInt64(60 - 4 * (place & 15)) & 15)
      return digit < 10 ? digit + UInt8(ascii: "0") : digit - 10 + UInt8(ascii: "a")
    }
    return String(decoding: digits, as: UTF8.self)
  }
}
