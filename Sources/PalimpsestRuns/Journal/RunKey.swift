/// A run by 64 bits of its id, where a million ids as text would be too many.
///
/// FNV-1a over the id, which is a hash itself: of a million runs two share a key with a probability of 3e-8. Who looks runs up by key
/// finds such a pair out beforehand and takes the ids.
package struct RunKey: Hashable, Sendable {
  package let bits: UInt64

  package init(_ id: String) { bits = id.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }

  package init(bits: UInt64) { self.bits = bits }
}
