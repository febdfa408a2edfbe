import PalimpsestCore
import PalimpsestJSON

/// How the settings of one type are written for the hash of a run: canonical JSON, values equal to the default left out.
package struct CanonicalForm {
  /// A member that may be there.
  private struct Member {
    let key: String
    /// `"key":`
    let opening: String
    /// What it holds when nothing is given, for which it is left out.
    let standard: ParameterValue
    /// Name and revision of a part: always there.
    var fixed: String? = nil
  }

  /// A member that is there: its place among all, and its value. Settings of a list's entries have no place of their own and stand
  /// before that of the next declared one, by their keys.
  private struct Written {
    let place: Int
    let key: String
    let opening: String
    let value: String
    var isDeclared = true

    static func precedes(_ a: Written, _ b: Written) -> Bool {
      if a.place != b.place { return a.place < b.place }
      return a.isDeclared == b.isDeclared ? a.key.utf8.lexicographicallyPrecedes(b.key.utf8) : b.isDeclared
    }
  }

  /// By the bytes of their keys.
  private let members: [Member]
  /// Of the declared members.
  private let places: [String: Int]
  private let fixed: [Written]
  private let table: ParameterTable

  package init(_ type: any Configurable.Type) {
    table = ParameterTable.of(type)
    var members = table.declarations.map {
      Member(key: $0.name, opening: jsonQuoted($0.name) + ":", standard: $0.value)
    }
    if let part = type as? any Part.Type {
      members.append(Member(key: "name", opening: "\"name\":", standard: .null, fixed: jsonQuoted(part.name)))
      members.append(Member(key: "revision", opening: "\"revision\":", standard: .null, fixed: String(part.revision)))
    }
    members.sort { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    self.members = members
    fixed = members.enumerated().compactMap { place, member in
      member.fixed.map { Written(place: place, key: member.key, opening: member.opening, value: $0) }
    }
    let declared = members.indices.filter { members[$0].fixed == nil }
    places = Dictionary(declared.map { (members[$0].key, $0) }) { first, _ in first }
  }

  /// Whether the type has a setting of that name.
  func declares(_ key: String) -> Bool { places[key] != nil || table.declaration(key) != nil }

  /// - Throws: ``ParameterError`` for a value that its declaration does not allow.
  package func text(_ component: Component) throws -> String {
    var out = "{"
    for member in try written(component) {
      if out.utf8.count > 1 { out += "," }
      out += member.opening
      out += member.value
    }
    out += "}"
    return out
  }

  /// The members before and after a key that belongs to none of them.
  func halves(_ component: Component, around key: String) throws -> ConfigurationText.Training {
    var halves = ConfigurationText.Training()
    for member in try written(component) {
      if member.key < key {
        halves.before += member.opening + member.value + ","
      } else {
        halves.after += "," + member.opening + member.value
      }
    }
    return halves
  }

  /// The members that are there, in order.
  private func written(_ component: Component) throws -> [Written] {
    var written = fixed
    for (key, value) in component.given {
      guard let typed = try table.typed(key, value) else { continue }
      if let place = places[key] {
        let member = members[place]
        if typed == member.standard { continue }
        written.append(
          Written(place: place, key: key, opening: member.opening, value: CanonicalForm.canonical(typed)))
      } else if let standard = table.declaration(key)?.value, typed != standard {
        let place = members.firstIndex { key.utf8.lexicographicallyPrecedes($0.key.utf8) } ?? members.count
        written.append(
          Written(
            place: place, key: key, opening: jsonQuoted(key) + ":", value: CanonicalForm.canonical(typed),
            isDeclared: false))
      }
    }
    written.sort(by: Written.precedes)
    return written
  }

  /// The number of a typed value is canonical as it stands, unless it needs an exponent.
  private static func canonical(_ typed: ParameterValue) -> String {
    if case .number(let text) = typed, text != "-0", !text.utf8.contains(UInt8(ascii: "e")) { return text }
    return JSONValue(parameter: typed).canonicalText
  }
}
