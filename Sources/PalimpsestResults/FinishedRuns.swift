import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns

/// The finished runs of a plan in order of position, their records still in the journals: what a cube is made from where the records of all
/// would not fit into memory.
///
///     let runs = try FinishedRuns(folder)
///     for range in runs.blocks(of: 4096) { use(try runs.rows(range)) }
///
/// - Memory: about 160 bytes a run, and the rows that were asked for.
public struct FinishedRuns: Sendable {
  private enum Records: Sendable {
    case memory([ResultRow])
    case journals(JournalLines, [JournalLines.Place])
  }

  public let plan: StoredPlan
  /// Those that have ended.
  package let runs: [PlannedRun]
  /// How each of ``runs`` ended.
  package let statuses: [RunRecord.Status]
  /// Journal lines that were torn or damaged.
  public let damaged: [String]
  /// Runs of the journal that the plan does not have any more.
  public let outside: Int
  /// SHA-256 of the data sets that the runs were made from, by name.
  public let inputs: [String: String]
  private let records: Records

  /// Takes the newest completed record of each run, else the newest.
  /// - Parameter generation: the one whose plan is meant; nil: whichever counts.
  /// - Throws: ``PalimpsestRuns/DuplicateError`` where two completed records of a run differ: the same run must give the same bits;
  ///   ``PalimpsestRuns/OtherPlanError`` where another plan counts than that of `generation`.
  public init(_ folder: ResultsFolder, generation: Int? = nil) throws {
    if let generation { try folder.checkPlan(isStill: generation) }
    plan = try generation.map { try folder.plan(generation: $0) } ?? folder.plan()
    var lines = JournalLines(folder: folder.journalFolder)
    var best = BestLines(minimumCapacity: plan.runCount)
    try lines.readOn { best.add($0, $1) }
    try best.settle(lines)
    let found = plan.runs.compactMap { run in best.line(of: run.id).map { (run: run, line: $0) } }
      .sorted { $0.run.index < $1.run.index }
    runs = found.map(\.run)
    statuses = found.map(\.line.status)
    records = .journals(lines, found.map(\.line.place))
    damaged = lines.damaged
    outside = best.count - Set(runs.lazy.map { RunKey($0.id) }).count
    inputs = try folder.inputs()
  }

  /// Runs whose records are in memory already.
  public init(_ results: Results) {
    plan = results.plan
    runs = results.rows.map(\.run)
    statuses = results.rows.map(\.entry.record.status)
    damaged = results.damaged
    outside = results.outside
    inputs = results.inputs
    records = .memory(results.rows)
  }

  /// Some of the runs of others, as if the plan had no more.
  private init(_ others: FinishedRuns, _ range: Range<Int>) {
    plan = others.plan
    runs = Array(others.runs[range])
    statuses = Array(others.statuses[range])
    (damaged, outside, inputs) = (others.damaged, others.outside, others.inputs)
    records =
      switch others.records {
      case .memory(let rows): .memory(Array(rows[range]))
      case .journals(let lines, let places): .journals(lines, Array(places[range]))
      }
  }

  /// Some of the runs.
  package subscript(range: Range<Int>) -> FinishedRuns { FinishedRuns(self, range) }

  public var count: Int { runs.count }

  /// How many completed.
  package var completed: Int { statuses.count { $0 == .completed } }

  /// Some runs with their records.
  /// - Throws: ``PalimpsestJSON/FileError`` where a journal cannot be read, or was changed meanwhile.
  package func rows(_ range: Range<Int>) throws(FileError) -> [ResultRow] { try rows(Array(range)) }

  /// The runs at places, in their order.
  package func rows(_ places: [Int]) throws(FileError) -> [ResultRow] {
    switch records {
    case .memory(let rows): return places.map { rows[$0] }
    case .journals(let lines, let all):
      let entries = try lines.entries(at: places.map { all[$0] }, of: places.map { runs[$0].id })
      return zip(places, entries).map { ResultRow(run: runs[$0], entry: $1) }
    }
  }

  /// What `take` makes of some runs, in parts that follow each other: each core has one, and hands it some rows at a time.
  /// - Parameter empty: what a part begins with.
  /// - Throws: as ``rows(_:)-(Range<Int>)``.
  package func parts<Part: Sendable>(
    of range: Range<Int>, _ empty: Part, _ take: @Sendable (inout Part, [ResultRow]) -> Void
  ) throws(FileError) -> [Part] {
    switch records {
    case .memory(let rows):
      return Cores.map(range.count, atLeast: 32) { part in
        var taken = empty
        take(&taken, Array(rows[part.lowerBound + range.lowerBound..<part.upperBound + range.lowerBound]))
        return taken
      }
    case .journals(let lines, let places):
      let runs = Array(runs[range])
      return try lines.parts(at: Array(places[range]), of: runs.map(\.id), empty) { part, some, entries in
        take(&part, zip(runs[some], entries).map { ResultRow(run: $0, entry: $1) })
      }
    }
  }

  /// Ranges of so many runs that follow each other, or fewer: lines that are read at once are ``mostBytes`` at most, or one.
  package func blocks(of size: Int) -> [Range<Int>] {
    var (blocks, first, bytes) = ([Range<Int>](), 0, 0)
    for run in 0..<count {
      let length = lineLength(run)
      if run > first && (run - first == size || bytes + length > FinishedRuns.mostBytes) {
        blocks.append(first..<run)
        (first, bytes) = (run, 0)
      }
      bytes += length
    }
    return count > first ? blocks + [first..<count] : blocks
  }

  private static let mostBytes = 32 << 20

  /// Bytes of a run's line; 0 where its record is in memory.
  private func lineLength(_ run: Int) -> Int {
    if case .journals(_, let places) = records { return Int(places[run].length) }
    return 0
  }
}

/// Of each run the line that counts.
private struct BestLines {
  struct Line {
    var place: JournalLines.Place
    var started: Double
    var status: RunRecord.Status
  }

  private var numbers: RunNumbers
  private var lines: [Line] = []
  /// Lines of completed runs that had one already: the number of the run, and the line.
  private var repeated: [(run: Int, line: Line)] = []

  init(minimumCapacity: Int) {
    numbers = RunNumbers(minimumCapacity: minimumCapacity)
    lines.reserveCapacity(minimumCapacity)
  }

  /// Runs that have one.
  var count: Int { lines.count }

  mutating func line(of id: String) -> Line? { numbers.known(RunKey(id)).map { lines[$0] } }

  mutating func add(_ entry: JournalIndex.Entry, _ place: JournalLines.Place) {
    let line = Line(place: place, started: entry.started, status: entry.status)
    let (number, isNew) = numbers.number(RunKey(entry.runID))
    if isNew {
      lines.append(line)
      return
    }
    let known = lines[number]
    switch Results.isLater((line.status, line.started), (known.status, known.started)) {
    case true?: lines[number] = line
    case false?: break
    case nil: repeated.append((number, line))
    }
  }

  /// Compares what completed several times: of equal ones the newest counts.
  /// - Throws: ``DuplicateError`` for the first pair that differs.
  mutating func settle(_ journals: JournalLines) throws {
    for first in stride(from: 0, to: repeated.count, by: BestLines.compared) {
      let some = repeated[first..<min(first + BestLines.compared, repeated.count)]
      let known = try journals.entries(at: some.map { lines[$0.run].place }, of: nil)
      let others = try journals.entries(at: some.map(\.line.place), of: nil)
      for ((number, line), (known, other)) in zip(some, zip(known, others)) {
        guard other.record.hasSameResults(as: known.record) else {
          throw DuplicateError(known, other, paths: journals.paths)
        }
        if line.started > lines[number].started { lines[number] = line }
      }
    }
    repeated = []
  }

  /// Pairs that are compared at once.
  private static let compared = 1024
}
