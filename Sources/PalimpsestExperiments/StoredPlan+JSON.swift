/// A plan as a file: format 2, one line a column, component and configuration. A component that configurations share
/// stands there once, and they refer to it by number.
extension StoredPlan {
  /// - Cost: about 10 µs a configuration.
  package var text: String {
    let table = NumberedComponents(configurations)
    var out = "{\"format\":2,\"name\":\(jsonQuoted(name)),\"question\":\(jsonQuoted(question)),"
    out += "\"seeds\":\(JSONValue(seeds.map { JSONValue($0) }).compactText),"
    out += "\"overrides\":\(JSONValue(overrides.map { JSONValue($0) }).compactText),\n"
    if let selection { out += "\"selection\":\(selection.compactText),\n" }
    out += "\"experiment\":\(jsonQuoted(experimentText)),\n"
    out.appendList(columns, "\"columns\":[\n", ",\n", "\n],\n") { $0 += $1.json.compactText }
    out.appendList(table.components, "\"components\":[\n", ",\n", "\n],\n") {
      $0 += "[\"\($1.place.rawValue)\",\($1.line)]"
    }
    out.appendList(configurations, "\"configurations\":[\n", ",\n", "\n]}\n") {
      $1.append(to: &$0, numbers: $1.components.map { table.numbers[ObjectIdentifier($0)] ?? 0 })
    }
    return out
  }

  /// - Returns: nil where the JSON is no plan.
  init?(_ json: JSONValue) {
    guard let format = json["format"]?.int, format == 1 || format == 2, let name = json["name"]?.string,
      let text = json["experiment"]?.string, let seeds = json["seeds"]?.array?.compactMap(\.int),
      let columns = json["columns"]?.array, let configurations = json["configurations"]?.array
    else { return nil }
    self.name = name
    question = json["question"]?.string ?? ""
    experimentText = text
    overrides = json["overrides"]?.array?.compactMap(\.string) ?? []
    selection = json["selection"]
    self.seeds = seeds
    self.columns = columns.compactMap(HyperparameterColumn.init)
    let components = (json["components"]?.array ?? []).compactMap(StoredComponent.init)
    self.configurations = configurations.compactMap {
      format == 1 ? StoredConfiguration(format1: $0) : StoredConfiguration($0, components)
    }
    guard self.configurations.count == configurations.count else { return nil }
  }
}

/// The components of configurations, each once, and their numbers.
private struct NumberedComponents {
  private(set) var components: [StoredComponent] = []
  private(set) var numbers: [ObjectIdentifier: Int] = [:]

  init(_ configurations: [StoredConfiguration]) {
    for configuration in configurations {
      for component in configuration.components where numbers[ObjectIdentifier(component)] == nil {
        numbers[ObjectIdentifier(component)] = components.count
        components.append(component)
      }
    }
  }
}

extension StoredComponent {
  /// Columns of a whole configuration cannot be told from its record.
  fileprivate var line: String {
    guard place == .whole else { return record.compactText }
    let columns = values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return record.compactText + "," + JSONValue(JSONObject(columns)).compactText
  }

  fileprivate convenience init?(_ json: JSONValue) {
    guard let place = json[0]?.string.flatMap(Place.init(rawValue:)), let record = json[1] else { return nil }
    self.init(place, record, values: json[2].map(\.columns))
  }
}

extension StoredConfiguration {
  fileprivate func append(to out: inout String, numbers: [Int]) {
    out += "[" + jsonQuoted(scenario) + "," + jsonQuoted(strategy)
    out.appendList(numbers, ",[", ",", "]") { $0 += String($1) }
    out.appendList(runIDs, ",[", ",", "]") { $0 += jsonQuoted($1) }
    if let positions { out.appendList(positions, ",[", ",", "]") { $0 += String($1) } }
    out += "]"
  }

  fileprivate init?(_ json: JSONValue, _ components: [StoredComponent]) {
    guard let scenario = json[0]?.string, let strategy = json[1]?.string,
      let numbers = json[2]?.array?.compactMap(\.int), numbers.allSatisfy(components.indices.contains),
      let runs = json[3]?.array?.compactMap(\.string)
    else { return nil }
    let positions = json[4]?.array?.compactMap(\.int)
    guard positions.map({ $0.count == runs.count }) ?? true else { return nil }
    self.init(
      scenario: scenario, strategy: strategy, components: numbers.map { components[$0] }, runIDs: runs,
      positions: positions)
  }

  /// As results of version 0.1 have it.
  fileprivate init?(format1 json: JSONValue) {
    guard let scenario = json["scenario"]?.string, let strategy = json["strategy"]?.string,
      let values = json["values"], let record = json["configuration"],
      let runs = json["runs"]?.array?.compactMap(\.string)
    else { return nil }
    let whole = StoredComponent(.whole, record, values: values.columns)
    self.init(scenario: scenario, strategy: strategy, components: [whole], runIDs: runs)
  }
}

extension JSONValue {
  /// An object's members by key.
  fileprivate var columns: [String: JSONValue] {
    (object?.members ?? [:]).elements.reduce(into: [:]) { $0[$1.key] = $1.value.value }
  }
}

extension HyperparameterColumn {
  fileprivate var json: JSONValue {
    JSONValue(
      JSONObject([
        ("name", JSONValue(name)), ("kind", JSONValue(kind.rawValue)), ("path", JSONValue(path)),
        ("help", JSONValue(help)),
      ]))
  }

  fileprivate init?(_ json: JSONValue) {
    guard let name = json["name"]?.string, let kind = json["kind"]?.string.flatMap(Kind.init(rawValue:)),
      let path = json["path"]?.string
    else { return nil }
    self.init(name: name, kind: kind, path: path, help: json["help"]?.string ?? "")
  }
}
