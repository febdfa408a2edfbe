import PalimpsestCore
import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestMetrics

/// What the lines of a journal come to, in 64 bytes a run: `NAME.sum` beside `NAME.jsonl`.
///
/// `status` and whoever asks which runs are done read it instead of the journal, and of the journal only the lines behind it. It says of
/// each run how it ended and its status metrics, so that what is shown is the same, to the last bit, as from the journals themselves. It
/// may be lost at any time: the journal alone counts.
///
///     var sum = JournalSum()
///     sum.add(entry, line: line)           // after the line was appended
///     try sum.write(beside: "journal/host-1-17.jsonl")
public struct JournalSum: Sendable {
  /// A run that has ended.
  package struct Run: Sendable, Equatable {
    package let key: RunKey
    package let status: RunRecord.Status
    /// Noise-free where p* is known.
    package let kind: AccuracyKind
    /// Seconds since 1970, when it began.
    package let started: Double
    /// Its status metrics; none where it did not complete.
    package let values: [MetricValue]
  }

  /// How much of the journal it tells of: whole lines.
  package internal(set) var place = JournalPlace()
  /// The last of these lines ends so: its checksum, brace and newline; of a packed journal the last bytes, as hex digits.
  var ending: [UInt8] = []
  /// When the journal was changed last, in nanoseconds; 0 of a sum that was not written yet.
  var changed = 0
  /// A run after the other, ``RunRow/length`` bytes each.
  var rows: [UInt8] = []
  /// Why metrics are undefined, each reason once; rows have their places, counted from 1.
  private(set) var reasons: [String] = []
  private var places: [String: Int] = [:]

  /// Of a journal without a line.
  public init() {}

  init(place: JournalPlace, ending: [UInt8], rows: [UInt8], reasons: [String]) {
    (self.place, self.ending, self.rows, self.reasons) = (place, ending, rows, reasons)
    places = Dictionary(zip(reasons, 1...), uniquingKeysWith: { first, _ in first })
  }

  /// The runs in the order of their lines.
  package var count: Int { rows.count / RunRow.length }

  /// Takes the next line of the journal.
  /// - Parameters:
  ///   - entry: what the line says.
  ///   - line: as it was appended, with its newline.
  public mutating func add(_ entry: JournalEntry, line: [UInt8]) {
    place.offset += line.count
    place.lines += 1
    ending = Array(line.suffix(JournalSum.endingLength))
    add(Run(entry))
  }

  private mutating func add(_ run: Run) { rows += RunRow.bytes(run) { place(of: $0) } }

  /// Of a packed journal.
  /// - Parameters:
  ///   - runs: of its lines, in order.
  ///   - bytes: how many the file has.
  ///   - ending: its last ones, ``endingLength`` at least.
  init(packed runs: [Run], bytes: Int, ending: [UInt8]) {
    place.offset = bytes
    place.lines = runs.count
    self.ending = JournalSum.text(ofEnding: ending.suffix(JournalSum.endingLength), isPacked: true)
    for run in runs { add(run) }
  }

  /// What tells the end of a journal, as text: that of a packed one as hex digits.
  static func text(ofEnding bytes: ArraySlice<UInt8>, isPacked: Bool) -> [UInt8] {
    isPacked ? Array(SHA256.hex(bytes).utf8) : Array(bytes)
  }

  /// Bytes of ``ending``.
  static let endingLength = 11

  private mutating func place(of reason: String) -> Int {
    if let known = places[reason] { return known }
    reasons.append(reason)
    places[reason] = reasons.count
    return reasons.count
  }

  /// The run at a place.
  /// - Returns: nil where its bytes are none.
  package subscript(run: Int) -> Run? { RunRow.run(row(of: run), reasons) }

  /// The bytes of a run.
  func row(of run: Int) -> ArraySlice<UInt8> { rows[run * RunRow.length..<(run + 1) * RunRow.length] }

  /// The runs in the order of their lines.
  package var runs: [Run] { (0..<count).compactMap { self[$0] } }
}

extension JournalSum.Run {
  package init(_ entry: JournalEntry) {
    let record = entry.record
    let kind: AccuracyKind = record.knowsExpected ? .expected : .sampled
    var values: [MetricValue] = []
    if record.status == .completed {
      let accuracies = Accuracies(record, kind, MetricContext())
      values = Metric.status(of: record).map { $0.value(in: accuracies) }
    }
    self.init(
      key: RunKey(entry.runID), status: record.status, kind: kind, started: entry.started, values: values)
  }
}

/// A run as bytes: key, start, three values, the places of their reasons, then status, kind, and how many values there are.
enum RunRow {
  static let length = 64
  static let values = 3
  private static let codes = RunRecord.Status.allCases
  private static let kinds = AccuracyKind.allCases

  static func bytes(_ run: JournalSum.Run, _ place: (String) -> Int) -> [UInt8] {
    var row: [UInt8] = []
    row.reserveCapacity(length)
    row.append(little: run.key.high)
    row.append(little: run.key.low)
    row.append(little: run.started.bitPattern)
    for number in 0..<values { row.append(little: run.value(number).number.bitPattern) }
    for number in 0..<values { row.append(little: UInt32(clamping: run.value(number).reason.map(place) ?? 0)) }
    row.append(UInt8(clamping: codes.firstIndex(of: run.status) ?? 0))
    row.append(UInt8(clamping: kinds.firstIndex(of: run.kind) ?? 0))
    row.append(UInt8(clamping: run.values.count))
    row.append(0)
    return row
  }

  /// Whether the bytes are a run's, of a sum with so many reasons.
  static func isRun(_ row: ArraySlice<UInt8>, _ reasons: Int) -> Bool {
    let first = row.startIndex
    let (status, kind, count) = (Int(row[first + 60]), Int(row[first + 61]), Int(row[first + 62]))
    return status < codes.count && kind < kinds.count && count <= values
      && (0..<count).allSatisfy { Int(row.little(at: 48 + 4 * $0) as UInt32) <= reasons }
  }

  /// - Returns: nil where the bytes are no run's.
  static func run(_ row: ArraySlice<UInt8>, _ reasons: [String]) -> JournalSum.Run? {
    let first = row.startIndex
    let (status, kind, count) = (Int(row[first + 60]), Int(row[first + 61]), Int(row[first + 62]))
    guard isRun(row, reasons.count) else { return nil }
    let metrics = (0..<count).map { number -> MetricValue in
      let reason = Int(row.little(at: 48 + 4 * number) as UInt32)
      return reason == 0
        ? .number(Double(bitPattern: row.little(at: 24 + 8 * number))) : .undefined(reasons[reason - 1])
    }
    return JournalSum.Run(
      key: RunKey(high: row.little(at: 0), low: row.little(at: 8)), status: codes[status], kind: kinds[kind],
      started: Double(bitPattern: row.little(at: 16)), values: metrics)
  }
}

extension JournalSum.Run {
  fileprivate func value(_ number: Int) -> MetricValue { number < values.count ? values[number] : .number(0) }
}
