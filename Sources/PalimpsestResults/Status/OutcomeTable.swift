import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestRuns

/// How runs ended, by key: some 70 bytes each, so that a status of a million is no matter of gigabytes.
struct OutcomeTable: Sendable {
  /// What ``JournalSum/Run`` says, without a list of its own.
  fileprivate struct Row: Sendable {
    var started: Double
    var values: InlineArray<3, Double>
    /// Places among the reasons, counted from 1; 0 for a number.
    var reasons: InlineArray<3, UInt16>
    var status: RunRecord.Status
    var kind: AccuracyKind
  }

  /// How one ended.
  struct Outcome: EndedOutcome {
    fileprivate let row: Row
    fileprivate let reasons: [String]

    var status: RunRecord.Status { row.status }
    var kind: AccuracyKind { row.kind }
    /// Seconds since 1970, when it began.
    var started: Double { row.started }

    func value(_ metric: Int) -> MetricValue {
      let reason = Int(row.reasons[metric])
      return reason == 0 ? .number(row.values[metric]) : .undefined(reasons[reason - 1])
    }
  }

  private var numbers: RunNumbers
  private var rows: [Row] = []
  private var reasons: [String] = []

  init(minimumCapacity: Int) {
    numbers = RunNumbers(minimumCapacity: minimumCapacity)
    rows.reserveCapacity(minimumCapacity)
  }

  /// Takes the first completed record of a run, else the last.
  mutating func add(_ run: JournalSum.Run) {
    let row = row(run)
    let (number, isNew) = numbers.number(run.key)
    if isNew {
      rows.append(row)
    } else if rows[number].status != .completed {
      rows[number] = row
    }
  }

  /// Nil where the run has not ended.
  mutating func outcome(of key: RunKey) -> Outcome? {
    numbers.known(key).map { Outcome(row: rows[$0], reasons: reasons) }
  }

  private mutating func row(_ run: JournalSum.Run) -> Row {
    var row = Row(
      started: run.started, values: InlineArray(repeating: .nan), reasons: InlineArray(repeating: 0),
      status: run.status, kind: run.kind)
    for (place, value) in run.values.prefix(3).enumerated() {
      row.values[place] = value.number
      row.reasons[place] = self.place(of: value.reason)
    }
    return row
  }

  /// Few reasons come up.
  private mutating func place(of reason: String?) -> UInt16 {
    guard let reason else { return 0 }
    if let known = reasons.firstIndex(of: reason) { return UInt16(clamping: known + 1) }
    reasons.append(reason)
    return UInt16(clamping: reasons.count)
  }
}
