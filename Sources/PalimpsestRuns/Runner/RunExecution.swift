import Foundation
import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestScenarios

/// Takes single runs of a plan from their settings to their line in the journal: one for each thread that does runs.
struct RunExecution {
  /// A run that has ended, on its way to the journal.
  struct Ended {
    let entry: JournalEntry
    fileprivate let model: KeptModel?
  }

  private let plan: Plan
  private let output: ResultsFolder
  private let provenance: Provenance
  private let checkpoints: Checkpoints
  private let streams: SharedStreams
  /// The thread's number within the process.
  private let worker: Int
  private var settings: SettingsRead
  private var lines = EntryWriter()

  init(
    _ plan: Plan, _ output: ResultsFolder, _ provenance: Provenance, _ checkpoints: Checkpoints,
    _ streams: SharedStreams, worker: Int
  ) {
    (self.plan, self.output, self.provenance) = (plan, output, provenance)
    (self.checkpoints, self.streams, self.worker) = (checkpoints, streams, worker)
    settings = SettingsRead(plan)
  }

  /// - Parameters:
  ///   - check: throws where the run is not to be tried.
  /// - Returns: nil where the run was saved and left, because `stop` said so. A run that cannot be made has ended as failed.
  mutating func execute(
    _ run: PlannedRun, _ scenarios: PreparedScenarios, stop: () -> Bool, progress: (RunPosition) -> Void = { _ in },
    check: () throws -> Void = {}
  ) -> Ended? {
    let started = Date().timeIntervalSince1970
    let record: RunRecord
    var model: KeptModel?
    do {
      let ended = try checkpoints.execute(run.id, in: output, stop: stop, progress: progress) {
        try check()
        return try make(run, scenarios)
      }
      guard let ended else { return nil }
      record = ended.finishedRecord
      model = KeptModel(ended, run.id, plan.experiment.outputSettings, checkpoints.note)
    } catch {
      var failed = RunRecord(status: .failed, tasks: [])
      failed.error = String(describing: error)
      record = failed
    }
    let entry = JournalEntry(
      runID: run.id, record: record, started: started, host: provenance.host,
      worker: "\(provenance.host)-\(provenance.process)-\(worker)", instructionSet: KernelTable.name,
      toolkitVersion: provenance.version, gitCommit: provenance.gitCommit, toolkitCommit: provenance.toolkitCommit)
    return Ended(entry: entry, model: model)
  }

  /// Model and line; then no checkpoint is needed.
  mutating func write(_ ended: Ended, to journal: JournalWriter) throws(FileError) {
    try ended.model?.write(to: output)
    try journal.append(lines.line(ended.entry), of: ended.entry)
    checkpoints.remove(ended.entry.runID, in: output)
  }

  /// A run before its first step.
  private mutating func make(_ run: PlannedRun, _ scenarios: PreparedScenarios) throws -> Run {
    let planned = plan.configurations[run.configuration]
    let data = streams.stream(scenario: planned.places.scenario, seed: run.seed) {
      Run.data(of: scenarios[planned], seed: run.seed)
    }
    let configuration = settings.configuration(of: run)
    let probes = plan.configurations.pool.catalog.probes.filter { $0.looks(at: configuration.scenario) }
    return try Run(configuration, data: data, seed: run.seed, probes: probes)
  }
}

extension Plan {
  /// In the order in which they are begun: those that share their data follow each other, scenario by scenario, seed by
  /// seed.
  func sharingData(_ runs: [PlannedRun]) -> [PlannedRun] {
    let scenarios = ranks(runs.lazy.map { configurations[$0.configuration].places.scenario })
    let seeds = ranks(runs.lazy.map(\.seed))
    return runs.indices
      .sorted { (scenarios[$0], seeds[$0], $0) < (scenarios[$1], seeds[$1], $1) }
      .map { runs[$0] }
  }

  /// Places of runs that share their data, in order.
  func sharing(_ runs: [PlannedRun]) -> [Range<Int>] {
    runs.indices.chunked { shareData(runs[$0], runs[$1]) }
  }

  private func shareData(_ a: PlannedRun, _ b: PlannedRun) -> Bool {
    func scenario(_ run: PlannedRun) -> Int32 { configurations[run.configuration].places.scenario }
    return a.seed == b.seed && scenario(a) == scenario(b)
  }
}

/// Numbers that stand for equal values, in the order in which these come first.
private func ranks<Value: Hashable>(_ values: some Sequence<Value>) -> [Int] {
  var known: [Value: Int] = [:]
  return values.map { value in
    let rank = known[value] ?? known.count
    known[value] = rank
    return rank
  }
}

/// The settings of configurations that a worker has read: that takes a tenth of a millisecond, and runs of a seed go through
/// the same ones again.
private struct SettingsRead {
  /// More are forgotten.
  private static let most = 1024
  private let plan: Plan
  private var known: [Int: ResolvedConfiguration] = [:]

  init(_ plan: Plan) { self.plan = plan }

  mutating func configuration(of run: PlannedRun) -> ResolvedConfiguration {
    if let settings = known[run.configuration] { return settings }
    if known.count == SettingsRead.most { known = [:] }
    let settings = plan.configurations[run.configuration].resolved
    known[run.configuration] = settings
    return settings
  }
}
