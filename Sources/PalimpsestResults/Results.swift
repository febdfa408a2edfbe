import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns

/// The finished runs of a plan, in order of position: what the cube and the reports are made from.
public struct Results: Sendable {
  public let plan: StoredPlan
  public let rows: [ResultRow]
  /// Journal lines that were torn or damaged.
  public let damaged: [String]

  /// Runs of the journal that the plan does not have any more.
  public let outside: Int
  /// SHA-256 of the data sets that the runs were made from, by name.
  public private(set) var inputs: [String: String] = [:]

  /// Takes the newest completed record of each run, else the newest.
  /// - Throws: ``PalimpsestRuns/DuplicateError`` where two completed records of a run differ: the same run must give the same bits.
  public init(plan: StoredPlan, journal: Journal) throws {
    self.plan = plan
    damaged = journal.damaged
    let entries = journal.entries
    var best = [String: Int](minimumCapacity: entries.count)
    for (place, entry) in entries.enumerated() {
      guard let known = best.updateValue(place, forKey: entry.runID) else { continue }
      if try !entry.counts(before: entries[known], in: journal) { best[entry.runID] = known }
    }
    let found = plan.runs.compactMap { run in best[run.id].map { (run: run, place: $0) } }
      .sorted { $0.run.index < $1.run.index }
    rows = found.map { ResultRow(run: $0.run, entry: entries[$0.place]) }
    outside = best.count - Set(found.lazy.map(\.place)).count
  }

  /// - Parameter rows: those of all the runs.
  init(_ runs: FinishedRuns, _ rows: [ResultRow]) {
    (plan, self.rows, damaged, outside, inputs) = (runs.plan, rows, runs.damaged, runs.outside, runs.inputs)
  }

  /// - Parameter generation: the one whose plan is meant; nil: whichever counts.
  /// - Throws: ``PalimpsestRuns/OtherPlanError`` where another plan counts than that of `generation`.
  public init(_ folder: ResultsFolder, generation: Int? = nil) throws {
    if let generation { try folder.checkPlan(isStill: generation) }
    let plan = try generation.map { try folder.plan(generation: $0) } ?? folder.plan()
    try self.init(plan: plan, journal: folder.journal())
    inputs = try folder.inputs()
  }
}

extension JournalEntry {
  /// - Throws: ``DuplicateError`` where both completed and differ.
  fileprivate func counts(before known: JournalEntry, in journal: Journal) throws -> Bool {
    if let isLater = Results.isLater((record.status, started), (known.record.status, known.started)) { return isLater }
    guard record.hasSameResults(as: known.record) else { throw DuplicateError(known, self, in: journal) }
    return started > known.started
  }
}

extension Results {
  /// Whether a record of a run counts instead of one that was read before it: completed ones before others, then the later.
  /// - Returns: nil where both completed: they must be equal, and the one that began later counts.
  static func isLater(
    _ record: (status: RunRecord.Status, started: Double), _ known: (status: RunRecord.Status, started: Double)
  ) -> Bool? {
    switch (record.status == .completed, known.status == .completed) {
    case (true, true): nil
    case (false, false): record.started >= known.started
    case (let isCompleted, _): isCompleted
    }
  }
}

/// One finished run with its place in the plan.
public struct ResultRow: Sendable {
  public let run: PlannedRun
  public let entry: JournalEntry

  package init(run: PlannedRun, entry: JournalEntry) {
    self.run = run
    self.entry = entry
  }
}
