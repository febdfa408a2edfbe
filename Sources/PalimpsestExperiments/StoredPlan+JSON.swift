/// A plan as a file: format 2, one line a column, component and configuration. A component that configurations share
/// stands there once, and they refer to it by number.
extension StoredPlan {
  package var text: String { String(decoding: json, as: UTF8.self) }

  /// The content of its file.
  /// - Cost: about a microsecond a configuration and component.
  package var json: [UInt8] {
    let table = NumberedComponents(configurations)
    var out = JSONBytes(capacity: 4096 + configurations.count * 400)
    out.append(json: "{\"format\":2,\"name\":\(jsonQuoted(name)),\"question\":\(jsonQuoted(question)),")
    out.append(json: "\"seeds\":\(JSONValue(seeds.map { JSONValue($0) }).compactText),")
    out.append(json: "\"overrides\":\(JSONValue(overrides.map { JSONValue($0) }).compactText),\n")
    if let selection { out.append(json: "\"selection\":\(selection.compactText),\n") }
    out.append(json: "\"experiment\":\(jsonQuoted(experimentText)),\n")
    out.appendLines("columns", columns) { $0.append(json: $1.json.compactText) }
    out.append(json: ",\n")
    out.appendLines("components", table.components) { $1.append(to: &$0) }
    out.append(json: ",\n")
    out.appendLines("configurations", configurations) {
      $1.append(to: &$0, numbers: $1.components.map { table.numbers[ObjectIdentifier($0)] ?? 0 })
    }
    out.append(json: "}\n")
    return out.bytes
  }

  /// - Returns: nil where the JSON is no plan.
  package init?(_ json: JSONValue) {
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

extension JSONBytes {
  /// `"name":[`, each element on a line of its own, `]`.
  fileprivate mutating func appendLines<Element>(
    _ name: String, _ elements: [Element], _ one: (inout JSONBytes, Element) -> Void
  ) {
    append(json: "\"\(name)\":[\n")
    var isFirst = true
    for element in elements {
      if !isFirst { append(json: ",\n") }
      isFirst = false
      one(&self, element)
    }
    append(json: "\n]")
  }
}

extension StoredConfiguration {
  fileprivate func append(to out: inout JSONBytes, numbers: [Int]) {
    out.append(json: "[")
    out.append(scenario)
    out.append(json: ",")
    out.append(strategy)
    out.append(json: ",")
    out.append(numbers) { $0.append($1) }
    out.append(json: ",")
    out.append(runIDs) { $0.append($1) }
    if let positions {
      out.append(json: ",")
      out.append(positions) { $0.append($1) }
    }
    out.append(json: "]")
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
    let whole = StoredComponent(.whole, record, whole: values.columns)
    self.init(scenario: scenario, strategy: strategy, components: [whole], runIDs: runs)
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
