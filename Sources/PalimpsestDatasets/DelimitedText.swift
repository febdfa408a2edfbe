import PalimpsestScenarios
import SwiftCSV

/// The rows of a text of separated cells, with the lines they begin on. SwiftCSV takes the text apart; this adds what
/// it leaves out: line numbers, quotes that are never closed, and the empty last cell of a text without a last newline.
struct DelimitedText {
  let file: DataFile
  let text: String
  let separator: Character
  private let hasQuotes: Bool

  /// - Parameter separator: nil: of comma, semicolon and tab the one that is most frequent in the first line.
  init(_ file: DataFile, _ bytes: [UInt8], separator: Character?) throws {
    let start = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? 3 : 0
    let end: [UInt8] = bytes.last == UInt8(ascii: "\n") ? [] : [UInt8(ascii: "\n")]
    guard let text = String(validating: bytes[start...] + end, as: UTF8.self) else {
      throw file.broken("the text is not UTF-8. Save it as UTF-8")
    }
    self.file = file
    self.text = text
    self.separator = separator ?? frequentSeparator(bytes)
    hasQuotes = bytes.contains(UInt8(ascii: "\""))
    if hasQuotes, let line = lineOfOpenQuote(bytes) {
      throw file.broken(line: line, "a quotation mark opens here and is never closed")
    }
  }

  /// Calls `body` with each row and the line it begins on, counted from 1; empty lines are passed over.
  /// - Throws: the first error of `body`, or one about a quotation mark where none may stand.
  func forEachRow(_ body: @escaping (_ line: Int, _ cells: [String]) throws -> Void) throws {
    var line = 1
    var failure: (any Error)?
    do {
      let csv = try CSV<UnreadRows>(string: text, delimiter: .character(separator), loadColumns: false)
      try csv.enumerateAsArray(startAt: 0, rowLimit: nil) { [hasQuotes] cells in
        let first = line
        line += 1 + (hasQuotes ? newlines(in: cells) : 0)
        if failure != nil || cells == [""] { return }
        do { try body(first, cells) } catch { failure = error }
      }
    } catch is CSVParseError {
      failure = failure ?? file.broken(line: line, "a closing quotation mark must be followed by a separator")
    }
    if let failure { throw failure }
  }
}

extension DataFile {
  /// An error about a line of this file.
  func broken(line: Int, _ description: String) -> DatasetError {
    DatasetError(.broken, "\(path):\(line): \(description)")
  }
}

/// A view that reads nothing: rows are enumerated once, not stored.
private struct UnreadRows: CSVView {
  let rows: [[String]] = []
  let columns: [String]? = nil

  init(header: [String], text: String, delimiter: CSVDelimiter, loadColumns: Bool, rowLimit: Int?) throws {}

  func serialize(header: [String], delimiter: CSVDelimiter) -> String { "" }
}

private func newlines(in cells: [String]) -> Int {
  cells.reduce(0) { sum, cell in sum + cell.count(where: \.isNewline) }
}

private func frequentSeparator(_ bytes: [UInt8]) -> Character {
  let header = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
  let counts = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].map { separator in
    (separator, header.count { $0 == separator })
  }
  let most = counts.map(\.1).max() ?? 0
  return counts.first { $0.1 == most }.map { Character(UnicodeScalar($0.0)) } ?? ","
}

/// The line of the last quotation mark where their number is odd.
private func lineOfOpenQuote(_ bytes: [UInt8]) -> Int? {
  var line = 1
  var open: Int?
  for byte in bytes {
    if byte == UInt8(ascii: "\n") { line += 1 }
    if byte == UInt8(ascii: "\"") { open = open == nil ? line : nil }
  }
  return open
}
