import PalimpsestJSON
import PalimpsestScenarios

/// Takes separated text apart, a block of bytes after the other.
///
/// Rows end in LF, CR LF or CR. A cell may stand in quotes, a quote in it doubled. Blanks before a cell and behind a
/// closing quote do not count.
///
/// - Memory: a row. Time: a few ns a byte.
struct TextScanner {
  private enum State {
    /// Before a cell.
    case start
    case plain
    /// Behind a quote in a cell that does not begin with one.
    case plainQuote
    case quoted
    /// Behind a quote in a cell that begins with one.
    case quotedQuote
  }

  /// Bytes of a row at most.
  static let mostRow = 1 << 26

  private let file: DataFile
  private let separator: UInt8
  private var state = State.start
  private var row = TextRow()
  /// The line in hand, and the one where the last quote opened.
  private var line = 1
  private var openLine = 1
  /// Whether the last byte was a CR: an LF behind it ends no further line.
  private var isBehindReturn = false

  init(_ file: DataFile, separator: UInt8) {
    self.file = file
    self.separator = separator
  }

  /// Calls `body` with the rows that end in the block.
  mutating func take(_ block: ArraySlice<UInt8>, _ body: (TextRow) throws -> Void) throws {
    for byte in block {
      if byte == newline && isBehindReturn {
        isBehindReturn = false
        if state == .quoted { row.append(byte) }
        continue
      }
      isBehindReturn = byte == carriageReturn
      try take(byte, body)
    }
    if row.bytes.count > TextScanner.mostRow { throw tooLong }
  }

  /// Calls `body` with a last row that no line end follows.
  mutating func finish(_ body: (TextRow) throws -> Void) throws {
    if state == .quoted { throw file.broken(line: openLine, "a quotation mark opens here and is never closed") }
    if state == .start && row.ends.isEmpty { return }
    try take(newline, body)
  }

  private mutating func take(_ byte: UInt8, _ body: (TextRow) throws -> Void) throws {
    if byte == 0 { throw zeroByte }
    switch state {
    case .plain:
      if byte == separator { return endCell() }
      if byte == newline || byte == carriageReturn { return try endRow(body) }
      if byte == quote { state = .plainQuote } else { row.append(byte) }
    case .start:
      if byte == separator { return endCell() }
      if byte == newline || byte == carriageReturn { return try endRow(body) }
      if byte == quote { return open() }
      if isBlank(byte) { return }
      state = .plain
      row.append(byte)
    case .quoted:
      if byte == quote { state = .quotedQuote } else { row.append(byte) }
      if byte == newline || byte == carriageReturn { line += 1 }
    case .plainQuote, .quotedQuote: try takeBehindQuote(byte, body)
    }
  }

  /// Behind a quote: the second of a doubled one, or the cell's end.
  private mutating func takeBehindQuote(_ byte: UInt8, _ body: (TextRow) throws -> Void) throws {
    if byte == quote {
      row.append(byte)
      state = state == .plainQuote ? .plain : .quoted
      return
    }
    guard state == .quotedQuote else { throw misplacedQuote }
    if byte == separator { return endCell() }
    if byte == newline || byte == carriageReturn { return try endRow(body) }
    if !isBlank(byte) { throw misplacedQuote }
  }

  private mutating func open() {
    state = .quoted
    openLine = line
  }

  private mutating func endCell() {
    row.endCell()
    state = .start
  }

  private mutating func endRow(_ body: (TextRow) throws -> Void) throws {
    endCell()
    if !row.isBlank {
      if let cell = row.brokenCell {
        throw file.broken(line: row.line, "column \(cell + 1): the text is not UTF-8. Save it as UTF-8")
      }
      try body(row)
    }
    row.clear()
    line += 1
    row.line = line
  }

  private var zeroByte: DatasetError {
    file.broken(
      line: line,
      "column \(row.count + 1): a zero byte, which no text has. Save the file as UTF-8, or get it anew")
  }

  private var misplacedQuote: DatasetError {
    file.broken(line: row.line, "a closing quotation mark must be followed by a separator")
  }

  private var tooLong: DatasetError {
    let most = binarySize(TextScanner.mostRow)
    if state != .quoted { return file.broken(line: row.line, "the row is longer than \(most), the most that is read") }
    return file.broken(
      line: openLine, "a quotation mark opens here and is not closed within \(most), the most that is read of a row")
  }
}

private let newline = UInt8(ascii: "\n")
private let carriageReturn = UInt8(ascii: "\r")
private let quote = UInt8(ascii: "\"")

/// Space, tab, vertical tab, form feed.
private func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 11 || byte == 12 }
