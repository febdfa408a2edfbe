import PalimpsestJSON

/// A value that line after line writes with the same bytes.
struct Repeated<Value> {
  private var bytes: [UInt8] = []
  private var value: Value

  init(_ value: Value) { self.value = value }

  mutating func value(
    _ scanner: inout JSONScanner, _ read: (inout JSONScanner) throws(UnusualJSON) -> Value
  ) throws(UnusualJSON) -> Value {
    if !bytes.isEmpty && scanner.skip(bytes) { return value }
    let start = scanner.position
    value = try read(&scanner)
    bytes = Array(scanner.bytes[start..<scanner.position])
    return value
  }
}

extension Repeated<String> {
  mutating func text(_ scanner: inout JSONScanner) throws(UnusualJSON) -> String {
    try value(&scanner) { scanner throws(UnusualJSON) in try scanner.string() }
  }
}

extension Repeated<[String]> {
  mutating func texts(_ scanner: inout JSONScanner) throws(UnusualJSON) -> [String] {
    try value(&scanner) { scanner throws(UnusualJSON) in try scanner.strings() }
  }
}
