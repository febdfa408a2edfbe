import Foundation
import PalimpsestExperiments

/// Lets one process at a time replace cube and manifest, so that the two belong together: `collect.lock`, made only where
/// it is not there. That of a dead process, or one older than ten minutes, does not count.
package struct CollectLock {
  /// Seconds to wait for another process's collect. A collect without the lock is no disaster: at worst the manifest
  /// belongs to the other's cube, which is noticed.
  package static let patience = 60.0

  private let path: String

  /// - Returns: nil where another process holds it for longer than `patience` seconds, or it cannot be made.
  package init?(_ folder: ResultsFolder, patience: Double) {
    path = folder.folder + "/collect.lock"
    let owner: JSONValue = ["host": JSONValue(Provenance.hostName), "process": JSONValue(Int(getpid()))]
    let end = Date.now + patience
    while true {
      switch Result(catching: { try Files.create(path, with: owner.compactText) }) {
      case .success(true): return
      case .success(false):
        if CollectLock.isAbandoned(path) {
          release()
        } else {
          guard Date.now < end else { return nil }
          Thread.sleep(forTimeInterval: 0.02)
        }
      case .failure: return nil
      }
    }
  }

  package func release() { try? FileManager.default.removeItem(atPath: path) }

  /// Its owner is gone. The file is read again once that is known: an owner that released it and ended meanwhile leaves it to
  /// the next one.
  private static func isAbandoned(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    if let changed = attributes?[.modificationDate] as? Date, Date.now.timeIntervalSince(changed) > 600 { return true }
    guard let process = owner(path), !Processes.isAlive(process) else { return false }
    return owner(path) == process
  }

  /// The process of this machine that holds it; nil: another machine's, or none.
  private static func owner(_ path: String) -> Int? {
    guard let bytes = try? Files.read(path), let owner = JSONReader.read(bytes, file: path).root,
      owner["host"]?.string == Provenance.hostName
    else { return nil }
    return owner["process"]?.int
  }
}
