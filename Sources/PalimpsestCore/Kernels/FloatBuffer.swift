/// A vector of floats that starts at a 64-byte boundary: a value (copied on write), growable at the end.
///
/// It is the storage of parameters, gradients, importance, optimiser state and matrices.
/// - Memory: 4 bytes an element, capacity rounded up to 16 elements.
public struct FloatBuffer: Sendable {
  private var storage: Storage
  /// Number of elements.
  public private(set) var count: Int

  /// `count` elements of the same value.
  public init(repeating value: Float = 0, count: Int) {
    precondition(count >= 0, "a buffer of \(count) elements")
    storage = count == 0 ? Storage.empty : Storage(repeating: value, capacity: count)
    self.count = count
  }

  public init(_ values: some Collection<Float>) {
    self.init(count: values.count)
    withMutableSpan { span in
      var i = 0
      for value in values {
        span[i] = value
        i += 1
      }
    }
  }

  /// Memory held, in bytes.
  public var bytes: Int { count * MemoryLayout<Float>.stride }

  /// One element. Writing costs a uniqueness check: loops take ``withMutableSpan(_:)``.
  public subscript(index: Int) -> Float {
    get {
      precondition(index >= 0 && index < count, "index \(index) in a buffer of \(count)")
      return unsafe storage.base[index]
    }
    set {
      precondition(index >= 0 && index < count, "index \(index) in a buffer of \(count)")
      unsafe uniqueBase()[index] = newValue
    }
  }

  /// Changes the length: new elements are 0, the capacity never shrinks, the first elements keep their place and value.
  /// - Cost: nothing is allocated while `newCount` stays within a length the buffer had before.
  public mutating func resize(to newCount: Int) {
    precondition(newCount >= 0, "a buffer of \(newCount) elements")
    if newCount > storage.capacity { reallocate(capacity: Swift.max(newCount, storage.capacity * 2)) }
    if newCount > count { unsafe (uniqueBase() + count).update(repeating: 0, count: newCount - count) }
    count = newCount
  }

  /// The elements as an array: for tests, files and printing.
  public var array: [Float] { withSpan { span in span.indices.map { span[$0] } } }

  /// Reads the elements in place.
  @inline(__always)
  public func withSpan<R, E>(_ body: (Span<Float>) throws(E) -> R) throws(E) -> R {
    defer { withExtendedLifetime(storage) {} }
    return try body(unsafe Span(_unsafeStart: UnsafePointer(storage.base), count: count))
  }

  /// Writes the elements in place.
  @inline(__always)
  public mutating func withMutableSpan<R, E>(_ body: (inout MutableSpan<Float>) throws(E) -> R) throws(E) -> R {
    var span = unsafe MutableSpan(_unsafeStart: uniqueBase(), count: count)
    defer { withExtendedLifetime(storage) {} }
    return try body(&span)
  }

  /// The address of the first element, for the kernels. Valid inside `body`.
  @inline(__always)
  func withPointer<R>(_ body: (UnsafePointer<Float>) -> R) -> R {
    defer { withExtendedLifetime(storage) {} }
    return unsafe body(UnsafePointer(storage.base))
  }

  /// The address of the first element of the only copy, for the kernels. Valid inside `body`.
  @inline(__always)
  mutating func withMutablePointer<R>(_ body: (UnsafeMutablePointer<Float>) -> R) -> R {
    let base = unsafe uniqueBase()
    defer { withExtendedLifetime(storage) {} }
    return unsafe body(base)
  }

  @inline(__always)
  private mutating func uniqueBase() -> UnsafeMutablePointer<Float> {
    if !isKnownUniquelyReferenced(&storage) { reallocate(capacity: storage.capacity) }
    return unsafe storage.base
  }

  private mutating func reallocate(capacity: Int) {
    let fresh = Storage(repeating: 0, capacity: capacity)
    unsafe fresh.base.update(from: storage.base, count: count)
    storage = fresh
  }
}

/// The memory behind a ``FloatBuffer``. Only its owner writes, and only while it is the one reference.
@safe
private final class Storage: @unchecked Sendable {
  /// Of all buffers that never had an element: it is never the one reference, so nobody writes.
  static let empty = Storage(repeating: 0, capacity: 0)

  let base: UnsafeMutablePointer<Float>
  let capacity: Int

  init(repeating value: Float, capacity: Int) {
    self.capacity = max(16, (capacity + 15) / 16 * 16)
    let raw = UnsafeMutableRawPointer.allocate(
      byteCount: self.capacity * MemoryLayout<Float>.stride, alignment: 64)
    unsafe base = raw.bindMemory(to: Float.self, capacity: self.capacity)
    unsafe base.initialize(repeating: value, count: self.capacity)
  }

  deinit { unsafe UnsafeMutableRawPointer(base).deallocate() }
}

extension FloatBuffer {
  /// Whether both share their memory: neither was written to since one became the other.
  func isSame(as other: FloatBuffer) -> Bool { storage === other.storage && count == other.count }
}

extension FloatBuffer: Equatable {
  /// Equal length and equal bits: NaN equals the same NaN, 0 differs from −0.
  public static func == (a: FloatBuffer, b: FloatBuffer) -> Bool {
    guard a.count == b.count else { return false }
    return a.withSpan { x in b.withSpan { y in x.indices.allSatisfy { x[$0].bitPattern == y[$0].bitPattern } } }
  }
}

extension FloatBuffer: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode([Float].self))
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(array)
  }
}
