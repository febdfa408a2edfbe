import OrderedCollections

/// The members of a JSON object in the order of the file, each with the place of its key.
///
/// Keys are Swift strings, so two spellings of one character (é as one scalar or as two) are one key.
public struct JSONObject: Sendable, Hashable {
  public struct Member: Sendable {
    public var value: JSONValue
    /// Where the key's opening quote stands; nil for a member that was built in code.
    public var keyOffset: Int?

    public init(_ value: JSONValue, keyAt keyOffset: Int? = nil) {
      self.value = value
      self.keyOffset = keyOffset
    }
  }

  public var members: OrderedDictionary<String, Member>

  public init(_ members: OrderedDictionary<String, Member> = [:]) {
    self.members = members
  }

  /// A key that comes twice keeps its first place and takes the last value, as in assignment.
  public init(_ members: some Sequence<(String, JSONValue)>) {
    self.init()
    for (key, value) in members { self[key] = value }
  }

  public var keys: OrderedSet<String> { members.keys }
  public var count: Int { members.count }
  public var isEmpty: Bool { members.isEmpty }

  /// The value of `key`. Setting it keeps the place of a key that is there already; nil removes it.
  public subscript(key: String) -> JSONValue? {
    get { members[key]?.value }
    set { members[key] = newValue.map { Member($0, keyAt: members[key]?.keyOffset) } }
  }

  /// Where `key` stands in the file.
  public func keyOffset(of key: String) -> Int? { members[key]?.keyOffset }
}

extension JSONObject.Member: Hashable {
  public static func == (a: Self, b: Self) -> Bool { a.value == b.value }
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral members: (String, JSONValue)...) { self.init(members) }
}
