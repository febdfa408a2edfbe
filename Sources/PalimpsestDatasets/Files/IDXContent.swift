import PalimpsestJSON
import PalimpsestScenarios

/// What the header of an IDX file must be.
struct IDXHeader {
  let file: DataFile
  /// `a label file`
  private let kind: String
  /// What it counts.
  private let dimensions: [String]

  init(_ file: DataFile, _ kind: String, _ dimensions: [String]) {
    self.file = file
    self.kind = kind
    self.dimensions = dimensions
  }

  /// Bytes of it.
  var length: Int { 4 + 4 * dimensions.count }

  /// The sizes after the magic number, each at least 1.
  /// - Parameter bytes: the beginning of the file.
  func sizes(_ bytes: [UInt8]) throws -> [Int] {
    let magic: [UInt8] = [0, 0, 8, UInt8(dimensions.count)]
    let found = bytes.prefix(4)
    guard found.elementsEqual(magic.prefix(found.count)) else {
      throw file.broken(
        "byte 0: the magic number is \(spaced(found)); \(kind) of IDX begins with \(spaced(magic[...]))")
    }
    guard bytes.count >= length else {
      throw file.broken("byte \(bytes.count): the file ends inside its header of \(length) bytes")
    }
    return try dimensions.indices.map { i in
      let size = bytes[4 + 4 * i..<8 + 4 * i].reduce(0) { $0 << 8 | Int($1) }
      if size > 0 { return size }
      throw file.broken("byte \(4 + 4 * i): the number of \(dimensions[i]) is 0; it must be at least 1")
    }
  }

  private func spaced(_ bytes: ArraySlice<UInt8>) -> String { bytes.map(hexByte).joined(separator: " ") }
}

/// A file of IDX: the sizes its header declares, and as many bytes as they say.
///
/// The header is read first, and no more is unpacked than a block beyond what it declares.
struct IDXContent {
  let sizes: [Int]
  let values: [UInt8]
  /// SHA-256 of the whole file, unpacked.
  let digest: String

  /// - Parameter what: names what the sizes declare.
  init(_ header: IDXHeader, _ what: ([Int]) -> String) throws {
    var stream = try header.file.stream()
    var bytes: [UInt8] = []
    try stream.read(into: &bytes, until: header.length)
    sizes = try header.sizes(bytes)
    let expected = Expected(file: header.file, start: header.length, sizes: sizes, what: what(sizes))
    let length = try expected.length(plainSize: stream.plainSize)
    bytes.reserveCapacity(min(length, stream.bound, 1 << 28))
    try stream.read(into: &bytes, until: length + 1)
    if bytes.count < length { throw expected.wrong(found: "\(bytes.count - header.length) follow") }
    if bytes.count > length { throw expected.wrong(found: "more follow") }
    bytes.removeFirst(header.length)
    values = bytes
    digest = stream.digest
  }
}

/// What a header declares.
private struct Expected {
  let file: DataFile
  /// Bytes of the header.
  let start: Int
  let sizes: [Int]
  let what: String

  /// Nil where it is more than a number can hold.
  private var bytes: Int? {
    var product = 1
    for size in sizes {
      let (next, isTooLarge) = product.multipliedReportingOverflow(by: size)
      if isTooLarge { return nil }
      product = next
    }
    return product
  }

  /// Bytes that the whole file must have.
  /// - Parameter plainSize: bytes that it has, where it is not packed.
  func length(plainSize: Int?) throws -> Int {
    if let plainSize, bytes != plainSize - start { throw wrong(found: "\(plainSize - start) follow") }
    if let bytes, bytes <= DataFile.most - start { return start + bytes }
    throw file.broken(
      "byte \(start): \(what) are more than \(binarySize(DataFile.most)), the most that is read of a data file")
  }

  func wrong(found: String) -> DatasetError {
    let expected = bytes.map { "\($0) bytes" } ?? "more bytes than there can be"
    return file.broken("byte \(start): \(what) take \(expected), but \(found) the header")
  }
}

extension DataStream {
  /// Appends blocks until there are `count` bytes, or the file ends.
  fileprivate mutating func read(into bytes: inout [UInt8], until count: Int) throws {
    while bytes.count < count {
      let block = try next()
      if block.isEmpty { return }
      bytes += block
    }
  }
}
