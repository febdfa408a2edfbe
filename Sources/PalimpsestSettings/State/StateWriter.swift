/// Writes a ``StateValue`` as bytes: one byte for the kind, then the value; lists of numbers raw and little-endian.
///
/// Whole numbers take as many bytes as they need (7 bits a byte, zigzag). A field's name is spelled out where it comes up
/// first and is a number from then on. Fields stand in the order of their names: equal states are equal bytes.
struct StateWriter {
  private(set) var bytes: [UInt8] = []
  private var names: [String: Int] = [:]

  static func bytes(of value: StateValue) -> [UInt8] {
    var writer = StateWriter()
    writer.bytes.reserveCapacity(value.blockBytes + 4096)
    writer.write(value)
    return writer.bytes
  }

  mutating func write(_ value: StateValue) {
    bytes.append(value.tag.rawValue)
    switch value {
    case .null, .bool: break
    case .integer(let value): write(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
    case .unsigned(let value): write(value)
    case .float(let value): bytes.appendBlock([value.bitPattern])
    case .double(let value): bytes.appendBlock([value.bitPattern])
    case .text(let value): write(value)
    case .bytes(let values): writeBlock(values)
    case .int32s(let values): writeBlock(values)
    case .integers(let values): writeBlock(values)
    case .doubles(let values): writeBlock(values)
    case .floats(let values):
      write(UInt64(values.count))
      values.append(to: &bytes)
    case .list(let values):
      write(UInt64(values.count))
      for value in values { write(value) }
    case .record(let fields): write(fields)
    }
  }

  private mutating func write(_ fields: [String: StateValue]) {
    write(UInt64(fields.count))
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
      writeName(name)
      write(value)
    }
  }

  private mutating func writeName(_ name: String) {
    if let number = names[name] { return write(UInt64(number)) }
    names[name] = names.count + 1
    write(UInt64(0))
    write(name)
  }

  private mutating func write(_ text: String) {
    write(UInt64(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
  }

  private mutating func writeBlock(_ values: [some BitwiseCopyable]) {
    write(UInt64(values.count))
    bytes.appendBlock(values)
  }

  private mutating func write(_ number: UInt64) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}

/// The first byte of a value.
enum StateTag: UInt8 {
  case null, no, yes, integer, unsigned, float, double, text, bytes, int32s, integers, floats, doubles, list, record
}

extension StateValue {
  fileprivate var tag: StateTag {
    switch self {
    case .null: .null
    case .bool(let value): value ? .yes : .no
    case .integer: .integer
    case .unsigned: .unsigned
    case .float: .float
    case .double: .double
    case .text: .text
    case .bytes: .bytes
    case .int32s: .int32s
    case .integers: .integers
    case .floats: .floats
    case .doubles: .doubles
    case .list: .list
    case .record: .record
    }
  }

  /// What the blocks of numbers take.
  fileprivate var blockBytes: Int {
    switch self {
    case .bytes(let values): values.count
    case .int32s(let values): values.count * 4
    case .integers(let values): values.count * 8
    case .doubles(let values): values.count * 8
    case .floats(let values): values.count * 4
    case .list(let values): values.reduce(0) { $0 + $1.blockBytes }
    case .record(let fields): fields.values.reduce(0) { $0 + $1.blockBytes }
    default: 0
    }
  }
}
