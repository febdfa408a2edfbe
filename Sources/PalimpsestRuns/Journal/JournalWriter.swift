import Foundation
import PalimpsestJSON
import Synchronization

/// Appends finished runs to a file of this process alone. A line is one write: a kill loses at most the run in flight.
public final class JournalWriter: Sendable {
  private struct State {
    var length = 0
    var isDirty = false
  }

  public let path: String
  private let file: AppendedFile
  private let state = Mutex(State())

  /// - Parameter folder: is made where it is missing.
  public init(folder: String, host: String) throws(FileError) {
    try Files.makeFolder(folder)
    (path, file) = try JournalWriter.create(in: folder, host: host)
  }

  /// The file is named by the time in microseconds. Where that name is taken, by a clock that was set back, the next one
  /// will do.
  private static func create(in folder: String, host: String) throws(FileError) -> (String, AppendedFile) {
    let start = Int64(max(0, Date().timeIntervalSince1970) * 1e6)
    var path = ""
    for number in start..<start + 1000 {
      path = "\(folder)/\(host)-\(getpid())-\(number).jsonl"
      if let file = try AppendedFile(creating: path) { return (path, file) }
    }
    throw .system(.unwritable, "write", path, EEXIST)
  }

  /// Bytes that were appended.
  var length: Int { state.withLock { $0.length } }

  /// Appends one line.
  public func append(_ entry: JournalEntry) throws(FileError) { try append(entry.line) }

  /// Appends a line that stands as it is. One that does not fit (disk full) is taken back whole.
  func append(_ line: [UInt8]) throws(FileError) {
    let failed: FileError? = state.withLock { state in
      do throws(FileError) {
        guard file.hasName else { return isGone }
        try file.append(line)
      } catch {
        file.truncate(to: state.length)
        return error
      }
      state.length += line.count
      state.isDirty = true
      return nil
    }
    if let failed { throw failed }
  }

  /// Forces what was appended to the disk: called each second, it is all that a power cut costs. A kill costs nothing.
  public func sync() throws(FileError) {
    let isDirty = state.withLock { state in
      defer { state.isDirty = false }
      return state.isDirty
    }
    if isDirty { try file.sync() }
  }

  /// What is said of a file that somebody removed.
  var isGone: FileError { FileError(.unwritable, "\(path): this file was removed while the sweep wrote to it") }
}
