/// A row of separated text: its cells one behind the other.
struct TextRow {
  /// The line it begins on, counted from 1.
  var line = 1
  private(set) var bytes: [UInt8] = []
  /// Where each cell ends in ``bytes``.
  private(set) var ends: [Int] = []
  /// All bits of all bytes.
  private var bits: UInt8 = 0

  var count: Int { ends.count }

  /// An empty line: no cell, or an empty one alone.
  var isBlank: Bool { bytes.isEmpty && ends.count <= 1 }

  /// Where a cell stands in ``bytes``.
  func range(_ cell: Int) -> Range<Int> { (cell == 0 ? 0 : ends[cell - 1])..<ends[cell] }

  /// Whether a cell is eight digits and nothing else, as a date such as 20240131 is.
  func hasEightDigits(_ cell: Int) -> Bool {
    let range = range(cell)
    return range.count == 8 && range.allSatisfy { bytes[$0] &- UInt8(ascii: "0") <= 9 }
  }

  /// A cell as it stands there; nil where it is not UTF-8.
  func text(_ cell: Int) -> String? {
    let bytes = bytes[range(cell)]
    return bits < 0x80 ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
  }

  /// The first cell that is not UTF-8.
  var brokenCell: Int? { bits < 0x80 ? nil : (0..<count).first { text($0) == nil } }

  /// All cells.
  var texts: [String] { (0..<count).map { text($0) ?? "" } }

  mutating func append(_ byte: UInt8) {
    bytes.append(byte)
    bits |= byte
  }

  mutating func endCell() { ends.append(bytes.count) }

  mutating func clear() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    bits = 0
  }
}

/// Without white space at the end: of unquoted cells the scanner has taken it off the start already.
func trimmed(_ cell: String) -> String {
  guard let last = cell.lastIndex(where: { !$0.isWhitespace }) else { return "" }
  return last == cell.index(before: cell.endIndex) ? cell : String(cell[...last])
}
