import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns

/// Lines of a journal. A fuzzer changes what stands before the checksum; the line is sealed anew, else hardly any would pass.
enum Journals {
  static var seeds: [[UInt8]] { records.map { body(of: entry($0).line) } + [other] }

  /// Keys in another order, whitespace, keys that are not known.
  private static let other = Array(
    """
    {"more": [1, {"a": "]}"}], "record": {"tasks": ["a", "b"], "status": "failed", "error": "é\\n\\u00e9", \
    "accuracy": [[0.5, null], [0.25, 1e0]], "log_loss": [[1, null], [0, 2]], "accuracy_before": [0.5, 0.5], \
    "cost": {"steps": 3}}, "run_id": "r", "started": 2.5
    """.utf8)

  private static var records: [RunRecord] {
    var full = RunRecord(status: .completed, tasks: ["a", "b"])
    full.accuracy = AccuracyMatrix([[0.5, 0.25], [0.75, 1]])
    full.logLoss = AccuracyMatrix([[0.5, .nan], [1e-7, 2e21]])
    full.accuracyBefore = [0.5, 0.25]
    full.truth = ScenarioTruth(
      bayesAccuracy: [0.9], crossAccuracy: [[0.9, 0.5]], totalVariation: [[0]], hellinger: [[0]], jointCeiling: 0.8)
    return [full, RunRecord(status: .diverged, tasks: [])]
  }

  private static func entry(_ record: RunRecord) -> JournalEntry {
    JournalEntry(
      runID: "0123456789abcdef", record: record, started: 1_700_000_000.25, host: "host", worker: "host-1-0",
      instructionSet: "avx2", toolkitVersion: "1", gitCommit: "")
  }

  /// What the checksum of a line covers.
  private static func body(of line: [UInt8]) -> [UInt8] { Array(line.dropLast(19)) }

  private static func sealed(_ body: [UInt8]) -> [UInt8] {
    body + Array(",\"crc\":\"".utf8) + CRC32.hex(body[...]) + Array("\"}".utf8)
  }

  static func tryLine(_ body: [UInt8]) throws -> Bool {
    try expect(JournalEntry.read(body[...]) == nil || body.count > 18, "a line without a checksum is read")
    let line = sealed(body)
    guard let entry = JournalEntry.read(line[...]) else { return false }
    try checkScanner(line, entry)
    // As lines, for NaN is not equal to itself.
    let written = entry.line
    let again = JournalEntry.read(written.dropLast())
    try expect(again?.line == written, "written again it is another: \(String(decoding: written, as: UTF8.self))")
    return true
  }

  /// The quick way and the general one agree on text; what is no UTF-8 only the quick one takes, in members it passes over.
  private static func checkScanner(_ line: [UInt8], _ entry: JournalEntry) throws {
    var scanner = EntryScanner()
    guard String(validating: line, as: UTF8.self) != nil else { return }
    guard let scanned = try? scanner.entry(line[...], in: line) else { return }
    let spaced = sealed(Array("{ ".utf8) + line.dropFirst().dropLast(18))
    guard let general = JournalEntry.read(spaced[...]) else {
      throw FuzzFault("only the scanner takes \(String(decoding: line, as: UTF8.self))")
    }
    try expect(general.line == scanned.line, "scanner and tree differ: \(String(decoding: line, as: UTF8.self))")
  }
}
