import PalimpsestMetrics

/// Where the results of one experiment lie: the cube `NAME.h5`, and beside it `NAME.palimpsest/` with the plan and the journal
/// that the cube is made from.
public struct ResultsFolder: Sendable, Equatable {
  /// The cube.
  public let cube: String
  /// Plan, journal and manifest.
  public let folder: String

  /// - Parameter path: the cube, the folder, or either without its ending.
  public init(_ path: String) {
    var base = path
    while base.count > 1 && base.hasSuffix("/") { base.removeLast() }
    for ending in [".h5", ".palimpsest"] where base.hasSuffix(ending) { base.removeLast(ending.count) }
    cube = base + ".h5"
    folder = base + ".palimpsest"
  }

  public var journalFolder: String { folder + "/journal" }
  public var planFile: String { folder + "/plan.json" }
  public var manifestFile: String { folder + "/manifest.json" }

  /// Keeps the plan: replaced in one step.
  public func write(_ plan: StoredPlan) throws(FileError) {
    try Files.makeFolder(journalFolder)
    try Files.replace(planFile, with: plan.json.prettyText + "\n")
  }

  /// - Throws: ``FileError`` where there is no plan or it cannot be read, ``Problems`` where it is damaged.
  public func plan() throws -> StoredPlan {
    guard Files.exists(planFile) else {
      throw FileError(.missing, "\(folder): no results here; \"palimpsest run FILE\" makes them")
    }
    let document = JSONReader.read(try Files.read(planFile), file: planFile)
    guard let plan = StoredPlan(try document.value()) else {
      throw Problems([Problem(file: planFile, place: nil, message: "this is no plan of format 1")])
    }
    return plan
  }

  public func journal() throws(FileError) -> Journal { try Journal(folder: journalFolder) }
}

/// The finished runs of a plan, in plan order: what the cube and the reports are made from.
public struct Results: Sendable {
  public let plan: StoredPlan
  public let rows: [ResultRow]
  /// Journal lines that were torn or damaged.
  public let damaged: [String]

  /// Takes the first completed record of each run, else the first record.
  /// - Throws: ``DuplicateError`` where two completed records of a run differ: the same run must give the same bits.
  public init(plan: StoredPlan, journal: Journal) throws {
    self.plan = plan
    damaged = journal.damaged
    var best: [String: JournalEntry] = [:]
    for entry in journal.entries {
      guard let known = best[entry.runID] else {
        best[entry.runID] = entry
        continue
      }
      if known.record.status != .completed {
        if entry.record.status == .completed { best[entry.runID] = entry }
      } else if entry.record.status == .completed && !entry.record.hasSameResults(as: known.record) {
        throw DuplicateError(runID: entry.runID, first: known.worker, second: entry.worker)
      }
    }
    rows = plan.runs.compactMap { run in best[run.id].map { ResultRow(run: run, entry: $0) } }
  }

  public init(_ folder: ResultsFolder) throws {
    try self.init(plan: folder.plan(), journal: folder.journal())
  }
}

/// One finished run with its place in the plan.
public struct ResultRow: Sendable {
  public let run: PlannedRun
  public let entry: JournalEntry
}

/// Two records of the same run that differ.
public struct DuplicateError: Error, Sendable, Equatable, CustomStringConvertible {
  public let runID: String
  public let first: String
  public let second: String

  public var description: String {
    "run \(runID): the records of \(first) and \(second) differ, though the same run must give the same numbers. "
      + "Look for two versions of the program or processors without fused multiply-add; \"--fresh\" starts over."
  }
}

extension RunRecord {
  /// Equal but for the times.
  public func hasSameResults(as other: RunRecord) -> Bool { withoutTimes.text == other.withoutTimes.text }

  private var withoutTimes: RunRecord {
    var copy = self
    copy.cost.timeTotal = 0
    copy.cost.timeTrain = 0
    copy.cost.timeEvaluate = 0
    copy.cost.timeTask = []
    return copy
  }

  /// NaN equals NaN in text.
  private var text: String { JSONValue(self).compactText }
}
