import PalimpsestJSON

/// The ids of a configuration's runs, 16 bytes each where all are the toolkit's own.
///
/// - Cost: an element is written out as text when it is asked for, some 50 ns; its `key(at:)` lies ready.
public struct RunIDs: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable, Equatable {
  /// Texts only where one of them is not 32 lower-case hex digits.
  private enum Store: Sendable, Equatable {
    case keys([RunKey])
    case texts([String])
  }

  private var store = Store.keys([])

  public init() {}

  public init(_ ids: some Sequence<String>) {
    for id in ids { append(id) }
  }

  public init(arrayLiteral ids: String...) { self.init(ids) }

  package init(keys: [RunKey]) { store = .keys(keys) }

  public var startIndex: Int { 0 }

  public var endIndex: Int {
    switch store {
    case .keys(let keys): keys.count
    case .texts(let texts): texts.count
    }
  }

  public subscript(place: Int) -> String {
    switch store {
    case .keys(let keys): keys[place].text
    case .texts(let texts): texts[place]
    }
  }

  /// The id at a place as a key.
  package func key(at place: Int) -> RunKey {
    switch store {
    case .keys(let keys): keys[place]
    case .texts(let texts): RunKey(texts[place])
    }
  }

  package mutating func append(_ id: String) {
    switch (store, RunKey(hex: id.utf8)) {
    case (.keys(var keys), let key?):
      store = .keys([])
      keys.append(key)
      store = .keys(keys)
    case (.texts(var texts), _):
      store = .keys([])
      texts.append(id)
      store = .texts(texts)
    case (.keys(let keys), nil):
      store = .texts(keys.map(\.text) + [id])
    }
  }

  /// Reads a list of texts.
  init(_ scanner: inout JSONScanner) throws(UnusualJSON) {
    var (keys, others) = ([RunKey](), RunIDs())
    try scanner.array { (scanner) throws(UnusualJSON) in
      if others.isEmpty, let key = RunIDs.key(&scanner) {
        keys.append(key)
      } else {
        if others.isEmpty { others = RunIDs(keys: keys) }
        others.append(try scanner.string())
      }
    }
    self = others.isEmpty ? RunIDs(keys: keys) : others
  }

  /// The id that follows as the toolkit writes it, passed over; nil where anything else stands there.
  private static func key(_ scanner: inout JSONScanner) -> RunKey? {
    let text = scanner.bytes[scanner.position...].prefix(34)
    guard text.count == 34, text.first == UInt8(ascii: "\""), text.last == UInt8(ascii: "\""),
      let key = RunKey(hex: text.dropFirst().dropLast())
    else { return nil }
    scanner.position += 34
    return key
  }
}
