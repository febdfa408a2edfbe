import PalimpsestJSON
import PalimpsestMetrics

/// One finished run, as a line of the journal. An object: a record holds a dozen lists, which each copy would have to count.
public final class JournalEntry: Sendable {
  public let runID: String
  public let record: RunRecord
  /// Seconds since 1970, when the run began.
  public let started: Double
  public let host: String
  /// Which worker ran it: host-pid-number.
  public let worker: String
  public let instructionSet: String
  public let toolkitVersion: String
  /// Of the working directory.
  public let gitCommit: String
  /// Of the program; empty where it is not known.
  public let toolkitCommit: String

  public init(
    runID: String, record: RunRecord, started: Double, host: String, worker: String, instructionSet: String,
    toolkitVersion: String, gitCommit: String, toolkitCommit: String = ""
  ) {
    self.runID = runID
    self.record = record
    self.started = started
    self.host = host
    self.worker = worker
    self.instructionSet = instructionSet
    self.toolkitVersion = toolkitVersion
    self.gitCommit = gitCommit
    self.toolkitCommit = toolkitCommit
  }
}

extension JournalEntry: Equatable {
  public static func == (a: JournalEntry, b: JournalEntry) -> Bool {
    a.runID == b.runID && a.record == b.record && a.started == b.started && a.host == b.host && a.worker == b.worker
      && a.instructionSet == b.instructionSet && a.toolkitVersion == b.toolkitVersion && a.gitCommit == b.gitCommit
      && a.toolkitCommit == b.toolkitCommit
  }
}

/// Writes journal lines, best one after the other: what a line repeats of the one before is made text once.
package struct EntryWriter {
  private var record = RecordWriter()

  package init() {}

  /// The entry's line with its checksum and newline.
  package mutating func line(_ entry: JournalEntry) -> [UInt8] {
    var json = JSONBytes(capacity: 8192)
    json.append(json: "{\"run_id\":")
    json.append(entry.runID)
    json.key("started")
    json.append(entry.started)
    for (name, text) in [
      ("host", entry.host), ("worker", entry.worker), ("instruction_set", entry.instructionSet),
      ("toolkit_version", entry.toolkitVersion), ("git_commit", entry.gitCommit),
    ] {
      json.key(name)
      json.append(text)
    }
    json.key("record")
    record.append(entry.record, to: &json)
    json.key("toolkit_commit")
    json.append(entry.toolkitCommit)
    return JournalLine.sealed(json.bytes)
  }
}

extension JournalEntry {
  /// The line with its checksum and newline.
  package var line: [UInt8] {
    var writer = EntryWriter()
    return writer.line(self)
  }

  /// - Parameter line: without its newline.
  /// - Returns: nil where the checksum or the content is not right.
  package static func read(_ line: ArraySlice<UInt8>) -> JournalEntry? {
    let bytes = Array(line)
    var scanner = EntryScanner()
    return read(bytes[...], in: bytes, &scanner)
  }

  /// - Parameters:
  ///   - bytes: the array that the line is a part of.
  ///   - scanner: the one that read the lines before.
  static func read(_ line: ArraySlice<UInt8>, in bytes: [UInt8], _ scanner: inout EntryScanner) -> JournalEntry? {
    guard JournalLine.isWhole(line) else { return nil }
    if let entry = try? scanner.entry(line, in: bytes) { return entry }
    return JSONReader.read(Array(line), file: "journal").root.flatMap { JournalEntry($0) }
  }

  /// The general way: keys in any order, whitespace, numbers of any form.
  private convenience init?(_ json: JSONValue) {
    guard let runID = json["run_id"]?.string, let record = json["record"].flatMap({ RunRecord($0) }) else { return nil }
    self.init(
      runID: runID, record: record, started: json["started"]?.double ?? .nan, host: json["host"]?.string ?? "",
      worker: json["worker"]?.string ?? "", instructionSet: json["instruction_set"]?.string ?? "",
      toolkitVersion: json["toolkit_version"]?.string ?? "", gitCommit: json["git_commit"]?.string ?? "",
      toolkitCommit: json["toolkit_commit"]?.string ?? "")
  }
}

/// A line as it stands in the file: an object whose last member is the checksum of all bytes before it.
enum JournalLine {
  /// Bytes of `,"crc":"xxxxxxxx"}`.
  private static let tail = 18
  private static let opening = Array(",\"crc\":\"".utf8)
  private static let closing = Array("\"}".utf8)

  /// - Parameter body: the object without its closing brace.
  /// - Returns: the line with its newline.
  static func sealed(_ body: [UInt8]) -> [UInt8] {
    body + opening + CRC32.hex(body[...]) + closing + [UInt8(ascii: "\n")]
  }

  /// True where the checksum is right.
  static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    guard line.count > tail else { return false }
    return line.suffix(tail).elementsEqual(opening + CRC32.hex(line.dropLast(tail)) + closing)
  }
}
