/// JSON text that grows at its end: what ``JSONValue/compactText`` gives, without the tree.
package struct JSONBytes {
  package private(set) var bytes: [UInt8] = []

  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Text that is JSON already.
  package mutating func append(json text: String) { bytes.append(contentsOf: text.utf8) }

  package mutating func append(json text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }

  /// `,"key":`, or `"key":` right behind a brace.
  package mutating func key(_ name: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    bytes.append(UInt8(ascii: "\""))
    append(json: name)
    append(json: "\":")
  }

  package mutating func append(_ text: String) { append(json: jsonQuoted(text)) }

  package mutating func append(_ number: Int) { append(json: String(number)) }

  package mutating func append<Element>(_ elements: some Sequence<Element>, _ one: (inout JSONBytes, Element) -> Void) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      one(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  package mutating func append(_ numbers: [Double]) { append(numbers) { $0.append($1) } }

  package mutating func append(_ rows: [[Double]]) { append(rows) { $0.append($1) } }
}

// MARK: - Numbers

extension JSONBytes {
  /// The shortest text that reads back as the same value, as ``canonicalNumber(_:)`` writes it; null for NaN and
  /// infinity.
  package mutating func append(_ number: Double) {
    guard number.isFinite else { return append(json: "null") }
    if abs(number) < 0x1p53, let integer = Int(exactly: number) { return append(integer) }
    guard let shortest = ShortestDecimal(number), abs(number) >= 1e-6, abs(number) < 0x1p53 else {
      return append(json: canonicalNumber(number.description))
    }
    if number < 0 { bytes.append(UInt8(ascii: "-")) }
    appendPlain(shortest)
  }

  /// A number that is no integer, in full: 0.0000446.
  private mutating func appendPlain(_ number: ShortestDecimal) {
    let places = -number.exponent
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(number.digitCount, places + 1) + 1))
    let point = bytes.count - places - 1
    var text = bytes.mutableSpan
    var (place, rest) = (text.count - 1, number.digits)
    while rest > 0 {
      if place == point { place -= 1 }
      text[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      place -= 1
    }
    text[point] = UInt8(ascii: ".")
  }
}

extension ShortestDecimal {
  fileprivate var digitCount: Int {
    var (count, bound) = (1, UInt64(10))
    while digits >= bound {
      count += 1
      bound &*= 10
    }
    return count
  }
}
