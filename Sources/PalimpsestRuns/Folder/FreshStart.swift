import Foundation
import PalimpsestJSON

extension ResultsFolder {
  /// Takes plan, journal, progress, details and cube away: what Palimpsest itself has put there, and nothing else.
  /// - Throws: ``BusyError`` while a process works here, ``PalimpsestJSON/FileError`` where something cannot be removed.
  public func removeResults() throws {
    try checkNobodyWorks()
    try remove(Files.destination(of: cube))
    try removeShards(besides: [])
    for generation in try generations { try remove(planFile(generation: generation)) }
    for path in [
      manifestFile, inputsFile, folder + "/collect.lock", journalFolder, progressFolder, detailFolder, logFolder,
      launchFolder, programFolder,
    ] {
      try remove(path)
    }
    removeStrayFiles()
    SystemCalls.removeFolder(folder)
  }

  /// Takes single runs out of the journals, with what they left beside them, so that they are done again. The cube goes too:
  /// it is made anew from the journals.
  /// - Returns: how many were there.
  /// - Throws: ``BusyError`` while a process works here, ``PalimpsestJSON/FileError`` where something cannot be removed.
  public func forget(_ runs: Set<String>) throws -> Int {
    try checkNobodyWorks()
    for run in runs {
      SystemCalls.unlink(checkpoint(of: run))
      SystemCalls.unlink(model(of: run))
    }
    let known = runs.intersection(try JournalIndex(folder: journalFolder).entries.map(\.runID))
    if known.isEmpty { return 0 }
    for path in [try Files.destination(of: cube), manifestFile] { try remove(path) }
    try removeShards(besides: [])
    for name in try Files.names(in: journalFolder) where JournalFile.isName(name) {
      try JournalFile(path: journalFolder + "/" + name).remove(known)
    }
    return known.count
  }

  /// - Throws: ``BusyError`` where another process does runs here by itself, of no launch.
  public func checkNoProcessWorks() throws {
    let now = Date().timeIntervalSince1970
    if let other = try processes.first(where: { $0.process != Int(getpid()) && $0.state(at: now) == .working }) {
      throw BusyError(folder: folder, other: other)
    }
  }

  /// - Throws: ``BusyError`` where a process works here, also one of a launch.
  func checkNobodyWorks() throws {
    try checkNoProcessWorks()
    for number in try launchNumbers() {
      guard let lease = try leases(ofLaunch: number).first(where: { !$0.isDone && $0.age < ProcessProgress.patience })
      else { continue }
      throw BusyError(folder: folder, launch: number, lease)
    }
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

extension JournalFile {
  /// Writes the file anew without the lines of some runs; what is damaged stays as it is.
  fileprivate func remove(_ runs: Set<String>) throws(FileError) {
    if PackedJournal.isName(path) { return try PackedJournal(path: path).remove(runs) }
    let bytes = try Files.read(path)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let kept = lines.filter { line in
      JournalEntry.read(Array(line)[...]).map { !runs.contains($0.runID) } ?? true
    }
    if kept.count == lines.count { return }
    SystemCalls.unlink(JournalSum.path(beside: path))
    try Files.replace(path, with: Array(kept.joined(separator: [UInt8(ascii: "\n")])))
  }
}

/// Somebody works in a folder that was to be emptied.
public struct BusyError: Error, Sendable, Equatable, CustomStringConvertible {
  public let description: String

  init(folder: String, other: ProcessProgress) {
    description =
      "\(folder): process \(other.process) on \(other.host) is at work here. Stop it first, or choose another --output."
  }

  init(folder: String, launch: Int, _ lease: LeaseState) {
    description =
      "\(folder): task \(lease.task) of launch \(launch), process \(lease.process) on \(lease.host), is at work here. End "
      + "it first, or choose another --output."
  }

  /// - Parameter launches: those that have the runs in hand; one that is being made has no record yet.
  init(_ folder: ResultsFolder, runs: Int, in launches: [LaunchRecord]) {
    let results = shellQuoted(folder.cube)
    let names = launches.map { "launch \($0.number) (\(([$0.engine] + $0.jobs).joined(separator: " ")))" }
    let ways = launches.map { "\"palimpsest cancel \(results) --launch \($0.number)\"" }
    description =
      "\(folder.folder): \(grouped(runs)) of the runs to do \(runs == 1 ? "is" : "are") in hand of "
      + (names.isEmpty ? "a launch that is being made" : names.joined(separator: ", "))
      + ". \"palimpsest status \(results)\" shows how far it is"
      + (ways.isEmpty ? "" : ", \(ways.joined(separator: ", ")) frees its runs for this command")
      + "; --launcher local does what is in nobody's hand."
  }
}
