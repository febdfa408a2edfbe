import PalimpsestCore

/// One part of a configuration with its settings, in memory once for all configurations that have it.
package final class StoredComponent: Sendable {
  /// Where it stands in a configuration's record.
  package enum Place: String, Sendable {
    case scenario, model, training, optimizer, strategy, evaluation, numerics
    /// A whole configuration: plans of format 1 kept them so.
    case whole
  }

  package let place: Place
  /// As it stands in the record.
  package let record: JSONValue
  /// Its hyper-parameters by column.
  package let values: [String: JSONValue]

  package init(_ place: Place, _ record: JSONValue, values: [String: JSONValue]? = nil) {
    self.place = place
    self.record = record
    self.values = values ?? StoredComponent.values(place, record)
  }

  /// Column names begin with the place, those of a strategy's part with the part's name.
  private static func values(_ place: Place, _ record: JSONValue) -> [String: JSONValue] {
    guard let members = record.object?.members else { return [:] }
    let prefix = place == .strategy ? columnName(record["name"]?.string ?? "") : place.rawValue
    var values: [String: JSONValue] = [:]
    for (key, member) in members where key != "revision" && key != "name" { values[prefix + "_" + key] = member.value }
    switch place {
    case .scenario: values["scenario_name"] = record["name"]
    case .optimizer: values["optimizer"] = record["name"]
    default: break
    }
    return values
  }

  /// The record that components make together.
  static func record(of components: [StoredComponent]) -> JSONValue {
    if let whole = components.first(where: { $0.place == .whole }) { return whole.record }
    func first(_ place: Place) -> JSONValue? { components.first { $0.place == place }?.record }
    var training = first(.training)?.object ?? JSONObject()
    training["optimizer"] = first(.optimizer)
    var record = JSONObject()
    record["scenario"] = first(.scenario)
    record["model"] = first(.model)
    record["training"] = JSONValue(training)
    record["strategy"] = JSONValue(components.filter { $0.place == .strategy }.map(\.record))
    record["evaluation"] = first(.evaluation)
    record["numerics"] = first(.numerics)
    return JSONValue(record)
  }
}

extension StoredComponent: Equatable {
  package static func == (a: StoredComponent, b: StoredComponent) -> Bool {
    a === b || (a.place == b.place && a.record == b.record && a.values == b.values)
  }
}

/// Makes the components of a plan's configurations, each once: reading settings out is slow.
struct ComponentTable {
  private struct Key: Hashable {
    let place: StoredComponent.Place
    let number: Int32
  }

  private var known: [Key: StoredComponent] = [:]
  private let numerics = StoredComponent(.numerics, JSONValue(ResolvedConfiguration.numericsVersion))

  mutating func components(of configuration: PlannedConfiguration) -> [StoredComponent] {
    let (places, resolved) = (configuration.places, configuration.resolved)
    var components = [
      component(.scenario, places.scenario) { partRecord(resolved.scenario) },
      component(.model, places.model) { JSONValue(settings: resolved.model) },
      component(.training, places.training) { JSONValue(settings: resolved.training) },
      component(.optimizer, places.optimizer) { partRecord(resolved.optimizer) },
      component(.evaluation, places.evaluation) { JSONValue(settings: resolved.evaluation) },
      numerics,
    ]
    for (part, number) in zip(resolved.strategy, places.parts) {
      components.append(component(.strategy, number) { partRecord(part) })
    }
    return components
  }

  private mutating func component(
    _ place: StoredComponent.Place, _ number: Int32, _ record: () -> JSONValue
  ) -> StoredComponent {
    let key = Key(place: place, number: number)
    if let ready = known[key] { return ready }
    let made = StoredComponent(place, record())
    known[key] = made
    return made
  }
}

extension JSONValue {
  /// Every setting written out.
  fileprivate init(settings: some Configurable) { self.init(resolved(settings)) }
}
