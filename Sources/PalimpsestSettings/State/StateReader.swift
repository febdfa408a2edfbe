/// Reads bytes written by ``StateWriter``. Whatever the bytes are, it ends with a tree or an error: no length is believed
/// before the bytes for it are seen to be there, and depth is limited.
struct StateReader {
  /// No state nests as deep; more would be for the stack to bear.
  private static let mostDepth = 200

  private let bytes: [UInt8]
  private let end: Int
  private var place: Int
  private var names: [String] = []

  private init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    place = range.lowerBound
    end = range.upperBound
  }

  /// - Throws: ``StateError`` where the bytes of the range are not exactly one value.
  static func value(of bytes: [UInt8], in range: Range<Int>) throws(StateError) -> StateValue {
    var reader = StateReader(bytes, range)
    let value = try reader.value(depth: 0)
    if reader.place < reader.end { throw StateError("\(reader.end - reader.place) bytes are left over at the end") }
    return value
  }

  private mutating func value(depth: Int) throws(StateError) -> StateValue {
    if depth > StateReader.mostDepth { throw broken("fields nest deeper than \(StateReader.mostDepth)") }
    switch try tag() {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .integer:
      let number = try number()
      return .integer(Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
    case .unsigned: return .unsigned(try number())
    case .float: return .float(Float(bitPattern: try block(UInt32.self, 1)[0]))
    case .double: return .double(Double(bitPattern: try block(UInt64.self, 1)[0]))
    case .text: return .text(try text())
    case .bytes: return .bytes(try block(UInt8.self, try length(of: 1)))
    case .int32s: return .int32s(try block(Int32.self, try length(of: 4)))
    case .integers: return .integers(try block(Int.self, try length(of: 8)))
    case .doubles: return .doubles(try block(UInt64.self, try length(of: 8)).map { Double(bitPattern: $0) })
    case .floats: return .floats(try floats())
    case .list: return .list(try list(depth: depth))
    case .record: return .record(try record(depth: depth))
    }
  }

  private mutating func tag() throws(StateError) -> StateTag {
    guard place < end else { throw broken("the bytes end where a value should stand") }
    guard let tag = StateTag(rawValue: bytes[place]) else {
      throw broken("no kind of value has the number \(bytes[place])")
    }
    place += 1
    return tag
  }

  private mutating func list(depth: Int) throws(StateError) -> [StateValue] {
    var values: [StateValue] = []
    for _ in 0..<(try length(of: 1)) { values.append(try value(depth: depth + 1)) }
    return values
  }

  private mutating func record(depth: Int) throws(StateError) -> [String: StateValue] {
    var fields: [String: StateValue] = [:]
    for _ in 0..<(try length(of: 2)) {
      let name = try name()
      let value = try value(depth: depth + 1)
      if fields.updateValue(value, forKey: name) != nil { throw broken("the field \"\(name)\" stands twice") }
    }
    return fields
  }

  private mutating func name() throws(StateError) -> String {
    let number = try number()
    if number > 0 {
      guard number <= UInt64(names.count) else { throw broken("no field has the number \(number)") }
      return names[Int(number) - 1]
    }
    names.append(try text())
    return names[names.count - 1]
  }

  private mutating func text() throws(StateError) -> String {
    let count = try length(of: 1)
    guard let text = String(validating: bytes[place..<(place + count)], as: UTF8.self) else {
      throw broken("a text is not UTF-8")
    }
    place += count
    return text
  }

  private mutating func floats() throws(StateError) -> SavedFloats {
    let count = try length(of: 4)
    defer { place += count * 4 }
    return SavedFloats(bytes: bytes[place..<place + count * 4])
  }

  private mutating func block<T: BitwiseCopyable & FixedWidthInteger>(
    _ type: T.Type, _ count: Int
  ) throws(StateError) -> [T] {
    let size = MemoryLayout<T>.stride
    guard count <= (end - place) / size else { throw broken("the bytes end within a value") }
    defer { place += count * size }
    return bytes.block(type, from: place, count: count)
  }

  /// How many elements follow, of at least `size` bytes each.
  private mutating func length(of size: Int) throws(StateError) -> Int {
    let count = try number()
    guard count <= UInt64((end - place) / size) else {
      throw broken("\(count) elements of \(size) bytes or more should follow, but only \(end - place) bytes are left")
    }
    return Int(count)
  }

  private mutating func number() throws(StateError) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while place < end {
      let byte = bytes[place]
      place += 1
      if shift == 63 && byte > 1 { break }
      result |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return result }
      shift += 7
    }
    throw broken("a number is cut off or too large")
  }

  private func broken(_ message: String) -> StateError { StateError("byte \(place): \(message)") }
}
