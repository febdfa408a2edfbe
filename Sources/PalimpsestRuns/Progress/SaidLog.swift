import Foundation
import PalimpsestJSON
import Synchronization

/// What a process said while it worked on results, as plain text beside the journal: `log/<host>-<pid>-<start>.log`, a line
/// for each of its lines, the time (UTC) before it.
///
/// Nothing is made before the results' own folder is there, so a refused call leaves no trace; what was said until then is
/// written first. A log that cannot be written, or has its fill, ends: no run stops for it.
public final class SaidLog: Sendable {
  private struct State {
    /// Lines before the file was made.
    var waiting: [String] = []
    var file: AppendedFile?
    var room: Int
    var isOver = false
  }

  private static let mostWaiting = 1000

  private let output: ResultsFolder
  private let path: String
  private let state: Mutex<State>

  /// - Parameters:
  ///   - opening: the first line.
  ///   - most: bytes; what is said beyond is not kept.
  public init(_ output: ResultsFolder, opening: String, most: Int = 1 << 20) {
    self.output = output
    let start = UInt64(max(0, Date().timeIntervalSince1970 * 1e6))
    path = "\(output.logFolder)/\(Provenance.hostName)-\(getpid())-\(start).log"
    state = Mutex(State(waiting: SaidLog.lines(opening), room: most))
  }

  /// Adds a message, without the codes that move or colour a terminal.
  public func add(_ message: String) {
    let lines = SaidLog.lines(message)
    state.withLock { state in
      if state.isOver || lines.isEmpty { return }
      state.waiting += lines
      if state.file == nil && !open(&state) { return }
      for line in state.waiting { append(Array((line + "\n").utf8), &state) }
      state.waiting = []
    }
  }

  /// - Returns: false where there is no file yet.
  private func open(_ state: inout State) -> Bool {
    guard Files.exists(output.folder) else {
      state.isOver = state.waiting.count > SaidLog.mostWaiting
      return false
    }
    try? Files.makeFolder(output.logFolder)
    state.file = try? AppendedFile(creating: path)
    state.isOver = state.file == nil
    return !state.isOver
  }

  private func append(_ line: [UInt8], _ state: inout State) {
    if state.isOver { return }
    state.isOver = line.count > state.room
    state.room -= line.count
    let kept = state.isOver ? Array("no more is kept\n".utf8) : line
    do throws(FileError) { try state.file?.append(kept) } catch { state.isOver = true }
  }

  private static func lines(_ message: String) -> [String] {
    let now = Date().formatted(.iso8601)
    let plain = message.replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "")
    return plain.split(whereSeparator: \.isNewline).map { line in
      now + " "
        + String(
          String.UnicodeScalarView(line.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
  }
}
