/// Room to work in: kept for its memory from step to step, and no state. Checkpoints leave it out.
public struct WorkingRoom<Value: Sendable>: Sendable {
  public var value: Value

  public init(_ value: Value) { self.value = value }
}

/// What has no parameters of its own starts from nothing again.
extension WorkingRoom: Codable where Value: Empty {
  public init(from decoder: any Decoder) throws { value = Value.empty }
  public func encode(to encoder: any Encoder) throws {}
}

/// A value that can start from nothing.
public protocol Empty {
  static var empty: Self { get }
}

extension FloatBuffer: Empty {
  public static var empty: FloatBuffer { FloatBuffer(count: 0) }
}

extension Matrix: Empty {
  public static var empty: Matrix { Matrix(rows: 0, columns: 0) }
}
