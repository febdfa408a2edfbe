/// Plain values as bytes, on their way from one process to another of the same program: no version, no byte order.
struct PlainEncoder {
  private(set) var bytes: [UInt8] = []

  mutating func add(_ number: Int) { add(raw: [number]) }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  mutating func add<Element>(_ list: [Element], _ add: (inout PlainEncoder, Element) -> Void) {
    self.add(list.count)
    for element in list { add(&self, element) }
  }

  mutating func add(_ values: CubeValues) {
    switch values {
    case .float(let values): add(0, values)
    case .double(let values): add(1, values)
    case .integer8(let values): add(2, values)
    case .integer32(let values): add(3, values)
    case .integer64(let values): add(4, values)
    case .text(let values):
      add(5)
      add(values) { $0.add($1) }
    }
  }

  private mutating func add<T: BitwiseCopyable>(_ kind: Int, _ values: [T]) {
    add(kind)
    add(values.count)
    add(raw: values)
  }

  private mutating func add<T: BitwiseCopyable>(raw values: [T]) {
    unsafe values.withUnsafeBytes { unsafe bytes.append(contentsOf: $0) }
  }
}

/// The way back. Whoever wrote the bytes may have been out of its senses: nothing in them is trusted.
struct PlainDecoder {
  /// Bytes that say something else than they must.
  struct Failure: Error {}

  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var isAtEnd: Bool { place == bytes.count }

  mutating func number() throws(Failure) -> Int { try raw(1)[0] }

  mutating func text() throws(Failure) -> String {
    String(decoding: try take(count(of: 1)), as: UTF8.self)
  }

  /// - Parameter width: the least bytes that one element takes.
  mutating func list<Element>(
    width: Int = 8, _ element: (inout PlainDecoder) throws(Failure) -> Element
  ) throws(Failure) -> [Element] {
    let count = try count(of: width)
    var list: [Element] = []
    list.reserveCapacity(count)
    for _ in 0..<count { list.append(try element(&self)) }
    return list
  }

  mutating func values() throws(Failure) -> CubeValues {
    switch try number() {
    case 0: .float(try raw(count(of: 4)))
    case 1: .double(try raw(count(of: 8)))
    case 2: .integer8(try raw(count(of: 1)))
    case 3: .integer32(try raw(count(of: 4)))
    case 4: .integer64(try raw(count(of: 8)))
    case 5: .text(try list { source throws(Failure) in try source.text() })
    default: throw Failure()
    }
  }

  /// A count of things that can still follow.
  private mutating func count(of width: Int) throws(Failure) -> Int {
    let count = try number()
    guard count >= 0, count <= (bytes.count - place) / width else { throw Failure() }
    return count
  }

  private mutating func take(_ count: Int) throws(Failure) -> ArraySlice<UInt8> {
    guard count <= bytes.count - place else { throw Failure() }
    defer { place += count }
    return bytes[place..<place + count]
  }

  private mutating func raw<T: BitwiseCopyable & Numeric>(_ count: Int) throws(Failure) -> [T] {
    let part = try take(count * MemoryLayout<T>.size)
    var values = [T](repeating: 0, count: count)
    unsafe values.withUnsafeMutableBytes { unsafe $0.copyBytes(from: part) }
    return values
  }
}

// MARK: - The tree

extension PlainCube {
  func encode(to coder: inout PlainEncoder) {
    root.encode(to: &coder)
    coder.add(leftOut) { $0.add($1) }
  }

  init(from coder: inout PlainDecoder) throws(PlainDecoder.Failure) {
    root = try PlainGroup(from: &coder, depth: 0)
    leftOut = try coder.list { coder throws(PlainDecoder.Failure) in try coder.text() }
  }
}

extension PlainGroup {
  fileprivate func encode(to coder: inout PlainEncoder) {
    coder.add(name)
    coder.add(attributes) { $1.encode(to: &$0) }
    coder.add(datasets) { $1.encode(to: &$0) }
    coder.add(groups) { $1.encode(to: &$0) }
  }

  fileprivate init(from coder: inout PlainDecoder, depth: Int) throws(PlainDecoder.Failure) {
    guard depth < 16 else { throw PlainDecoder.Failure() }
    name = try coder.text()
    attributes = try coder.list { coder throws(PlainDecoder.Failure) in try PlainAttribute(from: &coder) }
    datasets = try coder.list { coder throws(PlainDecoder.Failure) in try PlainDataset(from: &coder) }
    groups = try coder.list { coder throws(PlainDecoder.Failure) in try PlainGroup(from: &coder, depth: depth + 1) }
  }
}

extension PlainDataset {
  fileprivate func encode(to coder: inout PlainEncoder) {
    coder.add(name)
    coder.add(shape) { $0.add($1) }
    coder.add(dimensions) { $0.add($1) }
    coder.add(values.map { [$0] } ?? []) { $0.add($1) }
    coder.add(attributes) { $1.encode(to: &$0) }
  }

  fileprivate init(from coder: inout PlainDecoder) throws(PlainDecoder.Failure) {
    name = try coder.text()
    shape = try coder.list { coder throws(PlainDecoder.Failure) in try coder.number() }
    dimensions = try coder.list { coder throws(PlainDecoder.Failure) in try coder.text() }
    values = try coder.list { coder throws(PlainDecoder.Failure) in try coder.values() }.first
    attributes = try coder.list { coder throws(PlainDecoder.Failure) in try PlainAttribute(from: &coder) }
    guard dimensions.count == shape.count else { throw PlainDecoder.Failure() }
  }
}

extension PlainAttribute {
  fileprivate func encode(to coder: inout PlainEncoder) {
    coder.add(name)
    coder.add(shape) { $0.add($1) }
    coder.add(values)
  }

  fileprivate init(from coder: inout PlainDecoder) throws(PlainDecoder.Failure) {
    name = try coder.text()
    shape = try coder.list { coder throws(PlainDecoder.Failure) in try coder.number() }
    values = try coder.values()
  }
}
