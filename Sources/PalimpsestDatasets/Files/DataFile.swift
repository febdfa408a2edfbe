import Foundation
import PalimpsestJSON
import PalimpsestScenarios

/// A file of a data set, as it is or packed by gzip.
struct DataFile {
  let path: String

  /// Bytes that are read of a file at most, packed or unpacked.
  static let most = 4 << 30

  /// What it holds, front to back.
  /// - Throws: ``DatasetError`` where the file is not there, cannot be read, is empty, or is not gzip although its name
  ///   says so.
  func stream() throws -> DataStream {
    var input = try open(atMost: DataFile.most)
    let start = try read(&input, DataStream.packedBlock)
    if start.isEmpty { throw broken("the file is empty") }
    let isNamedGzip = path.hasSuffix(".gz")
    let isPacked = start.starts(with: [0x1f, 0x8b]) || (start == [0x1f] && isNamedGzip)
    if isNamedGzip && !isPacked { throw notGzip(start) }
    return DataStream(file: self, input: input, isPacked: isPacked, waiting: start)
  }

  /// - Throws: ``DatasetError`` where it is no regular file, cannot be read or is too large.
  func check() throws { _ = try open(atMost: DataFile.most) }

  /// All of a short text such as `dataset.json`.
  func text() throws -> [UInt8] {
    var input = try open(atMost: 1 << 20)
    var bytes: [UInt8] = []
    while true {
      let block = try read(&input, 1 << 14)
      if block.isEmpty { return bytes }
      bytes += block
    }
  }

  private func open(atMost most: Int) throws -> InputFile {
    do throws(InputFile.Refusal) {
      return try InputFile(path, atMost: most)
    } catch {
      throw refusal(error)
    }
  }

  fileprivate func read(_ input: inout InputFile, _ count: Int) throws -> [UInt8] {
    do throws(InputFile.Refusal) {
      return try input.next(count)
    } catch {
      throw refusal(error)
    }
  }

  private func notGzip(_ start: [UInt8]) -> DatasetError {
    let found = start.prefix(2).map(hexByte).joined(separator: " ")
    return broken(
      "byte 0: found \(found), but a gzip file begins with 1f 8b. If it is not packed take .gz off its name")
  }

  /// An error about this file.
  func broken(_ description: String) -> DatasetError { DatasetError(.broken, "\(path): \(description)") }

  /// An error about a line of this file.
  func broken(line: Int, _ description: String) -> DatasetError {
    DatasetError(.broken, "\(path):\(line): \(description)")
  }

  /// An error for a file that is not read.
  func refusal(_ refusal: InputFile.Refusal) -> DatasetError {
    switch refusal {
    case .system(ENOENT): DatasetError(.missing, "\(path): there is no such file")
    case .system(EACCES): DatasetError(.missing, "\(path): the file may not be read; look at its permissions")
    case .system(EISDIR): broken("this is a folder; a file is needed")
    default: DatasetError(.broken, refusal.message(path))
    }
  }
}

/// What a file of a data set holds, block by block, unpacked where it is gzip (which its first two bytes tell, not its
/// name).
///
/// - Memory: a block, of at most 17 MB however well the file is packed.
struct DataStream: ~Copyable {
  private let file: DataFile
  private var input: InputFile
  private var inflater = Inflater()
  private var hash = SHA256()
  private let isPacked: Bool
  /// Read and not handed out yet.
  private var waiting: [UInt8]
  private var taken = 0

  /// Bytes of the packed file that are unpacked at once: gzip makes 1,032 of one at most.
  static let packedBlock = 1 << 14
  private static let plainBlock = 1 << 18

  init(file: DataFile, input: consuming InputFile, isPacked: Bool, waiting: [UInt8]) {
    self.file = file
    self.input = input
    self.isPacked = isPacked
    self.waiting = waiting
  }

  /// The most bytes that can be in it.
  var bound: Int { isPacked ? min(DataFile.most, 1032 * input.size) : input.size }

  /// Its bytes where it is not packed.
  var plainSize: Int? { isPacked ? nil : input.size }

  /// SHA-256 of what was handed out, in hex.
  var digest: String { hash.hex }

  /// The next bytes; none at the end.
  /// - Throws: ``DatasetError`` where reading fails, the gzip data are cut off or broken, or more than
  ///   ``DataFile/most`` bytes come out.
  mutating func next() throws -> [UInt8] {
    var block: [UInt8] = []
    while block.isEmpty && !waiting.isEmpty { block = try unpackedBlock() }
    if block.isEmpty && isPacked { try unpacking { inflater throws(Inflater.Failure) in try inflater.finish() } }
    taken += block.count
    if taken > DataFile.most {
      throw file.broken("it unpacks to more than \(binarySize(DataFile.most)), the most that is read of a data file")
    }
    hash.add(block)
    return block
  }

  private mutating func unpackedBlock() throws -> [UInt8] {
    var block = waiting
    if isPacked {
      let packed = waiting
      block = []
      try unpacking { inflater throws(Inflater.Failure) in try inflater.unpack(packed, into: &block) }
    }
    waiting = try file.read(&input, isPacked ? DataStream.packedBlock : DataStream.plainBlock)
    return block
  }

  private mutating func unpacking(_ body: (inout Inflater) throws(Inflater.Failure) -> Void) throws {
    do {
      try body(&inflater)
    } catch .truncated(let byte) {
      throw file.broken("byte \(byte): the file ends inside its gzip data: it is cut off. Get it anew")
    } catch .corrupt(let byte, let reason) {
      throw file.broken("near byte \(byte): the gzip data are damaged (\(reason)). Get the file anew")
    }
  }
}

/// `0a`
func hexByte(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
