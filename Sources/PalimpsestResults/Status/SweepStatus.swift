import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns

/// How far a sweep is, who works on it, and what it says so far.
public struct SweepStatus: Sendable, Equatable {
  /// Of runs through tasks.
  public static let metrics: [Metric] = Metric.taskStatus

  public let experiment: String
  public let planned: Int
  public let completed: Int
  public let failed: Int
  public let diverged: Int
  /// One a configuration, in plan order: what differs in its settings is not put into one mean.
  public let rows: [Report.Row]
  /// What the cells of rows are of.
  let shown: [Metric]
  /// For each row when the latest of its runs that have ended began, in seconds since 1970; −∞ where none has.
  let latest: [Double]
  /// Everybody who is or was at work, with seconds since he was heard of.
  public let processes: [(progress: ProcessProgress, state: ProcessProgress.State, age: Double)]
  /// Journal lines that are damaged.
  public let damaged: [String]

  /// Runs of the plan that have not ended.
  public var missing: Int { planned - completed - failed - diverged }
  public var working: [ProcessProgress] { processes.filter { $0.state == .working }.map(\.progress) }
  /// Runs in hand.
  public var running: Int { working.reduce(0) { $0 + $1.workers.count } }
  /// Runs a second of all that are at work.
  public var runsPerSecond: Double { working.reduce(0) { $0 + $1.runsPerSecond } }
  /// Nil while nobody works or nothing has ended.
  public var secondsLeft: Double? {
    if missing == 0 { return 0 }
    return runsPerSecond > 0 ? Double(missing) / runsPerSecond : nil
  }

  public static func == (a: SweepStatus, b: SweepStatus) -> Bool {
    a.experiment == b.experiment && a.planned == b.planned && a.completed == b.completed && a.failed == b.failed
      && a.diverged == b.diverged && a.rows == b.rows && a.damaged == b.damaged
      && a.processes.map(\.state) == b.processes.map(\.state)
      && a.processes.map(\.progress.name) == b.processes.map(\.progress.name)
  }
}

/// Looks at a results folder again and again: plan, progress files, and of the journals only what is new; their sums are read instead, where
/// they have any.
public struct SweepWatch: Sendable {
  private let folder: ResultsFolder
  private var plan: StoredPlan
  private var differing: DifferingSettings
  private var generation: Int
  private var ended: EndedRuns
  private var outcomes: OutcomeTable

  /// - Throws: what ``PalimpsestRuns/ResultsFolder/plan()`` throws.
  public init(_ folder: ResultsFolder) throws {
    self.folder = folder
    generation = try folder.generations.last ?? 0
    plan = try folder.plan()
    differing = DifferingSettings(plan)
    ended = EndedRuns(folder: folder.journalFolder)
    outcomes = OutcomeTable(minimumCapacity: plan.runCount)
  }

  /// - Parameter now: seconds since 1970.
  public mutating func look(at now: Double) throws -> SweepStatus {
    if let latest = try folder.generations.last, latest != generation {
      plan = try folder.plan()
      differing = DifferingSettings(plan)
      generation = latest
    }
    try ended.readOn { outcomes.add($0) }
    return status(now, try folder.processes)
  }

  private mutating func status(_ now: Double, _ processes: [ProcessProgress]) -> SweepStatus {
    /// Runs of the plan have settings of such a kind.
    func has(_ kind: String) -> Bool { plan.columns.contains { $0.path.hasPrefix(kind + ".") } }
    let metrics = Metric.status(isStream: has("stream"), isPersonal: has("personal"))
    var (rows, latest) = ([Report.Row](), [Double]())
    for (index, configuration) in plan.configurations.enumerated() {
      let ids = configuration.runIDs
      let ended = ids.indices.compactMap { outcomes.outcome(of: ids.key(at: $0)) }
      rows.append(Report.Row(plan, index, ended, metrics, differing.settings[index]))
      latest.append(ended.reduce(-.infinity) { max($0, $1.started) })
    }
    return SweepStatus(
      experiment: plan.name, planned: rows.reduce(0) { $0 + $1.planned },
      completed: rows.reduce(0) { $0 + $1.completed }, failed: rows.reduce(0) { $0 + $1.failed },
      diverged: rows.reduce(0) { $0 + $1.diverged }, rows: rows, shown: metrics, latest: latest,
      processes: processes.map { ($0, $0.state(at: now), max(0, now - $0.updated)) }, damaged: ended.damaged)
  }
}
