/// Rows of numbers that are shared, never copied: the storage behind data sets and generated scenarios.
public struct Table: Sendable {
  enum Storage: Sendable {
    case floats(FloatBuffer)
    /// A value is offset + scale · byte: images stay bytes until they are gathered into a batch.
    case bytes([UInt8], scale: Float, offset: Float)
  }

  let storage: Storage
  public let rows: Int
  public let columns: Int

  /// A table of floats, row-major.
  public init(_ values: FloatBuffer, columns: Int) {
    precondition(columns > 0 && values.count % columns == 0, "\(values.count) values in rows of \(columns)")
    storage = .floats(values)
    rows = values.count / columns
    self.columns = columns
  }

  public init(_ values: Matrix) { self.init(values.values, columns: values.columns) }

  /// A table of bytes, row-major, read as offset + scale · byte.
  public init(bytes: [UInt8], columns: Int, scale: Float = 1 / 255, offset: Float = 0) {
    precondition(columns > 0 && bytes.count % columns == 0, "\(bytes.count) bytes in rows of \(columns)")
    storage = .bytes(bytes, scale: scale, offset: offset)
    rows = bytes.count / columns
    self.columns = columns
  }

  /// Memory of the values.
  public var bytes: Int {
    switch storage {
    case .floats(let buffer): buffer.bytes
    case .bytes(let bytes, _, _): bytes.count
    }
  }

  /// Memory of one value.
  public var valueBytes: Int {
    if case .bytes = storage { 1 } else { 4 }
  }

  /// The bytes where the table holds bytes: for scenarios that transform images.
  public var rawBytes: [UInt8]? {
    if case .bytes(let bytes, _, _) = storage { return bytes }
    return nil
  }

  /// The values where the table holds floats, row by row: for scenarios that scale columns.
  public var rawFloats: FloatBuffer? {
    if case .floats(let buffer) = storage { return buffer }
    return nil
  }
}
