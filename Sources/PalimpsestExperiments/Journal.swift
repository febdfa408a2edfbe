import Foundation
import PalimpsestMetrics
import Synchronization

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
    let object = JSONObject([
      ("run_id", JSONValue(runID)), ("started", JSONValue(started)), ("host", JSONValue(host)),
      ("worker", JSONValue(worker)), ("instruction_set", JSONValue(instructionSet)),
      ("toolkit_version", JSONValue(toolkitVersion)), ("git_commit", JSONValue(gitCommit)),
      ("record", JSONValue(record)),
    ])
    let body = Array(JSONValue(object).compactText.utf8.dropLast())
    return body + Array(",\"crc\":\"\(CRC32.hex(body))\"}\n".utf8)
  }

  /// - Parameter line: without its newline.
  /// - Returns: nil where the checksum or the content is not right.
  package init?(line: ArraySlice<UInt8>) {
    let tail = 18  // ,"crc":"xxxxxxxx"}
    guard line.count > tail else { return nil }
    let body = line.dropLast(tail)
    let expected = Array(",\"crc\":\"\(CRC32.hex(body))\"}".utf8)
    guard line.suffix(tail).elementsEqual(expected) else { return nil }
    let document = JSONReader.read(Array(body) + [UInt8(ascii: "}")], file: "journal")
    guard let json = document.root, let runID = json["run_id"]?.string,
      let record = json["record"].flatMap(RunRecord.init)
    else { return nil }
    self.init(
      runID: runID, record: record, started: json["started"]?.double ?? .nan, host: json["host"]?.string ?? "",
      worker: json["worker"]?.string ?? "", instructionSet: json["instruction_set"]?.string ?? "",
      toolkitVersion: json["toolkit_version"]?.string ?? "", gitCommit: json["git_commit"]?.string ?? "")
  }
}

/// Appends finished runs to a file of this process alone. A line is one write: a kill loses at most the run in flight.
public final class JournalWriter: Sendable {
  private struct State {
    var length = 0
    var lastSync = ContinuousClock.now
  }

  public let path: String
  private let file: AppendedFile
  private let state = Mutex(State())

  /// - Parameter folder: is made where it is missing.
  public init(folder: String, host: String) throws(FileError) {
    try Files.makeFolder(folder)
    let start = UInt64(Date().timeIntervalSince1970 * 1e6)
    path = "\(folder)/\(host)-\(getpid())-\(start).jsonl"
    file = try AppendedFile(creating: path)
  }

  /// Appends one line. A line that does not fit (disk full) is taken back whole.
  public func append(_ entry: JournalEntry) throws(FileError) {
    let line = entry.line
    let failed: FileError? = state.withLock { state in
      do throws(FileError) {
        try file.append(line)
      } catch {
        file.truncate(to: state.length)
        return error
      }
      state.length += line.count
      syncIfDue(&state)
      return nil
    }
    if let failed { throw failed }
  }

  /// Forces what was appended to the disk.
  public func sync() { file.sync() }

  /// A power cut loses at most a second's runs; a kill loses none.
  private func syncIfDue(_ state: inout State) {
    guard ContinuousClock.now - state.lastSync >= .seconds(1) else { return }
    sync()
    state.lastSync = .now
  }
}

/// Everything the journals of a folder hold.
public struct Journal: Sendable {
  /// Entries in the order of file names and lines.
  public private(set) var entries: [JournalEntry] = []
  /// Lines that were torn or damaged: file and line number.
  public private(set) var damaged: [String] = []

  /// Entries that are in no file.
  package init(entries: [JournalEntry]) { self.entries = entries }

  public init(folder: String) throws(FileError) {
    for name in Files.names(in: folder) where name.hasSuffix(".jsonl") { try read(folder + "/" + name) }
  }

  private mutating func read(_ path: String) throws(FileError) {
    let bytes = try Files.read(path)
    var number = 0
    var start = 0
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      number += 1
      if let entry = JournalEntry(line: bytes[start..<end]) {
        entries.append(entry)
      } else {
        damaged.append("\(path):\(number)")
      }
      start = end + 1
    }
    if start < bytes.count { damaged.append("\(path):\(number + 1)") }
  }
}
