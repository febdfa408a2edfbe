import PalimpsestScenarios

/// A file of separated text, read row by row.
struct DelimitedText {
  let file: DataFile
  /// Nil: of comma, semicolon and tab the one that is most frequent in the first line.
  let separator: UInt8?

  /// Calls `body` with each row; empty lines are passed over.
  ///
  /// - Returns: the SHA-256 of the file, unpacked, in hex.
  /// - Throws: the first error of `body`, or a ``DatasetError`` about a file that is not read or is no such text.
  /// - Memory: a row and a block of the file.
  @discardableResult
  func forEachRow(_ body: (TextRow) throws -> Void) throws -> String {
    var stream = try file.stream()
    let start = try firstLine(of: &stream)
    var scanner = TextScanner(file, separator: separator ?? frequentSeparator(start))
    try scanner.take(start, body)
    while true {
      let block = try stream.next()
      if block.isEmpty { break }
      try scanner.take(block[...], body)
    }
    try scanner.finish(body)
    return stream.digest
  }

  /// Blocks until a line is whole, without the mark that some editors begin UTF-8 with.
  private func firstLine(of stream: inout DataStream) throws -> ArraySlice<UInt8> {
    var start: [UInt8] = []
    var block = try stream.next()
    while !block.isEmpty {
      start += block
      if block.contains(where: isLineEnd) || start.count > TextScanner.mostRow { break }
      block = try stream.next()
    }
    return start.starts(with: [0xef, 0xbb, 0xbf]) ? start[3...] : start[...]
  }
}

private func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }

private func frequentSeparator(_ bytes: ArraySlice<UInt8>) -> UInt8 {
  var counts = [0, 0, 0]
  let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
  for byte in bytes {
    if isLineEnd(byte) { break }
    for (i, separator) in separators.enumerated() where byte == separator { counts[i] += 1 }
  }
  let most = counts.max() ?? 0
  return separators[counts.firstIndex(of: most) ?? 0]
}
