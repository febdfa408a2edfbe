import PalimpsestMetrics

/// How far a sweep is, who works on it, and what it says so far.
public struct SweepStatus: Sendable, Equatable {
  /// The completed runs of one scenario and strategy, all settings together.
  public struct Row: Sendable, Equatable {
    public let scenario: String
    public let strategy: String
    public let kind: AccuracyKind
    public let planned: Int
    public let completed: Int
    public let failed: Int
    public let diverged: Int
    /// One a metric of ``SweepStatus/metrics``; nil where no run has it.
    public let intervals: [Interval?]
  }

  public static let metrics: [Metric] = [.averageAccuracy, .forgetting, .learningAccuracy]

  public let experiment: String
  public let planned: Int
  public let completed: Int
  public let failed: Int
  public let diverged: Int
  public let rows: [Row]
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

/// Looks at a results folder again and again: plan, progress files, and of the journals only what is new.
public struct SweepWatch: Sendable {
  private let folder: ResultsFolder
  private var plan: StoredPlan
  private var generation: Int
  private var journal: Journal
  private var outcomes: [String: Outcome] = [:]

  /// - Throws: what ``ResultsFolder/plan()`` throws.
  public init(_ folder: ResultsFolder) throws {
    self.folder = folder
    generation = folder.generations.last ?? 0
    plan = try folder.plan()
    journal = try folder.journal()
  }

  /// - Parameter now: seconds since 1970.
  public mutating func look(at now: Double) throws -> SweepStatus {
    if let latest = folder.generations.last, latest != generation {
      plan = try folder.plan()
      generation = latest
    }
    try journal.readOn()
    for entry in journal.takeEntries() { add(entry) }
    return status(now)
  }

  private mutating func add(_ entry: JournalEntry) {
    let new = Outcome(entry)
    if let known = outcomes[entry.runID], known.status == .completed { return }
    outcomes[entry.runID] = new
  }

  private func status(_ now: Double) -> SweepStatus {
    var groups: [[String]: Group] = [:]
    var order: [[String]] = []
    for configuration in plan.configurations {
      let key = [configuration.scenario, configuration.strategy]
      if groups[key] == nil { order.append(key) }
      for id in configuration.runIDs { groups[key, default: Group()].add(outcomes[id]) }
    }
    let rows = order.map { SweepStatus.Row($0[0], $0[1], groups[$0] ?? Group()) }
    return SweepStatus(
      experiment: plan.name, planned: rows.reduce(0) { $0 + $1.planned },
      completed: rows.reduce(0) { $0 + $1.completed }, failed: rows.reduce(0) { $0 + $1.failed },
      diverged: rows.reduce(0) { $0 + $1.diverged }, rows: rows,
      processes: folder.processes.map { ($0, $0.state(at: now), max(0, now - $0.updated)) }, damaged: journal.damaged)
  }
}

/// What a run ended with, as far as the status shows it.
private struct Outcome: Sendable {
  let status: RunRecord.Status
  let kind: AccuracyKind
  let values: [Double]

  init(_ entry: JournalEntry) {
    let kind: AccuracyKind = entry.record.expectedAccuracy == nil ? .sampled : .expected
    self.kind = kind
    status = entry.record.status
    values =
      status == .completed ? SweepStatus.metrics.map { $0.value(of: entry.record, kind: kind).number } : []
  }
}

/// The outcomes of one scenario and strategy.
private struct Group {
  var planned = 0
  var failed = 0
  var diverged = 0
  var completed: [Outcome] = []

  mutating func add(_ outcome: Outcome?) {
    planned += 1
    switch outcome?.status {
    case .completed: completed += outcome.map { [$0] } ?? []
    case .diverged: diverged += 1
    case .failed, .cancelled: failed += 1
    case nil: break
    }
  }
}

extension SweepStatus.Row {
  fileprivate init(_ scenario: String, _ strategy: String, _ group: Group) {
    self.scenario = scenario
    self.strategy = strategy
    planned = group.planned
    completed = group.completed.count
    failed = group.failed
    diverged = group.diverged
    kind = !group.completed.isEmpty && group.completed.allSatisfy { $0.kind == .expected } ? .expected : .sampled
    intervals = SweepStatus.metrics.indices.map { metric in
      Interval(group.completed.lazy.map { $0.values[metric] }.filter(\.isFinite))
    }
  }
}
