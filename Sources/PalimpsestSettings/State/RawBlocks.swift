#if _endian(big)
  #error("states are kept little-endian, as they lie in memory; this processor is big-endian")
#endif

/// Numbers as the bytes they lie in memory with, little-endian.
extension [UInt8] {
  /// Appends the bytes of all elements.
  mutating func appendBlock<T: BitwiseCopyable>(_ values: [T]) {
    unsafe values.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }

  /// The numbers that the bytes from `start` on stand for.
  ///
  /// - Parameter count: of numbers; their bytes must be there.
  func block<T: BitwiseCopyable & FixedWidthInteger>(_ type: T.Type, from start: Int, count: Int) -> [T] {
    precondition(start >= 0 && count >= 0 && start + count * MemoryLayout<T>.stride <= self.count)
    var result = [T](repeating: 0, count: count)
    unsafe result.withUnsafeMutableBytes { target in
      unsafe withUnsafeBytes { source in
        let part = unsafe UnsafeRawBufferPointer(rebasing: source[start..<(start + target.count)])
        unsafe target.copyMemory(from: part)
      }
    }
    return result
  }
}
