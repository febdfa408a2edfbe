import Synchronization

/// Builds a configurable value from settings by its own `Codable` conformance: wrapped properties are read from the settings,
/// all others are copied from the value that `init()` makes. Nobody writes or calls a setter, and a part stays a plain struct.
enum ParameterDecoding {
  static func make<T: Configurable>(_ type: T.Type, _ settings: [String: ParameterValue]) throws -> T {
    try make(type, settings, like: SettingsTemplate.of(T.self))
  }

  /// An entry of a list, from the settings whose paths begin with its own.
  static func make<T: Configurable>(_ type: T.Type, under path: String, _ settings: [String: ParameterValue]) throws
    -> T
  {
    try under(path, settings) { try make(type, $0) }
  }

  /// Hands the settings under a path to `body`, called as they are there; errors name the whole path.
  fileprivate static func under<R>(
    _ path: String, _ settings: [String: ParameterValue], _ body: ([String: ParameterValue]) throws -> R
  ) throws -> R {
    let own = settings.filter { $0.key.hasPrefix(path + ".") }
    do {
      return try body(
        Dictionary(uniqueKeysWithValues: own.map { (String($0.key.dropFirst(path.count + 1)), $0.value) }))
    } catch let error as ParameterError {
      throw ParameterError(parameter: "\(path).\(error.parameter)", expected: error.expected, found: error.found)
    }
  }

  fileprivate static func make<T: Configurable>(
    _ type: T.Type, _ settings: [String: ParameterValue], like template: SettingsTemplate
  ) throws -> T {
    try T(from: SettingsDecoder(template: template, settings: settings))
  }
}

/// The stored properties of the value that `init()` makes, found once a type: looking for them takes longer than reading.
///
/// They are parts of a sendable value and are never changed here, only copied.
private final class SettingsTemplate: @unchecked Sendable {
  let properties: [String: Any]
  /// Those of the groups and nested parameters among them: defaults are those of the value that has them.
  let members: [String: SettingsTemplate]

  private static let known = Mutex<[ObjectIdentifier: SettingsTemplate]>([:])

  static func of(_ type: any Configurable.Type) -> SettingsTemplate {
    let key = ObjectIdentifier(type)
    if let template = known.withLock({ $0[key] }) { return template }
    let template = SettingsTemplate(type.init())
    known.withLock { $0[key] = template }
    return template
  }

  private init(_ value: any Configurable) {
    var properties: [String: Any] = [:]
    var members: [String: SettingsTemplate] = [:]
    for case (let label?, let property) in Mirror(reflecting: value).children {
      let isWrapped = property is any AnyParameter || property is any AnyParameterList
      properties[isWrapped ? String(label.dropFirst()) : label] = property
      if let group = property as? any ParameterGroup { members[label] = SettingsTemplate(group) }
      if let nested = property as? any NestedParameters { members[label] = SettingsTemplate(nested) }
    }
    (self.properties, self.members) = (properties, members)
  }
}

private struct SettingsDecoder: Decoder {
  let settings: [String: ParameterValue]
  let template: SettingsTemplate
  var children: [String: Any] { template.properties }
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(template: SettingsTemplate, settings: [String: ParameterValue]) {
    self.settings = settings
    self.template = template
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(SettingsContainer<Key>(decoder: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw unsupported("a list") }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw unsupported("a single value") }

  func unsupported(_ what: String) -> DecodingError {
    .dataCorrupted(.init(codingPath: [], debugDescription: "settings are keyed, not \(what)"))
  }
}

private struct SettingsContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: SettingsDecoder
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { decoder.children.keys.compactMap(Key.init(stringValue:)) }

  func contains(_ key: Key) -> Bool { decoder.children[key.stringValue] != nil }

  /// State that may be missing is, in the value made by `init()`.
  func decodeNil(forKey key: Key) throws -> Bool {
    guard let child = decoder.children[key.stringValue] else { return false }
    let mirror = Mirror(reflecting: child)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    let name = key.stringValue
    guard let child = decoder.children[name] else { throw missing(key) }
    if let parameter = child as? any AnyParameter { return try read(parameter, name, key) }
    if let list = child as? any AnyParameterList {
      guard let value = try list.reading(decoder.settings, name) as? T else { throw missing(key) }
      return value
    }
    if let nested = T.self as? any NestedParameters.Type {
      guard let value = try make(nested, under: name) as? T else { throw missing(key) }
      return value
    }
    if let group = T.self as? any ParameterGroup.Type {
      guard let value = try make(group, name, decoder.settings) as? T else { throw missing(key) }
      return value
    }
    guard let state = child as? T else { throw missing(key) }
    return state
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let child = decoder.children[key.stringValue] else { return nil }
    return child as? T
  }

  private func read<T>(_ parameter: some AnyParameter, _ name: String, _ key: Key) throws -> T {
    var result = parameter
    if let value = decoder.settings[name] {
      guard let read = parameter.reading(value) else {
        let expected = parameter.declaration(name).expectation
        throw ParameterError(parameter: name, expected: expected, found: parameter.found(value))
      }
      result = read
    }
    guard let typed = result as? T else { throw missing(key) }
    return typed
  }

  private func make(_ type: any NestedParameters.Type, under name: String) throws -> any NestedParameters {
    try ParameterDecoding.under(name, decoder.settings) { try make(type, name, $0) }
  }

  private func make<T: Configurable>(_ type: T.Type, _ name: String, _ settings: [String: ParameterValue]) throws -> T {
    try ParameterDecoding.make(type, settings, like: decoder.template.members[name] ?? SettingsTemplate.of(type))
  }

  private func missing(_ key: Key) -> DecodingError {
    .keyNotFound(key, .init(codingPath: [], debugDescription: "no stored property called \(key.stringValue)"))
  }

  func nestedContainer<N: CodingKey>(keyedBy type: N.Type, forKey key: Key) throws -> KeyedDecodingContainer<N> {
    throw decoder.unsupported("nested")
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    throw decoder.unsupported("nested")
  }
  func superDecoder() throws -> any Decoder { throw decoder.unsupported("a class") }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw decoder.unsupported("a class") }
}
