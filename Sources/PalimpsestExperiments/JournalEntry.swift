import PalimpsestMetrics

/// One finished run, as a line of the journal.
public struct JournalEntry: Sendable, Equatable {
  public var runID: String
  public var record: RunRecord
  /// Seconds since 1970, when the run began.
  public var started: Double
  public var host: String
  /// Which worker ran it: host-pid-number.
  public var worker: String
  public var instructionSet: String
  public var toolkitVersion: String
  public var gitCommit: String

  public init(
    runID: String, record: RunRecord, started: Double, host: String, worker: String, instructionSet: String,
    toolkitVersion: String, gitCommit: String
  ) {
    self.runID = runID
    self.record = record
    self.started = started
    self.host = host
    self.worker = worker
    self.instructionSet = instructionSet
    self.toolkitVersion = toolkitVersion
    self.gitCommit = gitCommit
  }
}

extension JournalEntry {
  /// The line with its checksum and newline.
  package var line: [UInt8] {
    var json = JSONBytes(capacity: 4096)
    json.append(json: "{\"run_id\":")
    json.append(runID)
    json.key("started")
    json.append(started)
    for (name, text) in [
      ("host", host), ("worker", worker), ("instruction_set", instructionSet), ("toolkit_version", toolkitVersion),
      ("git_commit", gitCommit),
    ] {
      json.key(name)
      json.append(text)
    }
    json.key("record")
    json.append(record)
    return JournalLine.sealed(json.bytes)
  }

  /// - Parameter line: without its newline.
  /// - Returns: nil where the checksum or the content is not right.
  package init?(line: ArraySlice<UInt8>) {
    var scanner = EntryScanner()
    self.init(line: line, in: Array(line), &scanner)
  }

  /// - Parameters:
  ///   - bytes: the array that the line is a part of.
  ///   - scanner: the one that read the lines before.
  init?(line: ArraySlice<UInt8>, in bytes: [UInt8], _ scanner: inout EntryScanner) {
    guard JournalLine.isWhole(line) else { return nil }
    if let entry = try? scanner.entry(line, in: bytes) {
      self = entry
    } else {
      self.init(tree: line)
    }
  }

  /// The general way: keys in any order, whitespace, numbers of any form.
  private init?(tree line: ArraySlice<UInt8>) {
    let document = JSONReader.read(Array(line), file: "journal")
    guard let json = document.root, let runID = json["run_id"]?.string,
      let record = json["record"].flatMap(RunRecord.init)
    else { return nil }
    self.init(
      runID: runID, record: record, started: json["started"]?.double ?? .nan, host: json["host"]?.string ?? "",
      worker: json["worker"]?.string ?? "", instructionSet: json["instruction_set"]?.string ?? "",
      toolkitVersion: json["toolkit_version"]?.string ?? "", gitCommit: json["git_commit"]?.string ?? "")
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
