/// Something that a ``JSONScanner`` does not read: wrong, or merely rare. The caller goes on with ``JSONReader``.
package struct UnusualJSON: Error {
  package init() {}
}

/// Reads JSON of a known form straight from its bytes: no tree, no text of numbers, no whitespace. Whatever is not as
/// expected throws, so what is read is right.
package struct JSONScanner {
  package let bytes: [UInt8]
  package var position: Int
  private let end: Int

  package init(_ line: ArraySlice<UInt8>, in bytes: [UInt8]) {
    self.bytes = bytes
    position = line.startIndex
    end = line.endIndex
  }

  package var isAtEnd: Bool { position == end }

  package var current: UInt8 { position < end ? bytes[position] : 0 }

  package mutating func skip(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position &+= 1
    return true
  }

  package mutating func expect(_ byte: UInt8) throws(UnusualJSON) {
    guard skip(byte) else { throw UnusualJSON() }
  }

  /// Passes over these bytes, if they come next.
  package mutating func skip(_ word: [UInt8]) -> Bool {
    guard end &- position >= word.count else { return false }
    for i in word.indices where bytes[position &+ i] != word[i] { return false }
    position &+= word.count
    return true
  }
}

// MARK: - Objects and arrays

extension JSONScanner {
  /// Calls `member` for each key, at its value: with the key's place among `keys`. Values of other keys are passed over.
  package mutating func object(
    _ keys: JSONKeys, _ member: (inout JSONScanner, Int) throws(UnusualJSON) -> Void
  ) throws(UnusualJSON) {
    try expect(UInt8(ascii: "{"))
    if skip(UInt8(ascii: "}")) { return }
    var seen: UInt64 = 0
    var next = 0
    repeat {
      if let key = try key(among: keys, next) {
        guard seen & 1 << UInt64(key) == 0 else { throw UnusualJSON() }
        seen |= 1 << UInt64(key)
        next = key &+ 1
        try member(&self, key)
      } else {
        try passValue()
      }
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }

  /// Reads a key and its colon.
  /// - Parameter likely: the place that is tried first.
  private mutating func key(among keys: JSONKeys, _ likely: Int) throws(UnusualJSON) -> Int? {
    if likely < keys.quoted.count, skip(keys.quoted[likely]) { return likely }
    for place in keys.quoted.indices where skip(keys.quoted[place]) { return place }
    try passString()
    try expect(UInt8(ascii: ":"))
    return nil
  }

  /// Calls `element` at each element.
  package mutating func array(_ element: (inout JSONScanner) throws(UnusualJSON) -> Void) throws(UnusualJSON) {
    try expect(UInt8(ascii: "["))
    if skip(UInt8(ascii: "]")) { return }
    repeat { try element(&self) } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
  }

  /// Passes over a value and checks that it is JSON without whitespace, at most so deep.
  package mutating func passValue(depth: Int = JSONReader.standardDepthLimit) throws(UnusualJSON) {
    guard depth > 0 else { throw UnusualJSON() }
    switch current {
    case UInt8(ascii: "\""): try passString()
    case UInt8(ascii: "["): try array { (scanner) throws(UnusualJSON) in try scanner.passValue(depth: depth - 1) }
    case UInt8(ascii: "{"): try passObject(depth: depth)
    case UInt8(ascii: "t"): if !skip(JSONScanner.true) { throw UnusualJSON() }
    case UInt8(ascii: "f"): if !skip(JSONScanner.false) { throw UnusualJSON() }
    default: _ = try double()
    }
  }

  private mutating func passObject(depth: Int) throws(UnusualJSON) {
    try expect(UInt8(ascii: "{"))
    if skip(UInt8(ascii: "}")) { return }
    repeat {
      try passString()
      try expect(UInt8(ascii: ":"))
      try passValue(depth: depth - 1)
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }
}

/// The keys of an object in the order in which they mostly come, at most 64.
package struct JSONKeys: Sendable {
  /// With quotes and colon.
  fileprivate let quoted: [[UInt8]]

  package init(_ names: [String]) { quoted = names.map { Array("\"\($0)\":".utf8) } }
}

// MARK: - Strings

extension JSONScanner {
  package mutating func string() throws(UnusualJSON) -> String {
    let start = position
    let isPlain = try skipString()
    guard isPlain else { return try escapedString(start..<position) }
    guard let text = String(validating: bytes[start + 1..<position - 1], as: UTF8.self) else { throw UnusualJSON() }
    return text
  }

  private func escapedString(_ range: Range<Int>) throws(UnusualJSON) -> String {
    guard let text = JSONReader.read(Array(bytes[range]), file: "string").root?.string else { throw UnusualJSON() }
    return text
  }

  /// Passes over a string and checks its escapes.
  private mutating func passString() throws(UnusualJSON) {
    let start = position
    if try !skipString() { _ = try escapedString(start..<position) }
  }

  /// - Returns: whether the string has no escapes.
  @discardableResult
  package mutating func skipString() throws(UnusualJSON) -> Bool {
    try expect(UInt8(ascii: "\""))
    var isPlain = true
    while position < end {
      let byte = bytes[position]
      position &+= 1
      if byte == UInt8(ascii: "\"") { return isPlain }
      if byte == UInt8(ascii: "\\") {
        isPlain = false
        position &+= 1
      } else if byte < 0x20 {
        break
      }
    }
    throw UnusualJSON()
  }
}

// MARK: - Numbers

extension JSONScanner {
  private static let null = Array("null".utf8)
  private static let `true` = Array("true".utf8)
  private static let `false` = Array("false".utf8)

  /// True where there was null.
  package mutating func skipNull() -> Bool { current == UInt8(ascii: "n") && skip(JSONScanner.null) }

  /// A number; NaN for null.
  package mutating func double() throws(UnusualJSON) -> Double {
    if skipNull() { return .nan }
    let start = position
    let isNegative = skip(UInt8(ascii: "-"))
    var digits: UInt64 = 0
    var count = try self.digits(&digits)
    var exponent = 0
    if skip(UInt8(ascii: ".")) {
      let fraction = try self.digits(&digits, leadingZeros: true)
      count += fraction
      exponent = -fraction
    }
    if current | 0x20 == UInt8(ascii: "e") { exponent += try power() }
    if count <= 19, let value = NearestDouble.of(digits, exponent: exponent) { return isNegative ? -value : value }
    guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)), value.isFinite else {
      throw UnusualJSON()
    }
    return value
  }

  /// An integer without point and exponent.
  package mutating func int() throws(UnusualJSON) -> Int {
    let isNegative = skip(UInt8(ascii: "-"))
    var digits: UInt64 = 0
    let count = try self.digits(&digits)
    // Nineteen digits are less than 2^64.
    guard count <= 19, digits <= Int.max.magnitude + (isNegative ? 1 : 0), current != UInt8(ascii: "."),
      current | 0x20 != UInt8(ascii: "e")
    else { throw UnusualJSON() }
    return Int(truncatingIfNeeded: isNegative ? 0 &- digits : digits)
  }

  private mutating func power() throws(UnusualJSON) -> Int {
    position &+= 1
    let isNegative = skip(UInt8(ascii: "-"))
    if !isNegative { _ = skip(UInt8(ascii: "+")) }
    var digits: UInt64 = 0
    guard try self.digits(&digits, leadingZeros: true) <= 4 else { throw UnusualJSON() }
    return isNegative ? -Int(digits) : Int(digits)
  }

  /// Appends the digits at hand to a number: right up to 19 of them. One at least must be there.
  /// - Returns: how many there are.
  private mutating func digits(_ number: inout UInt64, leadingZeros: Bool = false) throws(UnusualJSON) -> Int {
    let start = position
    while position < end, case let digit = bytes[position] &- UInt8(ascii: "0"), digit <= 9 {
      number = number &* 10 &+ UInt64(digit)
      position &+= 1
    }
    let count = position &- start
    guard count > 0, leadingZeros || count == 1 || bytes[start] != UInt8(ascii: "0") else { throw UnusualJSON() }
    return count
  }
}
