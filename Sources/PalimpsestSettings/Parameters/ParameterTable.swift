import Synchronization

/// The declared parameters of one type, found once: checks single values and types them without making the whole.
public struct ParameterTable: Sendable {
  /// In order of declaration, with the defaults.
  public let declarations: [ParameterDeclaration]
  private let parameters: [String: Entry]

  private struct Entry: Sendable {
    let parameter: any AnyParameter
    let declaration: ParameterDeclaration
  }

  private static let known = Mutex<[ObjectIdentifier: ParameterTable]>([:])

  /// The table of a type. Time: a lookup after the first call.
  public static func of(_ type: any Configurable.Type) -> ParameterTable {
    let key = ObjectIdentifier(type)
    if let table = known.withLock({ $0[key] }) { return table }
    let table = ParameterTable(type)
    known.withLock { $0[key] = table }
    return table
  }

  private init(_ type: any Configurable.Type) {
    let found = foundParameters(in: type.init())
    declarations = found.map { $0.parameter.declaration($0.name) }
    let entries = zip(found, declarations).map { ($0.name, Entry(parameter: $0.parameter, declaration: $1)) }
    parameters = Dictionary(entries) { first, _ in first }
  }

  /// A setting of a list's entry is declared at every place that the list may have: `events.3.day`.
  public func declaration(_ name: String) -> ParameterDeclaration? { entry(name)?.declaration.named(name) }

  /// Those whose names begin with a path that ends in a dot, or all: of a list's entry too, `events.3.`.
  public func declarations(under prefix: String) -> [ParameterDeclaration] {
    guard let path = EntryPath(prefix), let table = table(of: path) else {
      return declarations.filter { $0.name.hasPrefix(prefix) }
    }
    return table.declarations(under: path.setting).map { $0.named(path.prefix + $0.name) }
  }

  private func entry(_ name: String) -> Entry? {
    if let entry = parameters[name] { return entry }
    return EntryPath(name).flatMap { path in table(of: path)?.entry(path.setting) }
  }

  /// That of the entries of a list.
  private func table(of path: EntryPath) -> ParameterTable? {
    guard let count = parameters[path.list]?.parameter as? EntryCount, path.place < count.most else { return nil }
    return ParameterTable.of(count.entry)
  }

  /// A value as its declaration types it: `1e3` is `1000`. Nil where nothing of that name is declared.
  /// - Throws: ``ParameterError`` where the declaration does not allow it.
  public func typed(_ name: String, _ value: ParameterValue) throws(ParameterError) -> ParameterValue? {
    guard let entry = entry(name) else { return nil }
    guard let typed = entry.parameter.typed(value) else {
      let found = entry.parameter.found(value)
      throw ParameterError(parameter: name, expected: entry.declaration.expectation, found: found)
    }
    return typed
  }
}

/// The parameters of a value in order of declaration; those of a group stand among the others, nested ones
/// by their path, those of a list's entries behind the number of them.
func foundParameters(in value: Any) -> [(name: String, parameter: any AnyParameter)] {
  Mirror(reflecting: value).children.flatMap { child -> [(name: String, parameter: any AnyParameter)] in
    guard let label = child.label else { return [] }
    if let parameter = child.value as? any AnyParameter { return [(String(label.dropFirst()), parameter)] }
    if let list = child.value as? any AnyParameterList { return found(in: list, String(label.dropFirst())) }
    if child.value is any ParameterGroup { return foundParameters(in: child.value) }
    guard child.value is any NestedParameters else { return [] }
    return foundParameters(in: child.value).map { ("\(label).\($0.name)", $0.parameter) }
  }
}

private func found(in list: any AnyParameterList, _ name: String) -> [(name: String, parameter: any AnyParameter)] {
  [(name, list.count)]
    + list.entries.enumerated().flatMap { place, entry in
      foundParameters(in: entry).map { ("\(name).\(place).\($0.name)", $0.parameter) }
    }
}
