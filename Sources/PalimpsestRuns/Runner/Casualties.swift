import Foundation
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import Synchronization

/// Deaths of earlier processes by a fault, and the runs they had in hand: a part that traps would else end each sweep that
/// comes to it. A run that one process died over is tried once more, after all others; one that two died over is
/// recorded as failed, and the sweep goes on.
///
/// Only deaths that left a word count (``RunsInHand``): one that was killed from outside (`kill -9`, out of memory, power)
/// says nothing of the run it had in hand, and a sweep may be killed as often as one likes. The files of the dead are the
/// whole record: processes that begin at once all read the same, and nothing is counted twice. Of a launch, whoever takes over
/// a block reads the files of those that had it, and no others.
final class Casualties: Sendable {
  /// A death in whose file runs are named.
  fileprivate struct Death {
    let file: String
    let process: String
    /// Runs that may be to blame.
    let runs: Set<String>
    let signal: Int32
  }

  /// Deaths after which a run is not tried again.
  private static let most = 2

  private let deaths: [Death]
  private let settled: Mutex<Set<String>>

  /// Reads the files of dead processes, and takes those away that say nothing more.
  /// - Parameter done: runs that are not to be done: their deaths are history.
  init(_ output: ResultsFolder, _ own: Provenance, done: Set<String>) {
    var deaths: [Death] = []
    for name in (try? Files.names(in: output.progressFolder)) ?? [] where name.hasSuffix(".hand") {
      let file = output.progressFolder + "/" + name
      let death = Death(file)
      if let death, !death.runs.isSubset(of: done) {
        deaths.append(death)
      } else if death != nil || Casualties.isOver(name, own) {
        SystemCalls.unlink(file)
      }
    }
    self.deaths = deaths
    settled = Mutex(done)
  }

  /// The deaths of processes that had a block of a launch in hand before.
  /// - Parameters:
  ///   - files: of these processes (``RunsInHand``); those that are not there say nothing.
  ///   - runs: what may be to blame, as far as the block goes.
  init(files: [String], runs: Set<String>) {
    deaths = files.compactMap { Death($0) }.filter { !$0.runs.isDisjoint(with: runs) }
    settled = Mutex([])
  }

  /// Whether a process died by a fault: a run's that it had in hand, by what its file says.
  static func hasWord(_ file: String) -> Bool { Death(file) != nil }

  /// Those that no process died over first, else in the order given.
  func last(_ runs: [PlannedRun]) -> [PlannedRun] {
    let (others, suspects) = parted(runs)
    return others + suspects
  }

  /// Those that no process died over, and those that one did.
  func parted(_ runs: [PlannedRun]) -> (others: [PlannedRun], suspects: [PlannedRun]) {
    if deaths.isEmpty { return (runs, []) }
    let suspects = deaths.reduce(into: Set<String>()) { $0.formUnion($1.runs) }
    return (runs.filter { !suspects.contains($0.id) }, runs.filter { suspects.contains($0.id) })
  }

  /// Asked before a run begins.
  /// - Throws: ``FatalRunError`` where it is not to be tried again.
  func check(_ run: String, _ note: (String) -> Void) throws(FatalRunError) {
    let mine = deaths.filter { $0.runs.contains(run) }
    if mine.count >= Casualties.most { throw FatalRunError(mine.map(\.description)) }
    for death in mine { note("run \(run): \(death) while it ran; it is tried once more") }
  }

  /// The run stands in the journal: its deaths are history.
  func settle(_ run: String) {
    let mine = deaths.filter { $0.runs.contains(run) }
    if mine.isEmpty { return }
    settled.withLock { settled in
      settled.insert(run)
      for death in mine where death.runs.isSubset(of: settled) { SystemCalls.unlink(death.file) }
    }
  }

  /// Whether the process that a file without a word belongs to is gone: on this machine for certain, of another a month
  /// after it began.
  private static func isOver(_ name: String, _ own: Provenance) -> Bool {
    let parts = name.dropLast(".hand".count).split(separator: "-")
    guard parts.count >= 3, let process = Int(parts[parts.count - 2]), let start = Double(parts[parts.count - 1])
    else { return false }
    if parts.dropLast(2).joined(separator: "-") == own.host {
      return process != own.process && !Processes.isAlive(process)
    }
    return Date().timeIntervalSince1970 - start / 1e6 > 30 * 86_400
  }
}

extension Casualties.Death: CustomStringConvertible {
  /// - Returns: nil where the file is no such file, or its process left no word.
  fileprivate init?(_ file: String) {
    guard let bytes = try? Files.read(file), bytes.count % RunsInHand.width == 0 else { return nil }
    let lines = stride(from: 0, to: bytes.count, by: RunsInHand.width).map { Line(bytes[$0..<$0 + RunsInHand.width]) }
    guard let process = lines.first, let signal = lines.lazy.map(\.signal).first(where: { $0 > 0 }) else { return nil }
    let workers = lines.dropFirst().filter { !$0.run.isEmpty && (process.signal > 0 || $0.signal > 0) }
    if workers.isEmpty { return nil }
    self.file = file
    self.signal = signal
    self.process = Paths.last(of: file).split(separator: "-").dropLast().joined(separator: "-")
    runs = Set(workers.map(\.run))
  }

  private struct Line {
    let run: String
    let signal: Int32

    init(_ line: ArraySlice<UInt8>) {
      let text = String(decoding: line, as: UTF8.self)
      run = String(text.dropLast(3)).trimmingCharacters(in: .whitespaces)
      signal = Int32(text.suffix(3).prefix(2)) ?? 0
    }
  }

  fileprivate var description: String {
    let names: [Int32: String] = [
      SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGSEGV: "SIGSEGV",
    ]
    return "process \(process) died of \(names[signal] ?? "signal \(signal)")"
  }
}

/// A run that ended two processes.
struct FatalRunError: Error, CustomStringConvertible {
  let description: String

  fileprivate init(_ deaths: [String]) {
    description =
      "its process died twice while it ran (\(deaths.joined(separator: ", "))): a part may trap. --retry-failed tries it again"
  }
}
