import PalimpsestResults
import PalimpsestRuns

/// What the columns of a cube say of each run beside what was measured: when, where and by which program it was run, and how it ended.
struct RunFacts: Sendable {
  /// How many tasks.
  private(set) var tasks: [Int32] = []
  private(set) var started: [Double] = []
  /// One for each column.
  private var columns = [DistinctTexts](repeating: DistinctTexts(), count: RunText.allCases.count)

  mutating func add(_ row: ResultRow) {
    tasks.append(Int32(clamping: row.entry.record.tasks.count))
    started.append(row.entry.started)
    for (place, text) in RunText.allCases.enumerated() { columns[place].add(text.of(row.entry)) }
  }

  /// Takes those of the runs behind.
  mutating func add(_ others: RunFacts) {
    tasks += others.tasks
    started += others.started
    for place in columns.indices { columns[place].add(others.columns[place]) }
  }

  /// One a run.
  func texts(_ text: RunText) -> [String] { columns[RunText.allCases.firstIndex(of: text) ?? 0].texts }
}

/// Columns of a text a run, by their names in the cube.
enum RunText: String, CaseIterable, Sendable {
  case error, host, worker
  case instructionSet = "instruction_set"
  case toolkitVersion = "toolkit_version"
  case toolkitCommit = "toolkit_commit"
  case gitCommit = "git_commit"

  var longName: String {
    switch self {
    case .error: "Why the run did not complete"
    case .host: "Machine that ran it"
    case .worker: "Process and worker that ran it"
    case .instructionSet: "Instructions that the kernels used"
    case .toolkitVersion: "Version of the program that ran it"
    case .toolkitCommit: "Commit that the program that ran it was built from"
    case .gitCommit: "Commit of the working directory it was run in"
    }
  }

  fileprivate func of(_ entry: JournalEntry) -> String {
    switch self {
    case .error: entry.record.error
    case .host: entry.host
    case .worker: entry.worker
    case .instructionSet: entry.instructionSet
    case .toolkitVersion: entry.toolkitVersion
    case .toolkitCommit: entry.toolkitCommit
    case .gitCommit: entry.gitCommit
    }
  }
}
