/// Reads what ``StateEncoder`` wrote. A field that is missing, of another kind or left over is an error that names it; so is
/// a value that contradicts itself where its type is a ``CheckedState``.
public enum StateDecoder {
  /// - Parameter limits: what restored values may refer to.
  /// - Throws: ``StateError``.
  public static func value<T: Decodable>(
    _ type: T.Type, from bytes: [UInt8], in range: Range<Int>? = nil, limits: StateLimits = StateLimits()
  ) throws(StateError) -> T {
    let tree = try StateReader.value(of: bytes, in: range ?? 0..<bytes.count)
    return try tree.decoded(type, at: [], KnownLimits(limits))
  }

  /// Hands the decoder of the whole to `body`, for values that are restored in place.
  /// - Throws: ``StateError``; errors of other types are turned into one.
  public static func read<R>(
    _ bytes: [UInt8], in range: Range<Int>? = nil, limits: StateLimits = StateLimits(),
    _ body: (any Decoder) throws -> R
  ) throws(StateError) -> R {
    let tree = try StateReader.value(of: bytes, in: range ?? 0..<bytes.count)
    return try tree.read(at: [], KnownLimits(limits), body)
  }
}

extension StateValue {
  /// Decodes and sees to it that every field was asked for and the result makes sense.
  fileprivate func decoded<T: Decodable>(
    _ type: T.Type, at path: [any CodingKey], _ limits: KnownLimits
  ) throws(StateError) -> T {
    let value: T
    if let block = block(type) { value = block } else { value = try read(at: path, limits) { try T(from: $0) } }
    if let checked = value as? any CheckedState, let problem = checked.problem(within: limits.limits) {
      throw StateError(problem, at: StatePath(keys: path).text)
    }
    return value
  }

  fileprivate func read<R>(
    at path: [any CodingKey], _ limits: KnownLimits, _ body: (any Decoder) throws -> R
  ) throws(StateError) -> R {
    let decoder = StateNodeDecoder(value: self, codingPath: path, limits: limits, unread: Unread())
    let result: R
    do {
      result = try body(decoder)
    } catch let error as StateError {
      throw error
    } catch let error as DecodingError {
      throw StateError(error, at: path)
    } catch {
      throw StateError(String(describing: error), at: StatePath(keys: path).text)
    }
    try decoder.checkAllWasRead()
    if path.isEmpty { for nested in limits.nested { try nested.checkAllWasRead() } }
    return result
  }

  /// One by one, for types that read their lists so; nil for what is no list.
  fileprivate var elements: [StateValue]? {
    switch self {
    case .list(let values): values
    case .floats(let values): values.floats.map { .float($0) }
    case .doubles(let values): values.map { .double($0) }
    case .int32s(let values): values.map { .integer(Int64($0)) }
    case .integers(let values): values.map { .integer(Int64($0)) }
    case .bytes(let values): values.map { .integer(Int64($0)) }
    default: nil
    }
  }

  /// The types with a form of their own.
  private func block<T>(_ type: T.Type) -> T? {
    switch self {
    case .floats(let values as SavedFloats): (type as? any FloatBlock.Type)?.init(saved: values) as? T
    case .doubles(let values): type == [Double].self ? values as? T : nil
    case .int32s(let values): type == [Int32].self ? values as? T : nil
    case .integers(let values): type == [Int].self ? values as? T : nil
    case .bytes(let values): type == [UInt8].self ? values as? T : nil
    default: nil
    }
  }
}

extension StateError {
  fileprivate init(_ error: DecodingError, at path: [any CodingKey]) {
    let (context, message): (DecodingError.Context, String) =
      switch error {
      case .keyNotFound(let key, let context): (context, "the field \"\(key.stringValue)\" is missing")
      case .valueNotFound(_, let context), .typeMismatch(_, let context), .dataCorrupted(let context):
        (context, context.debugDescription)
      @unknown default: (DecodingError.Context(codingPath: path, debugDescription: ""), String(describing: error))
      }
    self.init(message, at: StatePath(keys: context.codingPath.isEmpty ? path : context.codingPath).text)
  }
}

/// Fields of one value that nobody has asked for yet.
final class Unread {
  var names: Set<String> = []
}

struct StateNodeDecoder: Decoder {
  let value: StateValue
  let codingPath: [any CodingKey]
  let limits: KnownLimits
  let unread: Unread

  var userInfo: [CodingUserInfoKey: Any] {
    var info: [CodingUserInfoKey: Any] = .ofState
    if let key = CodingUserInfoKey.stateLimits { info[key] = limits }
    return info
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .record(let fields) = value else { throw expected("fields") }
    unread.names = Set(fields.keys)
    return KeyedDecodingContainer(StateFields<Key>(decoder: self, fields: fields))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let values = value.elements else { throw expected("a list") }
    return StateList(decoder: self, values: values)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { StateSingle(decoder: self) }

  func expected(_ what: String) -> StateError {
    StateError("expected \(what), found \(value.kind)", at: StatePath(keys: codingPath).text)
  }

  func checkAllWasRead() throws(StateError) {
    guard let left = unread.names.min() else { return }
    throw StateError("the field \"\(left)\" is not one of this version's", at: StatePath(keys: codingPath).text)
  }

  /// The decoder of a part; its left-over fields are looked for at the end.
  func nested(_ value: StateValue, _ key: any CodingKey) -> StateNodeDecoder {
    let decoder = StateNodeDecoder(value: value, codingPath: codingPath + [key], limits: limits, unread: Unread())
    limits.nested.append(decoder)
    return decoder
  }
}

private struct StateFields<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: StateNodeDecoder
  let fields: [String: StateValue]
  var codingPath: [any CodingKey] { decoder.codingPath }
  var allKeys: [Key] { fields.keys.sorted().compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { fields[key.stringValue] != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try field(key) { true } else { false }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try field(key).decoded(type, at: codingPath + [key], decoder.limits)
  }

  func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: Key) throws -> KeyedDecodingContainer<N> {
    try decoder.nested(field(key), key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.nested(field(key), key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder.nested(field(StateName("super")), StateName("super")) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder.nested(field(key), key) }

  private func field(_ key: some CodingKey) throws -> StateValue {
    guard let value = fields[key.stringValue] else {
      throw StateError("the field \"\(key.stringValue)\" is missing", at: StatePath(keys: codingPath).text)
    }
    decoder.unread.names.remove(key.stringValue)
    return value
  }
}

private struct StateList: UnkeyedDecodingContainer {
  let decoder: StateNodeDecoder
  let values: [StateValue]
  private(set) var currentIndex = 0
  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex >= values.count }

  init(decoder: StateNodeDecoder, values: [StateValue]) {
    self.decoder = decoder
    self.values = values
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, case .null = values[currentIndex] else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let path = codingPath + [StateIndex(currentIndex)]
    return try next().decoded(type, at: path, decoder.limits)
  }

  mutating func nestedContainer<N: CodingKey>(keyedBy type: N.Type) throws -> KeyedDecodingContainer<N> {
    try nested().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try nested().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try nested() }

  private mutating func nested() throws -> StateNodeDecoder {
    let key = StateIndex(currentIndex)
    return decoder.nested(try next(), key)
  }

  private mutating func next() throws -> StateValue {
    guard !isAtEnd else {
      throw StateError("the list ends after \(values.count) elements", at: StatePath(keys: codingPath).text)
    }
    defer { currentIndex += 1 }
    return values[currentIndex]
  }
}

private struct StateSingle: SingleValueDecodingContainer {
  let decoder: StateNodeDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { if case .null = decoder.value { true } else { false } }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let value) = decoder.value else { throw decoder.expected("a truth value") }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .text(let value) = decoder.value else { throw decoder.expected("a text") }
    return value
  }

  func decode(_ type: Double.Type) throws -> Double {
    guard case .double(let value) = decoder.value else { throw decoder.expected("a number of 8 bytes") }
    return value
  }

  func decode(_ type: Float.Type) throws -> Float {
    guard case .float(let value) = decoder.value else { throw decoder.expected("a number of 4 bytes") }
    return value
  }

  func decode(_ type: Int.Type) throws -> Int { try integer() }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
  func decode(_ type: UInt.Type) throws -> UInt { try integer() }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decoder.value.decoded(type, at: codingPath, decoder.limits)
  }

  private func integer<T: FixedWidthInteger>() throws -> T {
    let number: T? =
      switch decoder.value {
      case .integer(let value): T(exactly: value)
      case .unsigned(let value): T(exactly: value)
      default: throw decoder.expected("a whole number")
      }
    guard let number else { throw decoder.expected("a whole number of \(T.bitWidth) bits") }
    return number
  }
}
