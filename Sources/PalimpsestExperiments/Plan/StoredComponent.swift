import PalimpsestJSON

/// One part of a configuration with its settings, in memory once for all configurations that have it.
///
/// It is the JSON of its record; a setting is looked up there when it is asked for.
package final class StoredComponent: Sendable {
  /// Where it stands in a configuration's record.
  package enum Place: String, Sendable {
    case scenario, model, training, optimizer, strategy, evaluation, stream, personal, policy, safeguard, numerics
    /// What the file calls a policy and a safeguard: columns, and no part of the record.
    case labels
    /// A whole configuration: plans of format 1 kept them so.
    case whole
  }

  package let place: Place
  /// The name of a scenario, an optimiser or a part; empty for settings.
  package let name: String
  /// What the names of its columns begin with.
  private let prefix: String
  /// The record as JSON without whitespace: `bytes[range]`.
  private let bytes: [UInt8]
  private let range: Range<Int>
  /// Columns of a whole configuration, which cannot be told from its record.
  private let whole: [String: JSONValue]

  /// - Parameters:
  ///   - range: where in `bytes` the record stands, as JSON without whitespace; nil: all of them.
  ///   - whole: the columns of a whole configuration.
  init(_ place: Place, _ bytes: [UInt8], _ range: Range<Int>? = nil, whole: [String: JSONValue] = [:]) {
    self.place = place
    self.bytes = bytes
    self.range = range ?? bytes.indices
    self.whole = whole
    let place = place.hasName ? RecordScan(bytes, self.range).value(of: "name") : nil
    name = place.flatMap { RecordScan.text(bytes, $0) } ?? ""
    prefix = self.place == .labels ? "" : (self.place == .strategy ? columnName(name) : self.place.rawValue) + "_"
  }

  /// As it stands in the record.
  package var record: JSONValue { JSONReader.read(Array(json), file: "record").root ?? .null }

  /// The record as JSON without whitespace.
  package var json: ArraySlice<UInt8> { bytes[range] }

  /// The value of a column; nil where the component has none of that name. No parameter has an underscore in its name: in a column
  /// it stands for the dot of a nested one.
  package subscript(column: String) -> JSONValue? {
    if place == .whole { return whole[column] }
    if column == nameColumn { return JSONValue(name) }
    guard column.hasPrefix(prefix) else { return nil }
    let rest = String(Substring(column.utf8.dropFirst(prefix.utf8.count)))
    let key = rest.utf8.contains(UInt8(ascii: "_")) ? rest.replacing("_", with: ".") : rest
    guard !StoredComponent.isApart(key), let value = RecordScan(bytes, range).value(of: key) else { return nil }
    return RecordScan.value(bytes, value)
  }

  /// Its columns with their values as JSON.
  package var columns: [(String, ArraySlice<UInt8>)] {
    if place == .whole { return whole.map { ($0.key, ArraySlice($0.value.compactText.utf8)) } }
    var columns: [(String, ArraySlice<UInt8>)] = nameColumn.map { [($0, ArraySlice(name.utf8))] } ?? []
    RecordScan(bytes, range).visit { key, value in
      if !StoredComponent.isApart(key) { columns.append((prefix + columnName(key), bytes[value])) }
    }
    return columns
  }

  /// Members of a record that are no settings.
  private static func isApart(_ key: String) -> Bool { key == "name" || key == "revision" }

  /// The column that holds the name; a strategy's parts have none.
  private var nameColumn: String? {
    switch place {
    case .scenario, .policy, .safeguard: prefix + "name"
    case .optimizer: "optimizer"
    default: nil
    }
  }

  /// What a plan's file has of it.
  func append(to out: inout JSONBytes) {
    out.append(json: "[\"\(place.rawValue)\",")
    out.append(json: json)
    if place == .whole {
      let columns = whole.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
      out.append(json: "," + JSONValue(JSONObject(columns)).compactText)
    }
    out.append(json: "]")
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
    record["stream"] = first(.stream)
    record["personal"] = first(.personal)
    record["policy"] = first(.policy)
    record["safeguard"] = first(.safeguard)
    record["numerics"] = first(.numerics)
    return JSONValue(record)
  }

  /// The same as JSON without whitespace.
  static func json(of components: [StoredComponent]) -> [UInt8] {
    if let whole = components.first(where: { $0.place == .whole }) { return Array(whole.json) }
    func first(_ place: Place) -> ArraySlice<UInt8>? { components.first { $0.place == place }?.json }
    var out = JSONBytes(capacity: 2048)
    func add(_ key: String, _ json: ArraySlice<UInt8>?) {
      guard let json else { return }
      out.key(key)
      out.append(json: json)
    }
    out.append(json: "{")
    add("scenario", first(.scenario))
    add("model", first(.model))
    out.key("training")
    out.append(json: first(.training)?.dropLast() ?? ArraySlice("{".utf8))
    add("optimizer", first(.optimizer))
    out.append(json: "}")
    out.key("strategy")
    out.append(components.filter { $0.place == .strategy }) { $0.append(json: $1.json) }
    add("evaluation", first(.evaluation))
    add("stream", first(.stream))
    add("personal", first(.personal))
    add("policy", first(.policy))
    add("safeguard", first(.safeguard))
    add("numerics", first(.numerics))
    out.append(json: "}")
    return out.bytes
  }
}

extension StoredComponent {
  convenience init(_ place: Place, _ record: JSONValue, whole: [String: JSONValue] = [:]) {
    self.init(place, Array(record.compactText.utf8), whole: whole)
  }

  /// From a line of a plan's file.
  convenience init?(_ json: JSONValue) {
    guard let place = json[0]?.string.flatMap(Place.init(rawValue:)), let record = json[1] else { return nil }
    self.init(place, record, whole: json[2].map(\.columns) ?? [:])
  }
}

extension StoredComponent.Place {
  fileprivate var hasName: Bool { [.scenario, .optimizer, .strategy, .policy, .safeguard].contains(self) }
}

extension StoredComponent: Equatable {
  package static func == (a: StoredComponent, b: StoredComponent) -> Bool {
    a === b || (a.place == b.place && a.whole == b.whole && (a.json == b.json || a.record == b.record))
  }
}

extension JSONValue {
  /// An object's members by key.
  var columns: [String: JSONValue] {
    (object?.members ?? [:]).elements.reduce(into: [:]) { $0[$1.key] = $1.value.value }
  }
}
