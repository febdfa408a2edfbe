import Foundation
import PalimpsestJSON
import PalimpsestMetrics

/// What the folder says of runs: which are done, and which other processes have claimed. Read once, then only what is new.
package struct KnownRuns: Sendable {
  private let output: ResultsFolder
  private let own: Provenance
  private var index: JournalIndex
  private(set) var done: Set<String>
  private var claimed: Set<String> = []
  /// Other processes that are at work.
  private(set) var others: [ProcessProgress] = []

  /// - Parameter retryFailed: runs that failed or diverged are to be done again.
  package init(_ output: ResultsFolder, _ own: Provenance, retryFailed: Bool) throws(FileError) {
    self.output = output
    self.own = own
    index = try JournalIndex(folder: output.journalFolder)
    done = index.settled(retryFailed: retryFailed)
    try lookAtOthers()
  }

  /// Runs that the journals held as completed when they were last read.
  var completed: Set<String> { index.settled(retryFailed: true) }

  func isDone(_ id: String) -> Bool { done.contains(id) }

  func isClaimed(_ id: String) -> Bool { claimed.contains(id) }

  /// Reads what is new. First who claims what, then what is done: a run leaves its claim only after it was journalled.
  /// - Returns: how many runs others have done since. Files that cannot be read now say nothing new.
  package mutating func look() -> Int {
    try? lookAtOthers()
    guard let count = try? index.readOn(besides: "\(own.host)-\(own.process)-"), count > 0 else { return 0 }
    return index.entries.suffix(count).count { done.insert($0.runID).inserted }
  }

  private mutating func lookAtOthers() throws(FileError) {
    let now = Date().timeIntervalSince1970
    others = try output.processes.filter {
      ($0.host != own.host || $0.process != own.process) && $0.state(at: now, on: own.host) == .working
    }
    claimed = Set(others.flatMap { $0.claims + $0.workers.map(\.runID) })
  }

  /// Where this process begins among the runs that wait, so that several do not all begin at the first.
  func place(among count: Int) -> Int {
    guard count > 0 else { return 0 }
    let hash = sha256(Array("\(own.host)-\(own.process)".utf8)).prefix(12)
    return Int(UInt64(hash, radix: 16) ?? 0) % count
  }
}
