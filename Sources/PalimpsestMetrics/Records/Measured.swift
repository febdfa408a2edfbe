import PalimpsestCore

/// A list of measured numbers in which NaN stands for "not measured": NaN equals NaN, and in JSON it is null.
@propertyWrapper
public struct Measured<Value: MeasuredList>: Sendable {
  public var wrappedValue: Value

  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// What ``Measured`` wraps: a list, or a list that may be absent.
public protocol MeasuredList: Sendable, Codable {
  /// The numbers, nil for those not measured; nil for an absent list.
  var numbers: [Double?]? { get }
  /// - Returns: nil where the type does not allow an absent list.
  init?(numbers: [Double?]?)
}

extension [Double]: MeasuredList {
  public var numbers: [Double?]? { map { $0.isFinite ? $0 : nil } }

  public init?(numbers: [Double?]?) {
    guard let numbers else { return nil }
    self = numbers.map { $0 ?? .nan }
  }
}

extension [Double]?: MeasuredList {
  public var numbers: [Double?]? { flatMap(\.numbers) }

  public init?(numbers: [Double?]?) { self = numbers.map { list in list.map { $0 ?? .nan } } }
}

extension Measured: Equatable {
  public static func == (a: Measured, b: Measured) -> Bool { a.wrappedValue.numbers == b.wrappedValue.numbers }
}

extension Measured: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if decoder.userInfo.keepsEveryBit {
      self.init(wrappedValue: try container.decode(Value.self))
      return
    }
    let numbers = container.decodeNil() ? nil : try container.decode([Double?].self)
    guard let value = Value(numbers: numbers) else {
      throw DecodingError.valueNotFound(
        [Double].self, .init(codingPath: decoder.codingPath, debugDescription: "a list of numbers is missing"))
    }
    self.init(wrappedValue: value)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if encoder.userInfo.keepsEveryBit { return try container.encode(wrappedValue) }
    try container.encode(wrappedValue.numbers)
  }
}

extension KeyedDecodingContainer {
  /// An absent key is an absent list.
  func decode(_ type: Measured<[Double]?>.Type, forKey key: Key) throws -> Measured<[Double]?> {
    try decodeIfPresent(type, forKey: key) ?? Measured(wrappedValue: nil)
  }
}

extension KeyedEncodingContainer {
  /// An absent list leaves no key.
  mutating func encode(_ value: Measured<[Double]?>, forKey key: Key) throws {
    try encodeIfPresent(value.wrappedValue == nil ? nil : value, forKey: key)
  }
}
