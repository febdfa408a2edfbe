import Foundation

extension ResultsFolder {
  /// Takes plan, journal, progress, details and cube away: what Palimpsest itself has put there, and nothing else.
  /// - Throws: ``BusyError`` while a process works here, ``FileError`` where something cannot be removed.
  public func removeResults() throws {
    let now = Date().timeIntervalSince1970
    if let other = processes.first(where: { $0.process != Int(getpid()) && $0.state(at: now) == .working }) {
      throw BusyError(folder: folder, other: other)
    }
    try remove(cube)
    for generation in generations { try remove(planFile(generation: generation)) }
    for path in [manifestFile, inputsFile, folder + "/collect.lock", journalFolder, progressFolder, detailFolder] {
      try remove(path)
    }
    removeStrayFiles()
    SystemCalls.removeFolder(folder)
  }

  private func remove(_ path: String) throws(FileError) {
    guard Files.exists(path) else { return }
    do {
      try FileManager.default.removeItem(atPath: path)
    } catch {
      throw FileError(.unwritable, "\(path): cannot be removed: \(error.localizedDescription)")
    }
  }
}

/// Somebody works in a folder that was to be emptied.
public struct BusyError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(folder: String, other: ProcessProgress) {
    description =
      "\(folder): process \(other.process) on \(other.host) is at work here. Stop it first, or choose another --output."
  }
}
