/// A line and a column, both counted from 1; columns count Unicode scalars, a tab is one.
public struct Place: Sendable, Hashable, Comparable, CustomStringConvertible {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public var description: String { "\(line):\(column)" }

  public static func < (a: Place, b: Place) -> Bool { (a.line, a.column) < (b.line, b.column) }
}

/// A file's name and bytes, and the way from a byte offset to a line and a column.
///
/// Lines end with LF, CR LF or CR, as editors count them. Cost: two passes over the bytes at `init`; then a binary search
/// and at most two blocks of bytes for each place, however long its line.
public struct Source: Sendable {
  public let file: String
  public let bytes: [UInt8]
  private let lineStarts: [Int]
  /// How many scalars begin before each block of bytes.
  private let scalarsBefore: [Int]

  public init(file: String, bytes: [UInt8]) {
    self.file = file
    self.bytes = bytes
    lineStarts = Self.lineStarts(of: bytes)
    scalarsBefore = Self.scalarsBefore(bytes)
  }

  public init(file: String, text: String) {
    self.init(file: file, bytes: Array(text.utf8))
  }

  /// The place of the character that holds the byte at `offset`; offsets beyond the file mean its end.
  public func place(at offset: Int) -> Place {
    var offset = min(max(offset, 0), bytes.count)
    let line = lineIndex(of: offset)
    let start = lineStarts[line]
    while offset > start, offset < bytes.count, Self.continuesScalar(bytes[offset]) { offset -= 1 }
    return Place(line: line + 1, column: scalars(before: offset) - scalars(before: start) + 1)
  }

  /// A problem of this file. Without an offset (a value that was built in code) it names the file and the path alone.
  public func problem(at offset: Int?, path: String = "", _ message: String) -> Problem {
    Problem(file: file, place: offset.map(place(at:)), path: path, message: message)
  }

  /// The last line that starts at or before `offset`.
  private func lineIndex(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  private func scalars(before offset: Int) -> Int {
    let block = offset / Self.blockLength
    return scalarsBefore[block] + Self.scalarCount(bytes[block * Self.blockLength..<offset])
  }

  private static let blockLength = 1024

  private static func scalarsBefore(_ bytes: [UInt8]) -> [Int] {
    stride(from: 0, to: bytes.count, by: blockLength).reduce(into: [0]) { sums, start in
      sums.append(sums[sums.count - 1] + scalarCount(bytes[start..<min(start + blockLength, bytes.count)]))
    }
  }

  private static func scalarCount(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.reduce(0) { continuesScalar($1) ? $0 : $0 + 1 }
  }

  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    for (i, byte) in bytes.enumerated() where byte <= 0x0D {
      let isLineEnd = byte == 0x0A || (byte == 0x0D && (i + 1 == bytes.count || bytes[i + 1] != 0x0A))
      if isLineEnd { starts.append(i + 1) }
    }
    return starts
  }

  /// In UTF-8 every scalar has exactly one byte that is not of the form 10xxxxxx.
  private static func continuesScalar(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
