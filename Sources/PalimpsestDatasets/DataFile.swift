import Foundation
import PalimpsestScenarios

/// A file of a data set, as it is or packed by gzip.
struct DataFile {
  let path: String

  private static let chunk = 1 << 18

  /// Appends the file's bytes, unpacked where it is gzip (which its first two bytes tell, not its name).
  ///
  /// - Throws: ``DatasetError`` where the file is not there, cannot be read, is empty, or its gzip data are cut off or
  ///   broken.
  func read(into bytes: inout [UInt8]) throws {
    let handle = try open()
    defer { try? handle.close() }
    var chunk = try next(handle)
    if chunk.isEmpty { throw broken("the file is empty") }
    guard chunk.starts(with: [0x1f, 0x8b]) || (chunk == [0x1f] && isNamedGzip) else {
      if isNamedGzip { throw notGzip(chunk) }
      return try copy(from: handle, &chunk, into: &bytes)
    }
    try unpack(from: handle, &chunk, into: &bytes)
  }

  /// The file's bytes alone.
  func contents() throws -> [UInt8] {
    var bytes: [UInt8] = []
    try read(into: &bytes)
    return bytes
  }

  /// An error about this file.
  func broken(_ description: String) -> DatasetError { DatasetError(.broken, "\(path): \(description)") }

  private var isNamedGzip: Bool { path.hasSuffix(".gz") }

  private func open() throws -> FileHandle {
    guard FileManager.default.fileExists(atPath: path) else {
      throw DatasetError(.missing, "\(path): there is no such file")
    }
    if isFolder(path) { throw broken("this is a folder; a file is needed") }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw DatasetError(.missing, "\(path): the file may not be read; look at its permissions")
    }
    return handle
  }

  private func next(_ handle: FileHandle) throws -> [UInt8] {
    do {
      return try handle.read(upToCount: DataFile.chunk).map { [UInt8]($0) } ?? []
    } catch {
      throw broken("reading failed: \(error.localizedDescription)")
    }
  }

  private func copy(from handle: FileHandle, _ chunk: inout [UInt8], into bytes: inout [UInt8]) throws {
    while !chunk.isEmpty {
      bytes.append(contentsOf: chunk)
      chunk = try next(handle)
    }
  }

  private func unpack(from handle: FileHandle, _ chunk: inout [UInt8], into bytes: inout [UInt8]) throws {
    var inflater = Inflater()
    do {
      while !chunk.isEmpty {
        try inflater.unpack(chunk, into: &bytes)
        chunk = try next(handle)
      }
      try inflater.finish()
    } catch Inflater.Failure.truncated(let byte) {
      throw broken("byte \(byte): the file ends inside its gzip data: it is cut off. Get it anew")
    } catch Inflater.Failure.corrupt(let byte, let reason) {
      throw broken("near byte \(byte): the gzip data are damaged (\(reason)). Get the file anew")
    }
  }

  private func notGzip(_ chunk: [UInt8]) -> DatasetError {
    let found = chunk.prefix(2).map(hex).joined(separator: " ")
    return broken(
      "byte 0: found \(found), but a gzip file begins with 1f 8b. If it is not packed take .gz off its name")
  }
}

/// `0a`
func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }
