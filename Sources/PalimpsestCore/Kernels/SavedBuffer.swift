/// A buffer is saved as the bytes it lies in memory with.
extension FloatBuffer: FloatBlock {
  package var floats: [Float] { array }

  package init(saved: SavedFloats) {
    self.init(count: saved.count)
    unsafe withMutablePointer { base in
      unsafe UnsafeMutableRawBufferPointer(start: base, count: saved.bytes.count).copyBytes(from: saved.bytes)
    }
  }

  package func append(to bytes: inout [UInt8]) {
    unsafe withPointer { base in
      unsafe bytes.append(contentsOf: UnsafeRawBufferPointer(start: base, count: self.bytes))
    }
  }
}
