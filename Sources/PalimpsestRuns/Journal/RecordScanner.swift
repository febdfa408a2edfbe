import PalimpsestJSON
import PalimpsestMetrics

/// Reads journal lines of the usual form, some twenty times as fast as by way of a tree. What lines repeat (names of
/// tasks, machine, version, the form of observations, a scenario's truth) is read once and shared by their entries.
package struct EntryScanner {
  private var host = Repeated("")
  private var worker = Repeated("")
  private var instructionSet = Repeated("")
  private var toolkitVersion = Repeated("")
  private var gitCommit = Repeated("")
  private var toolkitCommit = Repeated("")
  private var tasks = Repeated<[String]>([])
  private var rest = Repeated<JSONValue>(.null)
  private var ticks = Repeated<[String: AxisTicks]>([:])
  private var numbers = ObservationScanner()
  private var integers = ObservationScanner()

  package init() {}

  private static let keys = JSONKeys([
    "run_id", "started", "host", "worker", "instruction_set", "toolkit_version", "git_commit", "record",
    "toolkit_commit", "crc",
  ])

  /// - Parameter line: without its newline; its checksum is not looked at.
  /// - Throws: where the line is not of the usual form; the general reader may still know it.
  package mutating func entry(_ line: ArraySlice<UInt8>, in bytes: [UInt8]) throws(UnusualJSON) -> JournalEntry {
    var scanner = JSONScanner(line, in: bytes)
    var (runID, record): (String?, RunRecord?)
    var (started, host, worker, instructionSet, version, commit) = (Double.nan, "", "", "", "", "")
    var toolkitCommit = ""
    try scanner.object(EntryScanner.keys) { (scanner, key) throws(UnusualJSON) in
      switch key {
      case 0: runID = try scanner.string()
      case 1: started = try scanner.double()
      case 2: host = try self.host.text(&scanner)
      case 3: worker = try self.worker.text(&scanner)
      case 4: instructionSet = try self.instructionSet.text(&scanner)
      case 5: version = try toolkitVersion.text(&scanner)
      case 6: commit = try gitCommit.text(&scanner)
      case 7: record = try self.record(&scanner)
      case 8: toolkitCommit = try self.toolkitCommit.text(&scanner)
      default: _ = try scanner.string()
      }
    }
    guard let runID, let record, scanner.isAtEnd else { throw UnusualJSON() }
    return JournalEntry(
      runID: runID, record: record, started: started, host: host, worker: worker, instructionSet: instructionSet,
      toolkitVersion: version, gitCommit: commit, toolkitCommit: toolkitCommit)
  }

  private static let recordKeys = JSONKeys([
    "status", "format", "tasks", "error", "zero_shot_unmeasured", "ticks", "measures", "numbers", "integers",
  ])

  private mutating func record(_ scanner: inout JSONScanner) throws(UnusualJSON) -> RunRecord {
    var (status, tasks): (RunRecord.Status?, [String]?)
    var (error, zeroShot, format) = ("", String?.none, 1)
    var observations: [Observation] = []
    observations.reserveCapacity(32)
    var ticks: [String: AxisTicks] = [:]
    var extras: [(String, JSONValue)] = []
    try scanner.object(EntryScanner.recordKeys) { (scanner, key) throws(UnusualJSON) in
      switch key {
      case 0: status = try scanner.status()
      case 1: format = try scanner.int()
      case 2: tasks = try self.tasks.texts(&scanner)
      case 3: error = try scanner.string()
      case 4: zeroShot = try scanner.string()
      case 5: ticks = try self.ticks.ticks(&scanner)
      case 6:
        let measures = try rest.value(&scanner) { scanner throws(UnusualJSON) in try scanner.tree() }
        extras.append(("measures", measures))
      case 7:
        try numbers.scan(&scanner, into: &observations) { (scanner, slot) throws(UnusualJSON) in
          .numbers(try slot.grid(&scanner) { scanner throws(UnusualJSON) in try scanner.double() })
        }
      default:
        try integers.scan(&scanner, into: &observations) { (scanner, slot) throws(UnusualJSON) in
          .integers(try slot.grid(&scanner) { scanner throws(UnusualJSON) in try scanner.int() })
        }
      }
    }
    guard let status, let tasks, format == RecordJSON.format else { throw UnusualJSON() }
    if numbers.hasChanged || integers.hasChanged || !extras.isEmpty {
      guard Set(observations.lazy.map(\.name)).count == observations.count else { throw UnusualJSON() }
    }
    var record = RunRecord(status: status, tasks: tasks, observations: observations)
    record.error = error
    record.zeroShotUnmeasured = zeroShot
    record.ticks = ticks
    try record.take(extras)
    return record
  }
}

extension Repeated<[String: AxisTicks]> {
  fileprivate mutating func ticks(_ scanner: inout JSONScanner) throws(UnusualJSON) -> [String: AxisTicks] {
    try value(&scanner) { scanner throws(UnusualJSON) in
      let extras = JSONObject([("ticks", try scanner.tree())])
      guard let members = JSONValue(extras).membersOfRecord else { throw UnusualJSON() }
      return members.ticks
    }
  }
}

extension RunRecord {
  fileprivate mutating func take(_ extras: [(String, JSONValue)]) throws(UnusualJSON) {
    if extras.isEmpty { return }
    guard let members = JSONValue(JSONObject(extras)).membersOfRecord else { throw UnusualJSON() }
    declare(members.measures)
  }
}

/// Reads the observations of line after line: those of a line mostly have the names and axes of the line before.
private struct ObservationScanner {
  private var groups: [Group] = []
  /// Whether the last line was not of the form of the line before.
  private(set) var hasChanged = false

  private struct Group {
    /// With quotes and colon.
    let key: [UInt8]
    let axes: [String]
    var slots: [ObservationSlot] = []
  }

  mutating func scan(
    _ scanner: inout JSONScanner, into observations: inout [Observation],
    _ values: (inout JSONScanner, inout ObservationSlot) throws(UnusualJSON) -> Observation.Values
  ) throws(UnusualJSON) {
    hasChanged = false
    var place = 0
    try scanner.members { (scanner) throws(UnusualJSON) in
      try enterGroup(place, &scanner)
      try scan(group: place, &scanner, into: &observations, values)
      place += 1
    }
  }

  private mutating func scan(
    group: Int, _ scanner: inout JSONScanner, into observations: inout [Observation],
    _ values: (inout JSONScanner, inout ObservationSlot) throws(UnusualJSON) -> Observation.Values
  ) throws(UnusualJSON) {
    var place = 0
    try scanner.members { (scanner) throws(UnusualJSON) in
      try enterSlot(group, place, &scanner)
      observations.append(try groups[group].slots[place].observation(&scanner, values))
      place += 1
    }
  }

  /// Passes over the key of a group and makes its place ready.
  private mutating func enterGroup(_ place: Int, _ scanner: inout JSONScanner) throws(UnusualJSON) {
    if place < groups.count, scanner.skip(groups[place].key) { return }
    let (key, text) = try scanner.key()
    let dimensions = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard dimensions.first == "run", ObservationName.areAxes(dimensions.dropFirst()) else { throw UnusualJSON() }
    groups.set(place, Group(key: key, axes: Array(dimensions.dropFirst())))
    hasChanged = true
  }

  private mutating func enterSlot(_ group: Int, _ place: Int, _ scanner: inout JSONScanner) throws(UnusualJSON) {
    if place < groups[group].slots.count, scanner.skip(groups[group].slots[place].key) { return }
    let (key, text) = try scanner.key()
    guard ObservationName.isName(text) else { throw UnusualJSON() }
    groups[group].slots.set(place, ObservationSlot(key: key, ObservationName(text), groups[group].axes))
    hasChanged = true
  }
}

extension JSONScanner {
  /// Calls `member` at each key of an object.
  fileprivate mutating func members(
    _ member: (inout JSONScanner) throws(UnusualJSON) -> Void
  ) throws(UnusualJSON) {
    try expect(UInt8(ascii: "{"))
    if skip(UInt8(ascii: "}")) { return }
    repeat { try member(&self) } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }

  /// A key with its colon: as it stands, and its text.
  fileprivate mutating func key() throws(UnusualJSON) -> (bytes: [UInt8], text: String) {
    let start = position
    let text = try string()
    try expect(UInt8(ascii: ":"))
    return (Array(bytes[start..<position]), text)
  }

  /// A value of any form.
  fileprivate mutating func tree() throws(UnusualJSON) -> JSONValue {
    let start = position
    try passValue()
    guard let value = RecordScan.value(bytes, start..<position) else { throw UnusualJSON() }
    return value
  }

  package mutating func status() throws(UnusualJSON) -> RunRecord.Status {
    guard let status = RunRecord.Status(rawValue: try string()) else { throw UnusualJSON() }
    return status
  }

  mutating func strings() throws(UnusualJSON) -> [String] {
    var texts: [String] = []
    try array { scanner throws(UnusualJSON) in texts.append(try scanner.string()) }
    return texts
  }
}

/// One observation as line after line has it.
private struct ObservationSlot {
  /// With quotes and colon.
  let key: [UInt8]
  private let name: ObservationName
  private let names: [String]
  private var axes: [Axis] = []
  private var lengths: [Int]
  private var repeated: (bytes: [UInt8], observation: Observation)?
  /// Lines in a row that had other values. After some the values are not kept any more.
  private var misses = 0
  private static let patience = 16

  init(key: [UInt8], _ name: ObservationName, _ axes: [String]) {
    self.key = key
    self.name = name
    names = axes
    lengths = [Int](repeating: -1, count: axes.count)
  }

  mutating func observation(
    _ scanner: inout JSONScanner,
    _ values: (inout JSONScanner, inout ObservationSlot) throws(UnusualJSON) -> Observation.Values
  ) throws(UnusualJSON) -> Observation {
    if let repeated, scanner.skip(repeated.bytes) {
      misses = 0
      return repeated.observation
    }
    let start = scanner.position
    let values = try values(&scanner, &self)
    if axes.count != names.count || !zip(axes, lengths).allSatisfy({ $0.length == max(0, $1) }) {
      axes = zip(names, lengths).map { Axis($0, max(0, $1)) }
    }
    let observation = Observation(name, along: axes, values)
    misses += 1
    repeated =
      misses < ObservationSlot.patience && !names.isEmpty
      ? (Array(scanner.bytes[start..<scanner.position]), observation) : nil
    return observation
  }

  /// Lists of lists, one level an axis, as one list.
  mutating func grid<Value>(
    _ scanner: inout JSONScanner, _ one: (inout JSONScanner) throws(UnusualJSON) -> Value
  ) throws(UnusualJSON) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(axes.reduce(1) { $0 * $1.length })
    for level in lengths.indices { lengths[level] = -1 }
    try fill(&values, 0, &scanner, one)
    return values
  }

  private mutating func fill<Value>(
    _ values: inout [Value], _ level: Int, _ scanner: inout JSONScanner,
    _ one: (inout JSONScanner) throws(UnusualJSON) -> Value
  ) throws(UnusualJSON) {
    guard level < lengths.count else { return values.append(try one(&scanner)) }
    var count = 0
    if level + 1 == lengths.count {
      try scanner.array { (scanner) throws(UnusualJSON) in
        values.append(try one(&scanner))
        count += 1
      }
    } else {
      try scanner.array { (scanner) throws(UnusualJSON) in
        try fill(&values, level + 1, &scanner, one)
        count += 1
      }
    }
    guard lengths[level] == -1 || lengths[level] == count else { throw UnusualJSON() }
    lengths[level] = count
  }
}

extension Array {
  /// Takes an element at a place, or behind the last; those behind it go.
  fileprivate mutating func set(_ place: Int, _ element: Element) {
    removeSubrange(Swift.min(place, count)...)
    append(element)
  }
}
