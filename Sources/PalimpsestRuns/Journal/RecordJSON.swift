import PalimpsestJSON
import PalimpsestMetrics

/// How a run's record stands in a journal line:
///
///     {"status":"completed","format":2,"tasks":["a","b"],
///      "numbers":{"run after_task task":{"accuracy":[[0.9,null],[0.7,0.8]]},"run":{"time_total":1.5}},
///      "integers":{"run":{"steps":30}}}
///
/// Numbers in shortest round-trip form, what was not measured as null; observations along the same axes stand together.
/// `error`, `zero_shot_unmeasured`, `ticks` and `measures` are there where a record has them: `measures` declares what is
/// not among the toolkit's own. Records of format 1 said no format (see `RunRecord.init(firstForm:)`).
enum RecordJSON {
  static let format = 2
}

/// Writes records. What a run observes like the one before it, such as the truth of its scenario, half of a line, is made
/// text once.
struct RecordWriter {
  /// Shorter ones are written as quickly as they are compared.
  private static let leastKept = 4
  private var kept: [ObservationName: (observation: Observation, json: [UInt8])] = [:]

  mutating func append(_ record: RunRecord, to json: inout JSONBytes) {
    json.append(json: "{\"status\":")
    json.append(record.status.rawValue)
    json.key("format")
    json.append(RecordJSON.format)
    json.key("tasks")
    json.append(record.tasks) { $0.append($1) }
    appendRest(of: record, to: &json)
    append("numbers", record.observations.filter { $0.integers == nil }, to: &json)
    append("integers", record.observations.filter { $0.integers != nil }, to: &json)
    json.append(json: "}")
  }

  /// What only some records have.
  private func appendRest(of record: RunRecord, to json: inout JSONBytes) {
    if !record.error.isEmpty {
      json.key("error")
      json.append(record.error)
    }
    if let reason = record.zeroShotUnmeasured {
      json.key("zero_shot_unmeasured")
      json.append(reason)
    }
    if !record.ticks.isEmpty {
      json.key("ticks")
      json.append(
        json: JSONValue(JSONObject(record.ticks.sorted { $0.key < $1.key }.map { ($0.key, $0.value.json) })).compactText
      )
    }
    if !record.declared.isEmpty {
      json.key("measures")
      json.append(json: JSONValue(record.declared.map(\.json)).compactText)
    }
  }

  /// Groups in the order of their first observations.
  private mutating func append(_ key: String, _ observations: [Observation], to json: inout JSONBytes) {
    if observations.isEmpty { return }
    json.key(key)
    json.append(json: "{")
    var done = [Bool](repeating: false, count: observations.count)
    for first in observations.indices where !done[first] {
      json.key(observations[first].dimensions)
      json.append(json: "{")
      for place in first..<observations.count where !done[place] {
        let observation = observations[place]
        guard observation.axes.isAlong(observations[first].axes) else { continue }
        done[place] = true
        json.key(observation.name.text)
        append(observation, to: &json)
      }
      json.append(json: "}")
    }
    json.append(json: "}")
  }

  private mutating func append(_ observation: Observation, to json: inout JSONBytes) {
    guard observation.values.count >= RecordWriter.leastKept else { return observation.append(to: &json) }
    if let known = kept[observation.name], known.observation == observation { return json.append(json: known.json) }
    let start = json.bytes.count
    observation.append(to: &json)
    kept[observation.name] = (observation, Array(json.bytes[start...]))
  }
}

extension [Axis] {
  /// Of the same names; lengths may differ.
  fileprivate func isAlong(_ others: [Axis]) -> Bool {
    count == others.count && zip(self, others).allSatisfy { $0.name == $1.name }
  }
}

extension Observation {
  /// `run after_task task`: the dimensions of its dataset.
  fileprivate var dimensions: String { axes.reduce("run") { $0 + " " + $1.name } }

  fileprivate func append(to json: inout JSONBytes) {
    var next = 0
    switch values {
    case .numbers(let values): append(to: &json, 0, &next) { $0.append(values[$1]) }
    case .integers(let values): append(to: &json, 0, &next) { $0.append(values[$1]) }
    }
  }

  /// A list of lists, one level an axis.
  private func append(
    to json: inout JSONBytes, _ level: Int, _ next: inout Int, _ value: (inout JSONBytes, Int) -> Void
  ) {
    if level == axes.count {
      value(&json, next)
      next += 1
      return
    }
    json.append(0..<axes[level].length) { json, _ in append(to: &json, level + 1, &next, value) }
  }
}

extension AxisTicks {
  fileprivate var json: JSONValue {
    switch self {
    case .labels(let labels): JSONValue(labels.map { JSONValue($0) })
    case .positions(let positions): JSONValue(positions.map { JSONValue($0) })
    }
  }

  fileprivate init?(_ json: JSONValue) {
    guard let values = json.array else { return nil }
    let (labels, positions) = (values.compactMap(\.string), values.compactMap(\.int))
    if labels.count == values.count {
      self = .labels(labels)
    } else if positions.count == values.count {
      self = .positions(positions)
    } else {
      return nil
    }
  }
}

extension Measure {
  var json: JSONValue {
    [
      "name": JSONValue(name.text), "long_name": JSONValue(longName), "unit": JSONValue(unit),
      "definition": JSONValue(definition), "subject": JSONValue(subject.rawValue),
      "direction": JSONValue(direction.rawValue), "type": JSONValue(storage.rawValue),
      "axes": JSONValue(
        axes.map { ["name": JSONValue($0.name), "long_name": $0.longName.map { JSONValue($0) } ?? .null] }),
      "repeatable": JSONValue(isRepeatable),
    ]
  }

  /// - Returns: nil where the JSON is no declaration.
  init?(_ json: JSONValue) {
    guard let name = json["name"]?.string, let longName = json["long_name"]?.string,
      let unit = json["unit"]?.string, let definition = json["definition"]?.string,
      let subject = json["subject"]?.string.flatMap(Subject.init(rawValue:)),
      let direction = json["direction"]?.string.flatMap(Metric.Direction.init(rawValue:)),
      let storage = json["type"]?.string.flatMap(Storage.init(rawValue:)), let axes = json["axes"]?.array,
      let isRepeatable = json["repeatable"]?.bool
    else { return nil }
    let names = axes.compactMap { $0["name"]?.string }
    guard names.count == axes.count, ObservationName.isName(name), ObservationName.areAxes(names) else { return nil }
    self.init(
      ObservationName(name), longName, unit: unit, definition: definition, subject: subject, direction: direction,
      storage: storage,
      along: axes.compactMap { axis in
        axis["name"]?.string.map { MeasureAxis($0, axis["long_name"]?.string) }
      }, isRepeatable: isRepeatable)
  }
}

// MARK: - From a tree

/// The general way, for lines that ``EntryScanner`` does not know: keys in any order, whitespace, numbers of any form.
extension RunRecord {
  /// - Returns: nil where the JSON is no record.
  init?(_ json: JSONValue) {
    guard let format = json["format"] else {
      self.init(firstForm: json)
      return
    }
    guard format.int == RecordJSON.format, let status = json["status"]?.string.flatMap(Status.init(rawValue:)),
      let tasks = json["tasks"]?.array?.compactMap(\.string)
    else { return nil }
    self.init(status: status, tasks: tasks, observations: [])
    error = json["error"]?.string ?? ""
    zeroShotUnmeasured = json["zero_shot_unmeasured"]?.string
    guard let members = json.membersOfRecord else { return nil }
    ticks = members.ticks
    declare(members.measures)
    for observation in members.observations {
      if self[observation.name] != nil { return nil }
      observe(observation)
    }
  }
}

extension JSONObject {
  fileprivate var list: [(String, JSONValue)] { members.map { ($0.key, $0.value.value) } }
}

extension JSONValue {
  /// What a record of format 2 may have; nil where something is not of its form.
  var membersOfRecord: (ticks: [String: AxisTicks], measures: [Measure], observations: [Observation])? {
    let given = self["ticks"]?.object?.list ?? []
    let ticks = given.compactMap { name, value in AxisTicks(value).map { (name, $0) } }
    let declared = self["measures"]?.array ?? []
    let measures = declared.compactMap { Measure($0) }
    guard ticks.count == given.count, ticks.allSatisfy({ ObservationName.isName($0.0) }),
      measures.count == declared.count,
      let numbers = observations(
        "numbers", { .numbers($0.map { $0.double ?? .nan }) }, { $0.isNull || $0.double != nil }),
      let integers = observations("integers", { .integers($0.compactMap(\.int)) }, { $0.int != nil })
    else { return nil }
    return (Dictionary(ticks, uniquingKeysWith: { first, _ in first }), measures, numbers + integers)
  }

  private func observations(
    _ key: String, _ values: ([JSONValue]) -> Observation.Values, _ isValue: (JSONValue) -> Bool
  ) -> [Observation]? {
    guard let groups = self[key] else { return [] }
    guard let groups = groups.object else { return nil }
    var observations: [Observation] = []
    for (dimensions, members) in groups.list {
      let names = dimensions.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      guard names.first == "run", ObservationName.areAxes(names.dropFirst()), let members = members.object,
        members.list.allSatisfy({ ObservationName.isName($0.0) })
      else { return nil }
      for (name, json) in members.list {
        var (lengths, leaves) = ([Int?](repeating: nil, count: names.count - 1), [JSONValue]())
        guard json.flatten(0, &lengths, &leaves), leaves.allSatisfy(isValue) else { return nil }
        let axes = zip(names.dropFirst(), lengths).map { Axis($0, $1 ?? 0) }
        guard axes.reduce(1, { $0 * $1.length }) == leaves.count else { return nil }
        observations.append(Observation(ObservationName(name), along: axes, values(leaves)))
      }
    }
    return observations
  }

  /// Lists of lists as one list; false where those of a level differ in length.
  private func flatten(_ level: Int, _ lengths: inout [Int?], _ leaves: inout [JSONValue]) -> Bool {
    if level == lengths.count {
      leaves.append(self)
      return true
    }
    guard let elements = array, lengths[level].map({ $0 == elements.count }) ?? true else { return false }
    lengths[level] = elements.count
    for element in elements where !element.flatten(level + 1, &lengths, &leaves) { return false }
    return true
  }
}
