/// One pass over the bytes by recursive descent. Strings and numbers are in `JSONParser+Scalars.swift`, the sentences
/// of its errors in `JSONParser+Messages.swift`.
struct JSONParser {
  /// What ends the reading, and at which byte.
  struct SyntaxError: Error {
    let offset: Int
    let message: String
  }

  /// What a value is for; errors name it. An element comes with the number of elements read so far.
  enum Role {
    case root
    case member(String)
    case element(Int)
  }

  private struct Repeat {
    let key: String
    let offset: Int
    let first: Int?
  }

  let bytes: [UInt8]
  private let depthLimit: Int
  var position = 0
  /// Where the arrays and objects that are still open began.
  private(set) var open: [Int] = []
  private var repeats: [Repeat] = []

  init(_ bytes: [UInt8], depthLimit: Int) {
    self.bytes = bytes
    self.depthLimit = depthLimit
  }

  /// The byte at hand as a Latin-1 scalar, and U+0000 at the end: neither is part of the grammar outside strings.
  var current: Unicode.Scalar {
    position < bytes.count ? Unicode.Scalar(bytes[position]) : "\0"
  }

  var isAtEnd: Bool { position >= bytes.count }

  /// Steps over `scalar` if it is at hand.
  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard current == scalar else { return false }
    position += 1
    return true
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// The keys that were given twice: each at its second place, with the first beside it.
  func repeats(in source: Source) -> [Problem] {
    repeats.map {
      var problem = source.problem(at: $0.offset, "\(quotedForMessage($0.key)) is given twice in one object")
      problem.earlier = $0.first.map(source.place(at:))
      return problem
    }
  }

  mutating func document() throws(SyntaxError) -> JSONValue {
    try checkEncoding()
    try skipBlank()
    if isAtEnd { throw nothingThere }
    let root = try value(.root)
    try skipBlank()
    guard isAtEnd else { throw moreAfterRoot }
    return root
  }

  private mutating func value(_ role: Role) throws(SyntaxError) -> JSONValue {
    let start = position
    return JSONValue(try content(role), at: start)
  }

  private mutating func content(_ role: Role) throws(SyntaxError) -> JSONValue.Content {
    switch current {
    case "{": .object(try object())
    case "[": .array(try array())
    case "\"": .string(try string())
    case "-", "0"..."9": .number(try number())
    default: try constant(role)
    }
  }

  private mutating func constant(_ role: Role) throws(SyntaxError) -> JSONValue.Content {
    let word = wordAhead
    let content: JSONValue.Content
    switch word {
    case "true": content = .bool(true)
    case "false": content = .bool(false)
    case "null": content = .null
    default: throw noValue(role)
    }
    position += word.utf8.count
    return content
  }

  private mutating func array() throws(SyntaxError) -> [JSONValue] {
    try enter()
    var elements: [JSONValue] = []
    try skipBlank()
    while !skip("]") {
      elements.append(try value(.element(elements.count)))
      try endOfItem(.element(elements.count), close: "]")
    }
    open.removeLast()
    return elements
  }

  private mutating func object() throws(SyntaxError) -> JSONObject {
    try enter()
    var object = JSONObject()
    try skipBlank()
    while !skip("}") {
      let key = try member(of: &object)
      try endOfItem(.member(key), close: "}")
    }
    open.removeLast()
    return object
  }

  private mutating func member(of object: inout JSONObject) throws(SyntaxError) -> String {
    let start = position
    guard current == "\"" else { throw noKey(isFirst: object.isEmpty) }
    let key = try string()
    try skipBlank()
    guard skip(":") else { throw noColon(after: key) }
    try skipBlank()
    let first = object.members[key]
    if let first { repeats.append(Repeat(key: key, offset: start, first: first.keyOffset)) }
    let member = JSONObject.Member(try value(.member(key)), keyAt: start)
    if first == nil { object.members[key] = member }
    return key
  }

  private mutating func enter() throws(SyntaxError) {
    guard open.count < depthLimit else { throw tooDeep(depthLimit) }
    open.append(position)
    position += 1
  }

  /// After a value: a comma and then something, or the closing bracket, which is left at hand.
  private mutating func endOfItem(_ role: Role, close: Unicode.Scalar) throws(SyntaxError) {
    try skipBlank()
    let comma = position
    if skip(",") {
      try skipBlank()
      if current == close { throw trailingComma(at: comma, before: close) }
    } else if current != close {
      throw noComma(after: role, close: close)
    }
  }
}

// MARK: Between the values

extension JSONParser {
  mutating func skipBlank() throws(SyntaxError) {
    while true {
      switch current {
      case " ", "\n", "\r", "\t": position += 1
      case "/": try skipComment()
      default: return
      }
    }
  }

  private mutating func skipComment() throws(SyntaxError) {
    let start = position
    position += 1
    if skip("/") {
      while !isAtEnd, current != "\n", current != "\r" { position += 1 }
    } else if skip("*") {
      while !(skip("*") && current == "/") {
        if isAtEnd { throw openComment(at: start) }
        if current != "*" { position += 1 }
      }
      position += 1
    } else {
      throw noComment(at: start)
    }
  }

  /// The file must be UTF-8 without a byte order mark. Checked once, so that text can be cut out anywhere afterwards.
  private func checkEncoding() throws(SyntaxError) {
    if let mark = byteOrderMark { throw mark }
    if String(validating: bytes, as: UTF8.self) == nil { throw notUTF8 }
  }
}
