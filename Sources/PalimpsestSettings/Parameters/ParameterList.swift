/// A list of objects with the same settings each, declared once:
///
///     @ParameterList("What happens, in order of time.", atMost: 20) public var events: [LifeEvent] = []
///
/// In a file it is a list: `"events": [{"day": 30}, {"day": 60}]`. Everywhere else its value is the number of its entries, and a
/// setting of an entry is called by its path with the entry's place, from 0: `events.1.day`.
@propertyWrapper
public struct ParameterList<Entry: NestedParameters>: Sendable {
  public var wrappedValue: [Entry]
  private let help: String
  private let most: Int

  /// - Parameter most: entries there may be.
  public init(wrappedValue: [Entry] = [], _ help: String, atMost most: Int) {
    self.wrappedValue = wrappedValue
    self.help = help
    self.most = most
  }
}

extension ParameterList: Codable {
  /// A checkpoint holds the entries alone; help and bounds belong to the declaration.
  public init(from decoder: any Decoder) throws { self.init(wrappedValue: try [Entry](from: decoder), "", atMost: 0) }

  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// What the reader needs of a ``ParameterList`` whatever its entries.
protocol AnyParameterList: Sendable {
  var count: EntryCount { get }
  var entries: [any NestedParameters] { get }
  func reading(_ settings: [String: ParameterValue], _ name: String) throws -> Self
}

extension ParameterList: AnyParameterList {
  var count: EntryCount { EntryCount(entry: Entry.self, help: help, most: most, count: wrappedValue.count) }
  var entries: [any NestedParameters] { wrappedValue }

  func reading(_ settings: [String: ParameterValue], _ name: String) throws -> ParameterList {
    guard let value = settings[name] else { return self }
    guard let count = count.reading(value)?.count else {
      throw ParameterError(parameter: name, expected: count.declaration(name).expectation, found: count.found(value))
    }
    var copy = self
    copy.wrappedValue = try (0..<count).map { try ParameterDecoding.make(Entry.self, under: "\(name).\($0)", settings) }
    return copy
  }
}

/// The number of a list's entries: what stands for the list among the parameters.
struct EntryCount: AnyParameter {
  let entry: any NestedParameters.Type
  let help: String
  let most: Int
  var count: Int

  private var bounds: Bounds { .within(0...Double(most)) }

  func declaration(_ name: String) -> ParameterDeclaration {
    ParameterDeclaration(
      name: name, help: help, kind: .entries(ParameterTable.of(entry).declarations), bounds: bounds,
      value: count.parameterValue)
  }

  func reading(_ value: ParameterValue) -> EntryCount? {
    guard let count = Int(value, bounds) else { return nil }
    var copy = self
    copy.count = count
    return copy
  }

  func typed(_ value: ParameterValue) -> ParameterValue? { Int(value, bounds)?.parameterValue }

  func found(_ value: ParameterValue) -> String { value.found }
}

/// The path of a setting in an entry of a list: `events.1.day`.
public struct EntryPath {
  public let list: String
  public let place: Int
  public let setting: String

  /// - Returns: nil for any other path.
  public init?(_ path: String) {
    let pieces = path.split(separator: ".", omittingEmptySubsequences: false)
    guard let number = pieces.firstIndex(where: EntryPath.isPlace), number > 0, number + 1 < pieces.count,
      let place = Int(pieces[number])
    else { return nil }
    list = pieces[..<number].joined(separator: ".")
    setting = pieces[(number + 1)...].joined(separator: ".")
    self.place = place
  }

  /// Digits without a needless 0: every place has one text.
  private static func isPlace(_ piece: Substring) -> Bool { Int(piece).map { $0 >= 0 && String($0) == piece } ?? false }

  /// What the paths of all settings of the entry begin with.
  public var prefix: String { "\(list).\(place)." }
}
