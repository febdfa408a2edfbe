/// Turns `Codable` values into bytes that keep every bit: the form of checkpoints and saved models.
///
///     let bytes = try StateEncoder.bytes(of: part)
///     let copy = try StateDecoder.value(Reservoir.self, from: bytes)
///
/// Buffers and arrays of floats, doubles, bytes and whole numbers become raw little-endian blocks. Dictionaries with text or
/// whole-number keys become fields; the order of a `Set` is its own from process to process.
public enum StateEncoder {
  /// - Throws: whatever the value's `encode(to:)` throws.
  public static func bytes(of value: some Encodable) throws -> [UInt8] {
    try bytes { encoder in
      var container = encoder.singleValueContainer()
      try container.encode(value)
    }
  }

  /// Of what is written to the encoder that `body` is given.
  public static func bytes(_ body: (any Encoder) throws -> Void) throws -> [UInt8] {
    let node = StateNode()
    try body(StateNodeEncoder(node: node, codingPath: []))
    return StateWriter.bytes(of: node.value)
  }
}

/// A value in the making: containers fill it in place, in any order.
final class StateNode {
  private enum Content {
    case value(StateValue)
    case list([StateNode])
    case record([String: StateNode])
  }

  private var content = Content.value(.null)

  var value: StateValue {
    switch content {
    case .value(let value): value
    case .list(let nodes): .list(nodes.map(\.value))
    case .record(let fields): .record(fields.mapValues(\.value))
    }
  }

  var count: Int { if case .list(let nodes) = content { nodes.count } else { 0 } }

  func set(_ value: StateValue) { content = .value(value) }

  func becomeList() { if case .list = content { return } else { content = .list([]) } }

  func becomeRecord() { if case .record = content { return } else { content = .record([:]) } }

  func append() -> StateNode {
    guard case .list(var nodes) = content else { return StateNode() }
    content = .value(.null)
    let node = StateNode()
    nodes.append(node)
    content = .list(nodes)
    return node
  }

  func field(_ name: String) -> StateNode {
    guard case .record(var fields) = content else { return StateNode() }
    content = .value(.null)
    let node = StateNode()
    fields[name] = node
    content = .record(fields)
    return node
  }

  /// Sets the value, as a block where it is one, else by the value's own encoding.
  func encode<T: Encodable>(_ value: T, _ path: [any CodingKey]) throws {
    if let block = StateValue(block: value) { return set(block) }
    try value.encode(to: StateNodeEncoder(node: self, codingPath: path))
  }
}

extension StateValue {
  /// The types with a form of their own. Types are compared first: an empty array casts to an array of anything.
  fileprivate init?<T>(block value: T) {
    switch value {
    case let value as [Double] where T.self == [Double].self: self = .doubles(value)
    case let value as [Int32] where T.self == [Int32].self: self = .int32s(value)
    case let value as [Int] where T.self == [Int].self: self = .integers(value)
    case let value as [UInt8] where T.self == [UInt8].self: self = .bytes(value)
    case let value as any FloatBlock: self = .floats(value)
    default: return nil
    }
  }

  fileprivate init(_ value: some BinaryInteger) {
    self = Int64(exactly: value).map { .integer($0) } ?? .unsigned(UInt64(truncatingIfNeeded: value))
  }
}

extension CodingUserInfoKey {
  /// Set (to true) by coders that keep every bit: a type then needs no detour around NaN or infinity.
  public static let keepsEveryBit = CodingUserInfoKey(rawValue: "palimpsest.keeps-every-bit")
}

extension [CodingUserInfoKey: Any] {
  /// The coder keeps every bit of a number.
  public var keepsEveryBit: Bool { CodingUserInfoKey.keepsEveryBit.flatMap { self[$0] as? Bool } ?? false }

  static var ofState: Self { CodingUserInfoKey.keepsEveryBit.map { [$0: true] } ?? [:] }
}

struct StateNodeEncoder: Encoder {
  let node: StateNode
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { .ofState }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.becomeRecord()
    return KeyedEncodingContainer(StateFields(node: node, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.becomeList()
    return StateList(node: node, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { StateSingle(node: node, codingPath: codingPath) }
}

private struct StateFields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let node: StateNode
  let codingPath: [any CodingKey]

  mutating func encodeNil(forKey key: Key) { node.field(key.stringValue).set(.null) }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try node.field(key.stringValue).encode(value, codingPath + [key])
  }

  mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: Key) -> KeyedEncodingContainer<N> {
    nested(key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    nested(key).unkeyedContainer()
  }
  mutating func superEncoder() -> any Encoder { nested(StateName("super")) }
  mutating func superEncoder(forKey key: Key) -> any Encoder { nested(key) }

  private func nested(_ key: some CodingKey) -> StateNodeEncoder {
    StateNodeEncoder(node: node.field(key.stringValue), codingPath: codingPath + [key])
  }
}

private struct StateList: UnkeyedEncodingContainer {
  let node: StateNode
  let codingPath: [any CodingKey]
  var count: Int { node.count }

  mutating func encodeNil() { node.append().set(.null) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    let path = codingPath + [StateIndex(count)]
    try node.append().encode(value, path)
  }

  mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) -> KeyedEncodingContainer<N> {
    nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { nested().unkeyedContainer() }
  mutating func superEncoder() -> any Encoder { nested() }

  private func nested() -> StateNodeEncoder {
    let path = codingPath + [StateIndex(count)]
    return StateNodeEncoder(node: node.append(), codingPath: path)
  }
}

private struct StateSingle: SingleValueEncodingContainer {
  let node: StateNode
  let codingPath: [any CodingKey]

  mutating func encodeNil() { node.set(.null) }
  mutating func encode(_ value: Bool) { node.set(.bool(value)) }
  mutating func encode(_ value: String) { node.set(.text(value)) }
  mutating func encode(_ value: Double) { node.set(.double(value)) }
  mutating func encode(_ value: Float) { node.set(.float(value)) }
  mutating func encode(_ value: Int) { node.set(StateValue(value)) }
  mutating func encode(_ value: Int8) { node.set(StateValue(value)) }
  mutating func encode(_ value: Int16) { node.set(StateValue(value)) }
  mutating func encode(_ value: Int32) { node.set(StateValue(value)) }
  mutating func encode(_ value: Int64) { node.set(StateValue(value)) }
  mutating func encode(_ value: UInt) { node.set(StateValue(value)) }
  mutating func encode(_ value: UInt8) { node.set(StateValue(value)) }
  mutating func encode(_ value: UInt16) { node.set(StateValue(value)) }
  mutating func encode(_ value: UInt32) { node.set(StateValue(value)) }
  mutating func encode(_ value: UInt64) { node.set(StateValue(value)) }
  mutating func encode<T: Encodable>(_ value: T) throws { try node.encode(value, codingPath) }
}
