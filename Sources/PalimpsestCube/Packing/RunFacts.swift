import PalimpsestResults

/// What the columns of a cube say of each run beside what was measured: when, where and by which program it was run, and how it ended.
struct RunFacts: Sendable {
  /// How many tasks.
  private(set) var tasks: [Int32] = []
  private(set) var started: [Double] = []
  private(set) var errors = DistinctTexts()
  private(set) var hosts = DistinctTexts()
  private(set) var workers = DistinctTexts()
  private(set) var instructionSets = DistinctTexts()
  private(set) var toolkitVersions = DistinctTexts()
  private(set) var toolkitCommits = DistinctTexts()
  private(set) var gitCommits = DistinctTexts()

  mutating func add(_ row: ResultRow) {
    let entry = row.entry
    tasks.append(Int32(clamping: entry.record.tasks.count))
    started.append(entry.started)
    errors.add(entry.record.error)
    hosts.add(entry.host)
    workers.add(entry.worker)
    instructionSets.add(entry.instructionSet)
    toolkitVersions.add(entry.toolkitVersion)
    toolkitCommits.add(entry.toolkitCommit)
    gitCommits.add(entry.gitCommit)
  }

  /// Takes those of the runs behind.
  mutating func add(_ others: RunFacts) {
    tasks += others.tasks
    started += others.started
    errors.add(others.errors)
    hosts.add(others.hosts)
    workers.add(others.workers)
    instructionSets.add(others.instructionSets)
    toolkitVersions.add(others.toolkitVersions)
    toolkitCommits.add(others.toolkitCommits)
    gitCommits.add(others.gitCommits)
  }
}
