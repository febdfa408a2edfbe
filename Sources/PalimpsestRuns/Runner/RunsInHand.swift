import CProcess
import Foundation
import PalimpsestJSON

/// Which run each worker of this process has in hand, in a file that outlives it: `progress/<host>-<pid>-<start>.hand`, called as the
/// process's journal. Where the process dies by a fault (a part's trap, a wrong address, an abort), the signal's number is written beside
/// the run whose thread it was, so that the next process, or the heir of its blocks, knows it (``Casualties``).
///
/// A line for the process and one for each worker, all of one length: a run that begins costs one small write, which
/// survives the process without being forced to the disk.
final class RunsInHand: Sendable {
  /// Bytes of a line: a run's id or nothing, padded; a space, two digits, a newline.
  static let width = 100

  private let path: String
  private let descriptor: Int32

  /// - Parameters:
  ///   - journal: of this process.
  ///   - workers: as many as have runs in hand at once. Where the file cannot be made there is none: it is a
  ///     precaution, and no reason to stop.
  init(_ output: ResultsFolder, _ journal: JournalWriter, workers: Int) {
    path = RunsInHand.file(output, ofJournal: Paths.last(of: journal.path))
    descriptor = SystemCalls.create(path)
    for line in 0...workers { write("", line: line) }
    palimpsest_watch_faults()
    palimpsest_leave_word_of_others(descriptor, RunsInHand.placeOfWord(line: 0))
  }

  /// Where the process with that journal keeps its runs in hand.
  static func file(_ output: ResultsFolder, ofJournal name: String) -> String {
    "\(output.progressFolder)/\(JournalFile.stem(of: name)).hand"
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Does a worker's work, on this thread.
  func watching<Value>(worker: Int, _ work: () throws -> Value) rethrows -> Value {
    palimpsest_leave_word(descriptor, RunsInHand.placeOfWord(line: worker + 1))
    defer {
      palimpsest_leave_no_word()
      write("", line: worker + 1)
    }
    return try work()
  }

  func take(_ run: String, worker: Int) { write(run, line: worker + 1) }

  /// The process has ended its work.
  func remove() {
    palimpsest_leave_word_of_others(-1, 0)
    SystemCalls.unlink(path)
  }

  private func write(_ run: String, line: Int) {
    if descriptor >= 0 { _ = SystemCalls.write(descriptor, RunsInHand.line(run), at: line * RunsInHand.width) }
  }

  /// - Parameter signal: what the process died of while it had the run in hand; 0: nothing known.
  static func line(_ run: String, signal: Int32 = 0) -> [UInt8] {
    let name = run.utf8.prefix(width - 4)
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: width - 3 - name.count)
    let digits = [signal / 10 % 10, signal % 10].map { UInt8(ascii: "0") + UInt8($0) }
    return name + padding + digits + [UInt8(ascii: "\n")]
  }

  private static func placeOfWord(line: Int) -> Int64 { Int64(line * width + width - 3) }
}
