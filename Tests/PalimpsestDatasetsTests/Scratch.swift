import Foundation
import PalimpsestCore
import PalimpsestDatasets
import PalimpsestScenarios

/// A library folder that is gone when the test is over.
final class Scratch {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/palimpsest-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var library: DatasetFolder { DatasetFolder([path]) }

  /// Writes `set/name`.
  @discardableResult
  func write(_ file: String, _ bytes: [UInt8]) throws -> String {
    let url = URL(fileURLWithPath: path + "/" + file)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  @discardableResult
  func write(_ file: String, _ text: String) throws -> String { try write(file, Array(text.utf8)) }

  /// The error of reading a set, its paths shortened to those below the library.
  func error(reading set: String) -> String? {
    do {
      _ = try library.dataset(named: set)
      return nil
    } catch let error as DatasetError {
      return error.description.replacingOccurrences(of: path + "/", with: "")
    } catch {
      return "not a DatasetError: \(error)"
    }
  }

  /// Two training images of 2 × 3 and one test image, labels 7, 3 and 7.
  func writeImages(_ set: String, gzip: Bool = false) throws {
    let files: [(String, [UInt8])] = [
      ("train-images-idx3-ubyte", idx([2, 2, 3], Array(0..<12))), ("train-labels-idx1-ubyte", idx([2], [7, 3])),
      ("t10k-images-idx3-ubyte", idx([1, 2, 3], Array(20..<26))), ("t10k-labels-idx1-ubyte", idx([1], [7])),
    ]
    for (name, bytes) in files {
      try write("\(set)/\(name)\(gzip ? ".gz" : "")", gzip ? stored(bytes) : bytes)
    }
  }
}

/// An IDX file of unsigned bytes.
func idx(_ sizes: [UInt32], _ values: [UInt8]) -> [UInt8] {
  [0, 0, 8, UInt8(sizes.count)] + sizes.flatMap(bigEndian) + values
}

func bigEndian(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

/// A gzip member that holds the bytes in one stored block.
func stored(_ bytes: [UInt8]) -> [UInt8] {
  let length = UInt16(bytes.count)
  let header: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]
  let block: [UInt8] = [1, UInt8(length & 255), UInt8(length >> 8), UInt8(~length & 255), UInt8(~length >> 8)]
  return header + block + bytes + bigEndian(crc(bytes)).reversed() + bigEndian(UInt32(length)).reversed()
}

/// CRC-32 as gzip wants it, bit by bit.
private func crc(_ bytes: [UInt8]) -> UInt32 {
  ~bytes.reduce(UInt32.max) { sum, byte in
    (0..<8).reduce(sum ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
  }
}

/// The bytes of a hexadecimal text.
func bytes(hex text: String) -> [UInt8] {
  let digits = Array(text.utf8)
  return stride(from: 0, to: digits.count, by: 2).map { i in
    UInt8(String(decoding: digits[i..<i + 2], as: UTF8.self), radix: 16) ?? 0
  }
}

extension Dataset {
  /// All rows as numbers.
  var values: [[Float]] {
    let rows = Rows(
      table: inputs, experience: 0, places: labels.indices.map { Int32($0) }, labels: labels)
    let matrix = rows.batch.inputs
    return (0..<matrix.rows).map { matrix.row($0) }
  }
}
