import PalimpsestJSON

/// A plan as a file: format 3, one line a column, component and configuration, and a line with the seal. A component that
/// configurations share stands there once, and they refer to it by number. Format 2 had no seal, format 1 no components.
extension StoredPlan {
  /// The formats that are read; the last one is written.
  static let formats = 1...3
  /// The first format that is sealed.
  static let firstSealed = 3

  package var text: String { String(decoding: json, as: UTF8.self) }

  /// The content of its file.
  /// - Cost: about a microsecond a configuration and component.
  package var json: [UInt8] {
    let table = NumberedComponents(configurations)
    var out = JSONBytes(capacity: 4096 + configurations.count * 400)
    out.append(json: "{\"format\":\(StoredPlan.formats.upperBound),")
    out.append(json: "\"name\":\(jsonQuoted(name)),\"question\":\(jsonQuoted(question)),")
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
    out.append(json: ",\n")
    return SealedJSON.sealed(out.bytes)
  }

  /// - Returns: nil where the JSON is no plan, or anything in it is not as it should be. The seal is not looked at.
  package init?(_ json: JSONValue) {
    guard let format = json["format"]?.int, StoredPlan.formats.contains(format), let name = json["name"]?.string,
      let question = (json["question"] ?? "").string, let text = json["experiment"]?.string,
      let overrides = (json["overrides"] ?? []).list(\.string), let seeds = json["seeds"]?.list(\.int),
      let columns = json["columns"]?.list(HyperparameterColumn.init),
      let components = (json["components"] ?? []).list(StoredComponent.init),
      let configurations = json["configurations"]?.list({
        format == 1 ? StoredConfiguration(format1: $0) : StoredConfiguration($0, components)
      })
    else { return nil }
    self.name = name
    self.question = question
    experimentText = text
    self.overrides = overrides
    selection = json["selection"]
    self.seeds = seeds
    self.columns = columns
    self.configurations = configurations
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
    guard let fields = json.array, (4...5).contains(fields.count), let scenario = fields[0].string,
      let strategy = fields[1].string, let numbers = fields[2].list(\.int),
      numbers.allSatisfy(components.indices.contains),
      let runs = fields[3].list(\.string).map({ RunIDs($0) })
    else { return nil }
    let positions = fields.count == 5 ? fields[4].list(\.int) : nil
    guard fields.count == 4 || positions?.count == runs.count else { return nil }
    self.init(
      scenario: scenario, strategy: strategy, components: numbers.map { components[$0] }, runIDs: runs,
      positions: positions)
  }

  /// As results of version 0.1 have it.
  fileprivate init?(format1 json: JSONValue) {
    guard let scenario = json["scenario"]?.string, let strategy = json["strategy"]?.string,
      let values = json["values"], let record = json["configuration"],
      let runs = json["runs"]?.list(\.string).map({ RunIDs($0) })
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
      let path = json["path"]?.string, let help = (json["help"] ?? "").string
    else { return nil }
    self.init(name: name, kind: kind, path: path, help: help)
  }
}
