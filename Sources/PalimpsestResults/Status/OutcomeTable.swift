import PalimpsestMetrics
import PalimpsestRuns

/// How runs ended, by key: 48 bytes each, so that a status of a million is no matter of gigabytes.
struct OutcomeTable: Sendable {
  /// What ``JournalSum/Run`` says, without a list of its own.
  private struct Row: Sendable {
    var started: Double
    var values: (Double, Double, Double)
    /// Places among the reasons, counted from 1; 0 for a number.
    var reasons: (UInt32, UInt32, UInt32)
    var status: UInt8
    var kind: UInt8
    var count: UInt8
  }

  private var numbers: [RunKey: Int32]
  private var rows: [Row] = []
  private var reasons: [String] = []
  private static let statuses = RunRecord.Status.allCases
  private static let kinds = AccuracyKind.allCases

  init(minimumCapacity: Int) {
    numbers = Dictionary(minimumCapacity: minimumCapacity)
    rows.reserveCapacity(minimumCapacity)
  }

  /// Takes the first completed record of a run, else the last.
  mutating func add(_ run: JournalSum.Run) {
    let row = row(run)
    guard let number = numbers[run.key] else {
      numbers[run.key] = Int32(clamping: rows.count)
      rows.append(row)
      return
    }
    if OutcomeTable.statuses[Int(rows[Int(number)].status)] != .completed { rows[Int(number)] = row }
  }

  /// Nil where the run has not ended.
  subscript(id: String) -> (outcome: RunOutcome, started: Double)? {
    guard let number = numbers[RunKey(id)] else { return nil }
    let row = rows[Int(number)]
    let values = [row.values.0, row.values.1, row.values.2]
    let places = [row.reasons.0, row.reasons.1, row.reasons.2]
    let metrics = (0..<Int(row.count)).map { place -> MetricValue in
      places[place] == 0 ? .number(values[place]) : .undefined(reasons[Int(places[place]) - 1])
    }
    let outcome = RunOutcome(
      status: OutcomeTable.statuses[Int(row.status)], kind: OutcomeTable.kinds[Int(row.kind)], values: metrics)
    return (outcome, row.started)
  }

  private mutating func row(_ run: JournalSum.Run) -> Row {
    func value(_ place: Int) -> Double { place < run.values.count ? run.values[place].number : .nan }
    let places = (0..<3).map { $0 < run.values.count ? place(of: run.values[$0].reason) : 0 }
    return Row(
      started: run.started, values: (value(0), value(1), value(2)), reasons: (places[0], places[1], places[2]),
      status: UInt8(clamping: OutcomeTable.statuses.firstIndex(of: run.status) ?? 0),
      kind: UInt8(clamping: OutcomeTable.kinds.firstIndex(of: run.kind) ?? 0), count: UInt8(clamping: run.values.count))
  }

  /// Few reasons come up.
  private mutating func place(of reason: String?) -> UInt32 {
    guard let reason else { return 0 }
    if let known = reasons.firstIndex(of: reason) { return UInt32(clamping: known + 1) }
    reasons.append(reason)
    return UInt32(clamping: reasons.count)
  }
}
