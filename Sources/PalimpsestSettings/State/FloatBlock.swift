/// A vector of floats that a state holds as one block of bytes, little-endian as they lie in memory.
package protocol FloatBlock: Sendable {
  var count: Int { get }
  /// The elements one by one, for types that read their lists so.
  var floats: [Float] { get }
  init(saved: SavedFloats)
  /// Appends the bytes of all elements.
  func append(to bytes: inout [UInt8])
}

/// Floats where they stand in the bytes of a state: nothing is copied before their type is known.
package struct SavedFloats: Sendable {
  /// Four a float.
  package let bytes: ArraySlice<UInt8>
}

extension SavedFloats: FloatBlock {
  package var count: Int { bytes.count / 4 }
  package var floats: [Float] { [Float](saved: self) }
  package init(saved: SavedFloats) { self = saved }
  package func append(to bytes: inout [UInt8]) { bytes += self.bytes }
}

extension [Float]: FloatBlock {
  package var floats: [Float] { self }

  package init(saved: SavedFloats) {
    self = unsafe [Float](unsafeUninitializedCapacity: saved.count) { target, filled in
      unsafe UnsafeMutableRawBufferPointer(target).copyBytes(from: saved.bytes)
      filled = saved.count
    }
  }

  package func append(to bytes: inout [UInt8]) { bytes.appendBlock(self) }
}
