import PalimpsestCore
import PalimpsestJSON

/// How the settings of one type stand in a record: JSON without whitespace, every setting written out in order of
/// declaration, name and revision of a part before them.
package struct RecordForm {
  private struct Member {
    let name: String
    let opening: String
    /// What stands there when nothing is given.
    let standard: String
    /// The settings of an entry, where it is a list of objects.
    let fields: [ParameterDeclaration]
  }

  private let head: String
  private let members: [Member]
  private let table: ParameterTable

  package init(_ type: any Configurable.Type) {
    let part = type as? any Part.Type
    head = part.map { "{\"name\":\(jsonQuoted($0.name)),\"revision\":\($0.revision)" } ?? "{"
    table = ParameterTable.of(type)
    let hasHead = part != nil
    members = table.declarations.enumerated().map { i, declaration in
      Member(
        name: declaration.name, opening: (i > 0 || hasHead ? "," : "") + jsonQuoted(declaration.name) + ":",
        standard: JSONValue(parameter: declaration.value).compactText, fields: declaration.kind.fields)
    }
  }

  /// - Parameter component: with values that their declarations allow.
  package func json(_ component: Component) -> [UInt8] {
    var out = JSONBytes(capacity: 256)
    out.append(json: head)
    for member in members {
      out.append(json: member.opening)
      let typed = component.given[member.name].flatMap { try? table.typed(member.name, $0) }
      out.append(json: typed.map { JSONValue(parameter: $0).compactText } ?? member.standard)
      if !member.fields.isEmpty { append(entriesOf: member, component, to: &out) }
    }
    out.append(json: "}")
    return out.bytes
  }

  private func append(entriesOf list: Member, _ component: Component, to out: inout JSONBytes) {
    for place in 0..<component.entries(of: list.name) {
      for field in list.fields {
        let path = "\(list.name).\(place).\(field.name)"
        let typed = component.given[path].flatMap { try? table.typed(path, $0) } ?? field.value
        out.append(json: "," + jsonQuoted(path) + ":" + JSONValue(parameter: typed).compactText)
      }
    }
  }
}

/// Makes the stored components of a plan's configurations, each once.
struct ComponentTable {
  private let pool: ComponentPool
  private var known: [StoredComponent.Place: [Int32: StoredComponent]] = [:]
  private var forms: [String: RecordForm] = [:]
  private let numerics = StoredComponent(.numerics, JSONValue(ResolvedConfiguration.numericsVersion))

  init(_ pool: ComponentPool) { self.pool = pool }

  mutating func components(at places: ComponentPool.Places) -> [StoredComponent] {
    var components = [
      component(.scenario, places.scenario), component(.model, places.model), component(.training, places.training),
      component(.optimizer, places.optimizer), component(.evaluation, places.evaluation), numerics,
    ]
    if let stream = places.stream { components.append(component(.stream, stream)) }
    for part in places.parts { components.append(component(.strategy, part)) }
    if let people = places.personal {
      components += [
        component(.personal, people.settings), component(.policy, people.policy),
        component(.safeguard, people.safeguard), labels(places.pair),
      ]
    }
    return components
  }

  /// What the file calls a policy and a safeguard.
  private mutating func labels(_ pair: Int32) -> StoredComponent {
    if let ready = known[.labels]?[pair] { return ready }
    let people = pool.pairs[Int(pair)].people
    let made = StoredComponent(
      .labels,
      JSONValue(
        JSONObject([
          ("policy", JSONValue(people?.policy ?? "")), ("safeguard", JSONValue(people?.safeguard ?? "")),
        ])))
    known[.labels, default: [:]][pair] = made
    return made
  }

  private mutating func component(_ place: StoredComponent.Place, _ number: Int32) -> StoredComponent {
    if let ready = known[place]?[number] { return ready }
    let settings = pool.component(place, number)
    let made = StoredComponent(place, form(of: settings, place)?.json(settings) ?? [])
    known[place, default: [:]][number] = made
    return made
  }

  private mutating func form(of component: Component, _ place: StoredComponent.Place) -> RecordForm? {
    let key = component.name.isEmpty ? place.rawValue : component.name
    if let form = forms[key] { return form }
    let type = pool.catalog.type(named: component.name, at: place)
    forms[key] = type.map { RecordForm($0) }
    return forms[key]
  }
}
