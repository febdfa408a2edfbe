import Foundation
import Synchronization

/// A file or folder that cannot be read or written: which, while doing what, and the system's reason.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  public enum Kind: Sendable, Equatable { case missing, unreadable, unwritable }

  public let kind: Kind
  public let description: String

  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }

  /// From the number the last system call left behind.
  static func system(_ kind: Kind, _ doing: String, _ path: String, _ code: Int32 = errno) -> FileError {
    let missing = code == ENOENT && kind == .unreadable
    return FileError(missing ? .missing : kind, "\(path): cannot \(doing): \(systemMessage(code))")
  }
}

/// The system's own words: `No such file or directory`.
package func systemMessage(_ code: Int32) -> String {
  let error = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
  return error.localizedFailureReason ?? error.localizedDescription
}

/// Files as whole byte arrays, written so that a reader sees the old content or the new one and never a part.
public enum Files {
  public static func read(_ path: String) throws(FileError) -> [UInt8] {
    let descriptor = SystemCalls.open(path, O_RDONLY)
    guard descriptor >= 0 else { throw .system(.unreadable, "read", path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    let size = Int(lseek(descriptor, 0, SEEK_END))
    if (1..<1 << 32).contains(size) { bytes.reserveCapacity(size) }  // A folder has no end.
    _ = lseek(descriptor, 0, SEEK_SET)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = SystemCalls.read(descriptor, &chunk)
      if count == 0 { return bytes }
      guard count > 0 else { throw .system(.unreadable, "read", path) }
      bytes += chunk[..<count]
    }
  }

  /// Replaces a file in one step: temporary file beside it, written, synced, renamed, folder synced.
  /// - Parameter end: what follows `bytes`, asked for once these are written.
  public static func replace(
    _ path: String, with bytes: [UInt8], end: () -> [UInt8] = { [] }
  ) throws(FileError) {
    try replace(path, with: bytes, end: end, isSynced: true)
  }

  /// The same without forcing anything to the disk: for what is out of date in a second.
  static func publish(_ path: String, _ text: String) throws(FileError) {
    try replace(path, with: Array(text.utf8), end: { [] }, isSynced: false)
  }

  private static func replace(
    _ path: String, with bytes: [UInt8], end: () -> [UInt8], isSynced: Bool
  ) throws(FileError) {
    let temporary = try writeTemporary(path, bytes, end: end, isSynced: isSynced)
    guard SystemCalls.rename(temporary, path) == 0 else {
      let error = FileError.system(.unwritable, "replace", path)
      SystemCalls.unlink(temporary)
      throw error
    }
    if isSynced { syncFolder(Paths.parent(of: path)) }
  }

  /// Makes a file as a whole, where there is none: readers see all of it or nothing.
  /// - Returns: false where the name is taken.
  public static func create(_ path: String, with bytes: [UInt8]) throws(FileError) -> Bool {
    let number = created.wrappingAdd(1, ordering: .relaxed).newValue
    let temporary = temporaryPath("\(path).\(number)")
    defer { SystemCalls.unlink(temporary) }
    try writeAll(temporary, bytes, end: { [] }, for: path, isSynced: true)
    if SystemCalls.link(temporary, path) != 0 {
      let code = errno
      if code == EEXIST { return false }
      guard [EPERM, ENOTSUP, EMLINK].contains(code) else { throw .system(.unwritable, "make", path, code) }
      if exists(path) { return false }
      guard SystemCalls.rename(temporary, path) == 0 else { throw .system(.unwritable, "make", path) }
    }
    syncFolder(Paths.parent(of: path))
    return true
  }

  public static func create(_ path: String, with text: String) throws(FileError) -> Bool {
    try create(path, with: Array(text.utf8))
  }

  /// Files made so far: threads that make the same one at once do not share its temporary file.
  private static let created = Atomic(0)

  /// Where the new content of a file is before it takes the place of the old: the owner's name tells whether he lives.
  package static func temporaryPath(_ path: String, process: Int = Int(getpid())) -> String {
    "\(path).tmp.\(Provenance.hostName).\(process)"
  }

  /// - Returns: the path of a new file beside `path` with the content.
  private static func writeTemporary(
    _ path: String, _ bytes: [UInt8], end: () -> [UInt8], isSynced: Bool
  ) throws(FileError) -> String {
    let temporary = temporaryPath(path)
    do {
      try writeAll(temporary, bytes, end: end, for: path, isSynced: isSynced)
    } catch {
      SystemCalls.unlink(temporary)
      throw error
    }
    return temporary
  }

  public static func replace(_ path: String, with text: String) throws(FileError) {
    try replace(path, with: Array(text.utf8))
  }

  /// Makes a folder and those above it; fine where it is there.
  public static func makeFolder(_ path: String) throws(FileError) {
    let code = makeFolders(path)
    guard code == 0 else { throw FileError(.unwritable, "\(path): cannot make the folder: \(systemMessage(code))") }
  }

  /// - Returns: 0, or the system's number for what went wrong.
  private static func makeFolders(_ path: String) -> Int32 {
    let parent = Paths.parent(of: path)
    if !parent.isEmpty && !exists(parent) {
      let code = makeFolders(parent)
      if code != 0 { return code }
    }
    guard SystemCalls.makeFolder(path) != 0 else { return 0 }
    let code = errno
    return code == EEXIST && isFolder(path) ? 0 : code
  }

  /// The names in a folder, sorted; none where there is no folder.
  public static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  public static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// - Parameter path: what the error names.
  private static func writeAll(
    _ temporary: String, _ bytes: [UInt8], end: () -> [UInt8], for path: String, isSynced: Bool
  ) throws(FileError) {
    let descriptor = SystemCalls.open(temporary, O_WRONLY | O_CREAT | O_TRUNC)
    guard descriptor >= 0 else { throw .system(.unwritable, "write", path) }
    defer { close(descriptor) }
    guard write(bytes, to: descriptor), write(end(), to: descriptor) else {
      throw .system(.unwritable, "write", path)
    }
    if isSynced && fsync(descriptor) != 0 { throw .system(.unwritable, "write", path) }
  }

  /// - Returns: false where the system refuses; its number says why.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = SystemCalls.write(descriptor, bytes, from: written)
      guard count > 0 else { return false }
      written += count
    }
    return true
  }

  private static func syncFolder(_ path: String) {
    let descriptor = SystemCalls.open(path.isEmpty ? "." : path, O_RDONLY)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }

  private static func isFolder(_ path: String) -> Bool {
    let descriptor = SystemCalls.open(path, O_RDONLY | O_DIRECTORY)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
