/// JSON text that grows at its end: what ``JSONValue/compactText`` gives, without the tree.
package struct JSONBytes {
  package private(set) var bytes: [UInt8] = []

  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Text that is JSON already.
  package mutating func append(json text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(json text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }

  /// `,"key":`, or `"key":` right behind a brace.
  mutating func key(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    append(json: name)
    append(json: "\":")
  }

  mutating func append(_ text: String) { append(json: jsonQuoted(text)) }

  mutating func append(_ number: Int) { append(json: String(number)) }

  mutating func append<Element>(_ elements: some Sequence<Element>, _ one: (inout JSONBytes, Element) -> Void) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      one(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  mutating func append(_ numbers: [Double]) { append(numbers) { $0.append($1) } }

  mutating func append(_ rows: [[Double]]) { append(rows) { $0.append($1) } }
}

// MARK: - Numbers

extension JSONBytes {
  /// The shortest text that reads back as the same value, as ``canonicalNumber(_:)`` writes it; null for NaN and
  /// infinity.
  package mutating func append(_ number: Double) {
    guard number.isFinite else { return append(json: "null") }
    let text = number.description
    guard abs(number) < 0x1p53 else { return append(json: canonicalNumber(text)) }
    if let integer = Int(exactly: number) { return append(integer) }
    guard text.utf8.contains(UInt8(ascii: "e")) else { return append(json: text) }
    if text.utf8.suffix(4).elementsEqual("e-05".utf8) {
      appendSmall(text.utf8.dropLast(4), zeros: "0.0000")
    } else if text.utf8.suffix(4).elementsEqual("e-06".utf8) {
      appendSmall(text.utf8.dropLast(4), zeros: "0.00000")
    } else {
      append(json: canonicalNumber(text))
    }
  }

  /// A number that Swift writes with an exponent and JSON's canonical form does not: 4.46e-05 is 0.0000446.
  private mutating func appendSmall(_ significand: Substring.UTF8View, zeros: String) {
    if significand.first == UInt8(ascii: "-") { bytes.append(UInt8(ascii: "-")) }
    append(json: zeros)
    for digit in significand where digit >= UInt8(ascii: "0") { bytes.append(digit) }
  }
}
