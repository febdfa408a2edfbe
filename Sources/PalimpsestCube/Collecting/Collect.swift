import Foundation
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestResults
import PalimpsestRuns

/// What a collect found.
public struct CollectSummary: Sendable, Equatable {
  /// Runs of the plan.
  public var planned: Int
  public var completed: Int
  /// Runs that failed, diverged or were cancelled.
  public var failed: Int
  /// Journal lines that were torn or damaged: file and line number.
  public var damaged: [String]
  /// Runs of the journal that the plan does not have any more.
  public var outside: Int
  /// Size of the cube.
  public var bytes: Int

  package init(planned: Int, completed: Int, failed: Int, damaged: [String], outside: Int = 0, bytes: Int) {
    self.planned = planned
    self.completed = completed
    self.failed = failed
    self.damaged = damaged
    self.outside = outside
    self.bytes = bytes
  }

  /// Runs that have not ended.
  public var missing: Int { planned - completed - failed }
}

extension ResultsFolder {
  /// Makes the cube from plan and journals, replaces the old one in a single step, then the manifest. May be repeated
  /// at any time, also while runs are being journalled; a lost cube costs nothing.
  ///
  /// - Parameters:
  ///   - metrics: of accuracies, columns of the cube: those of the catalogue.
  ///   - origin: what the cube says of program and machine.
  ///   - date: the time of the history's new line.
  ///   - note: told where another process's collect is waited for.
  /// - Throws: what reading plan and journals throws, ``DuplicateError``, ``HDF5/HDF5Error``, ``PalimpsestJSON/FileError`` where
  ///   the cube cannot be written, and ``PalimpsestCube/LostRunsError`` where it has runs that the journals no longer have:
  ///   the old one is then as it was.
  /// - Memory: the cube, and about 200 bytes a run.
  @discardableResult
  public func collect(
    metrics: [Metric] = standardMetrics, origin: CubeOrigin = .current, at date: Date = .now,
    note: (String) -> Void = { _ in }
  ) throws -> CollectSummary {
    try collect(metrics: metrics, origin: origin, at: date, generation: nil, note: note, for: [])
  }

  /// The same, for who needs what the runs measured too: they are read once.
  /// - Parameters:
  ///   - metrics: of accuracies, columns of the cube: those of the catalogue.
  ///   - generation: the one whose plan is meant; nil: whichever counts.
  ///   - note: told where another process's collect is waited for.
  ///   - readers: are given the rows.
  /// - Throws: ``OtherPlanError`` too, where another plan counts than that of `generation`.
  @discardableResult
  package func collect(
    metrics: [Metric] = standardMetrics, origin: CubeOrigin = .current, at date: Date = .now, generation: Int?,
    note: (String) -> Void = { _ in }, for readers: [any RowReader]
  ) throws -> CollectSummary {
    let lock = CollectLock(self, patience: CollectLock.patience, note: note)
    defer { lock?.release() }
    removeStrayFiles()
    let journals = try journalFiles
    let runs = try FinishedRuns(self, generation: generation)
    try checkNothingIsLost(to: runs)
    let history = history(with: runs, origin, date)
    let image = try Cube.image(of: CubePack(runs, metrics, for: readers), history: history, origin: origin)
    try image.replace(cube)
    let manifest = CubeManifest(
      rows: runs.count, runIDs: CubeManifest.digest(of: runs.runs), cube: image.digest, journals: journals,
      damaged: runs.damaged, history: history)
    try manifest.write(to: self)
    return CollectSummary(runs, bytes: image.count)
  }

  /// True where there is a cube that the manifest does not describe: somebody died between the two, or touched it.
  public var hasForeignCube: Bool {
    guard Files.exists(cube) else { return false }
    guard let manifest = CubeManifest(of: self), let digest = try? Files.sha256(of: cube) else { return true }
    return digest != manifest.cube
  }

  /// The lines of earlier collects and a new one: time, program, what there is. At most twenty, for a long sweep
  /// collects often.
  private func history(with runs: FinishedRuns, _ origin: CubeOrigin, _ date: Date) -> [String] {
    let line =
      "\(date.formatted(.iso8601)) \(origin.program): collect, \(runs.count) of \(runs.plan.runCount) runs"
    return ((CubeManifest(of: self)?.history ?? []) + [line]).suffix(20)
  }

  /// Lengths from before the journals are read: what is appended meanwhile may be in the cube too.
  private var journalFiles: [CubeManifest.JournalFile] {
    get throws(FileError) {
      try Files.names(in: journalFolder).filter { JournalFile.isName($0) }.map { name in
        let attributes = try? FileManager.default.attributesOfItem(atPath: journalFolder + "/" + name)
        return CubeManifest.JournalFile(name: name, bytes: (attributes?[.size] as? NSNumber)?.intValue ?? 0)
      }
    }
  }
}

extension CollectSummary {
  init(_ runs: FinishedRuns, bytes: Int) {
    self.init(
      planned: runs.plan.runCount, completed: runs.completed, failed: runs.count - runs.completed,
      damaged: runs.damaged, outside: runs.outside, bytes: bytes)
  }
}
