import Foundation
import PalimpsestJSON
import PalimpsestMetrics

/// The file of a sum: a line of JSON, the rows, and the CRC-32 of all that as eight hex digits.
extension JournalSum {
  private static let format = 1
  private static let checksum = 8

  /// `journal/NAME.sum` of `journal/NAME.jsonl`, packed or not.
  package static func path(beside journal: String) -> String {
    JournalFile.stem(of: journal) + ".sum"
  }

  /// Replaces the sum of a journal in one step.
  public func write(beside journal: String) throws(FileError) {
    var sum = self
    sum.changed = SystemCalls.changedNanoseconds(journal)
    try Files.replace(JournalSum.path(beside: journal), with: sum.bytes)
  }

  /// The content of its file.
  package var bytes: [UInt8] {
    let head: JSONValue = [
      "format": JSONValue(JournalSum.format), "toolkit_version": JSONValue(Provenance.toolkitVersion),
      "metrics": JSONValue(JournalSum.metrics.map { JSONValue($0) }), "journal_bytes": JSONValue(place.offset),
      "journal_lines": JSONValue(place.lines), "journal_ending": JSONValue(String(decoding: ending, as: UTF8.self)),
      "journal_changed": JSONValue(changed), "reasons": JSONValue(reasons.map { JSONValue($0) }),
      "runs": JSONValue(count),
    ]
    let body = Array((head.compactText + "\n").utf8) + rows
    return body + CRC32.hex(body[...])
  }

  /// What the values of rows are of. A program with other status metrics does not read the file.
  private static let metrics = (Metric.taskStatus + Metric.streamStatus + Metric.personalStatus).map(\.name)

  /// The sum of a journal, if there is one that belongs to it and is whole: of this version, and of a journal that is as long at least and
  /// has the same line end in the same place. One that has no more lines must not have been changed since: somebody else did that.
  package init?(beside journal: String) {
    guard let bytes = try? Files.read(JournalSum.path(beside: journal), atMost: JournalSum.most),
      let sum = JournalSum(bytes), sum.ends(in: journal)
    else { return nil }
    self = sum
  }

  private static let most = 1 << 30

  /// - Returns: nil where the bytes are no sum, or a damaged one.
  package init?(_ bytes: [UInt8]) {
    let body = bytes.dropLast(JournalSum.checksum)
    guard bytes.suffix(JournalSum.checksum).elementsEqual(CRC32.hex(body)),
      let end = body.firstIndex(of: UInt8(ascii: "\n")),
      let head = JSONReader.read(Array(body[..<end]), file: "sum").root, head["format"]?.int == JournalSum.format,
      head["toolkit_version"]?.string == Provenance.toolkitVersion,
      head["metrics"]?.list(\.string) == JournalSum.metrics, let length = head["journal_bytes"]?.int,
      let lines = head["journal_lines"]?.int, let ending = head["journal_ending"]?.string,
      let changed = head["journal_changed"]?.int,
      let reasons = head["reasons"]?.list(\.string), let count = head["runs"]?.int
    else { return nil }
    let rows = Array(body[(end + 1)...])
    guard count == lines, rows.count == count.multipliedReportingOverflow(by: RunRow.length).partialValue,
      count >= 0, length >= 0
    else { return nil }
    var place = JournalPlace()
    (place.offset, place.lines) = (length, lines)
    self.init(place: place, ending: Array(ending.utf8), rows: rows, reasons: reasons)
    self.changed = changed
    guard (0..<count).allSatisfy({ RunRow.isRun(row(of: $0), reasons.count) }) else { return nil }
  }

  /// Whether the journal's line before ``place`` ends as the last one did, and nobody changed a journal that has no line behind it.
  private func ends(in journal: String) -> Bool {
    if place.offset == 0 { return true }
    guard let status = SystemCalls.status(journal),
      Int(status.st_size) != place.offset || SystemCalls.changedNanoseconds(journal) == changed
    else { return false }
    let length = JournalSum.endingLength
    guard place.offset >= length, let descriptor = try? Files.descriptor(of: journal) else { return false }
    defer { close(descriptor) }
    let last = SystemCalls.read(descriptor, length, at: place.offset - length) ?? []
    return JournalSum.text(ofEnding: last[...], isPacked: PackedJournal.isName(journal)) == ending
  }
}
