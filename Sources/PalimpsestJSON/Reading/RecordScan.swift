/// Finds the members of a JSON object in its text, without making a tree of it. Of text that is no object it finds none.
package struct RecordScan {
  private let bytes: [UInt8]
  private let range: Range<Int>

  /// - Parameter range: where the object stands, as JSON without whitespace.
  package init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    self.range = range
  }

  /// Where the value of a key stands.
  package func value(of key: String) -> Range<Int>? {
    var found: Range<Int>?
    let quoted = Array("\"\(key)\"".utf8)
    try? scan { key, value in
      if found == nil, key.count == quoted.count, bytes[key] == quoted[...] { found = value }
    }
    return found
  }

  /// Calls `member` with each key and where its value stands.
  package func visit(_ member: (String, Range<Int>) -> Void) {
    try? scan { key, value in member(RecordScan.text(bytes, key) ?? "", value) }
  }

  private func scan(_ member: (Range<Int>, Range<Int>) -> Void) throws(UnusualJSON) {
    var scanner = JSONScanner(bytes[range], in: bytes)
    try scanner.expect(UInt8(ascii: "{"))
    if scanner.skip(UInt8(ascii: "}")) { return }
    repeat {
      let key = scanner.position
      try scanner.skipString()
      let colon = scanner.position
      try scanner.expect(UInt8(ascii: ":"))
      try scanner.passValue()
      member(key..<colon, colon + 1..<scanner.position)
    } while scanner.skip(UInt8(ascii: ","))
  }

  /// The value at a place.
  package static func value(_ bytes: [UInt8], _ range: Range<Int>) -> JSONValue? {
    guard let first = range.first.map({ bytes[$0] }) else { return nil }
    if first == UInt8(ascii: "-") || first &- UInt8(ascii: "0") <= 9 {
      return JSONValue(.number(String(decoding: bytes[range], as: UTF8.self)))
    }
    return JSONReader.read(Array(bytes[range]), file: "value").root
  }

  /// The string at a place.
  package static func text(_ bytes: [UInt8], _ range: Range<Int>) -> String? {
    var scanner = JSONScanner(bytes[range], in: bytes)
    return try? scanner.string()
  }
}
