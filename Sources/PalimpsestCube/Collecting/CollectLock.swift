import Foundation
import PalimpsestJSON
import PalimpsestRuns

/// Lets one process at a time replace cube and manifest, so that the two belong together: `collect.lock`, made only where
/// it is not there. That of a dead process, or one older than ten minutes, does not count.
package struct CollectLock {
  /// Seconds to wait for another process's collect. A collect without the lock is no disaster: at worst the manifest
  /// belongs to the other's cube, which is noticed.
  package static let patience = 60.0
  /// Seconds after which a wait is told: most are over before.
  private static let silence = 1.0

  private let path: String

  /// - Parameter note: told who is waited for, and when that is given up.
  /// - Returns: nil where another process holds it for longer than `patience` seconds, or it cannot be made.
  package init?(_ folder: ResultsFolder, patience: Double, note: (String) -> Void = { _ in }) {
    path = folder.folder + "/collect.lock"
    let start = ContinuousClock.now
    var isTold = false
    while true {
      guard let isMine = try? Files.create(path, with: LockOwner.current.json.compactText) else { return nil }
      if isMine { return }
      if CollectLock.isAbandoned(path) {
        release()
        continue
      }
      let waited = (ContinuousClock.now - start) / .seconds(1)
      if !isTold && waited >= CollectLock.silence {
        note(CollectLock.waiting(path, patience))
        isTold = true
      }
      guard waited < patience else {
        if isTold { note("\(path): it is still held; going on without it") }
        return nil
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }

  package func release() { try? FileManager.default.removeItem(atPath: path) }

  private static func waiting(_ path: String, _ patience: Double) -> String {
    let owner = LockOwner(path).map { "process \($0.process) on \($0.host)" } ?? "another process"
    return "\(path): \(owner) is making the .h5 file; waiting for it, \(duration(patience)) at most"
  }

  /// Its owner is gone. The file is read again once that is known: an owner that released it and ended meanwhile leaves it to
  /// the next one.
  private static func isAbandoned(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    if let changed = attributes?[.modificationDate] as? Date, Date.now.timeIntervalSince(changed) > 600 { return true }
    guard let owner = LockOwner(path), owner.isGone else { return false }
    return LockOwner(path) == owner
  }
}

/// Who holds a lock.
private struct LockOwner: Equatable {
  let host: String
  let process: Int
  /// When the process began; nil where that is not known.
  let started: String?

  static let current = LockOwner(Provenance.hostName, Int(getpid()))

  private init(_ host: String, _ process: Int) {
    self.host = host
    self.process = process
    started = Processes.started(process)
  }

  /// Nil where the file names none.
  init?(_ path: String) {
    guard let bytes = try? Files.read(path), let json = JSONReader.read(bytes, file: path).root,
      let host = json["host"]?.string, let process = json["process"]?.int
    else { return nil }
    (self.host, self.process, started) = (host, process, json["started"]?.string)
  }

  var json: JSONValue {
    ["host": JSONValue(host), "process": JSONValue(process), "started": started.map { JSONValue($0) } ?? .null]
  }

  /// A process of this machine that has ended, also where its number has gone to another since.
  var isGone: Bool {
    guard host == Provenance.hostName else { return false }
    if !Processes.isAlive(process) { return true }
    guard let started, let now = Processes.started(process) else { return false }
    return started != now
  }
}
