import Foundation

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
  package static func system(_ kind: Kind, _ doing: String, _ path: String, _ code: Int32 = errno) -> FileError {
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
  /// Replaces a file in one step: temporary file beside it, written, synced, renamed, folder synced.
  public static func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    try replace(path, isSynced: true) { (write) throws(FileError) in try write(bytes) }
  }

  /// The same with content that comes in parts.
  /// - Parameter content: hands on one part after the other.
  public static func replace(
    _ path: String, writing content: (([UInt8]) throws(FileError) -> Void) throws(FileError) -> Void
  ) throws(FileError) {
    try replace(path, isSynced: true, content)
  }

  /// The same without forcing anything to the disk: for what is out of date in a second.
  package static func publish(_ path: String, _ text: String) throws(FileError) {
    try replace(path, isSynced: false) { (write) throws(FileError) in try write(Array(text.utf8)) }
  }

  private static func replace(
    _ path: String, isSynced: Bool, _ content: (([UInt8]) throws(FileError) -> Void) throws(FileError) -> Void
  ) throws(FileError) {
    if isDevice(path) {
      throw FileError(.unwritable, "\(path): cannot replace: this is no file but a device, a pipe or a socket")
    }
    let temporary = try TemporaryFile(for: path)
    try content { (bytes) throws(FileError) in try temporary.append(bytes) }
    if isSynced { try temporary.sync() }
    guard SystemCalls.rename(temporary.path, path) == 0 else { throw .system(.unwritable, "replace", path) }
    if isSynced { syncFolder(Paths.parent(of: path)) }
  }

  /// Makes a file as a whole, where there is none: readers see all of it or nothing.
  /// - Returns: false where the name is taken.
  public static func create(_ path: String, with bytes: [UInt8]) throws(FileError) -> Bool {
    let temporary = try TemporaryFile(for: path)
    try temporary.append(bytes)
    try temporary.sync()
    if SystemCalls.link(temporary.path, path) != 0 {
      let code = errno
      if code == EEXIST { return false }
      guard [EPERM, ENOTSUP, EMLINK].contains(code) else { throw .system(.unwritable, "make", path, code) }
      if exists(path) { return false }
      guard SystemCalls.rename(temporary.path, path) == 0 else { throw .system(.unwritable, "make", path) }
    }
    syncFolder(Paths.parent(of: path))
    return true
  }

  public static func create(_ path: String, with text: String) throws(FileError) -> Bool {
    try create(path, with: Array(text.utf8))
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

  /// The names in a folder, sorted; none where there is no folder, be it for a file that stands in the way to it.
  /// - Throws: where there is one that cannot be listed.
  public static func names(in folder: String) throws(FileError) -> [String] {
    if let names = SystemCalls.names(in: folder) { return names.sorted() }
    let code = errno
    let error = FileError.system(.unreadable, "list", folder, code)
    let isBelowFile = code == ENOTDIR && SystemCalls.status(folder) == nil
    if error.kind == .missing || isBelowFile { return [] }
    throw error
  }

  /// Whether this process may open so many more files at once.
  public static func mayOpen(_ count: Int) -> Bool { SystemCalls.mayOpen(count) }

  /// Whether a device, a pipe or a socket is at a path.
  public static func isDevice(_ path: String) -> Bool {
    guard let mode = SystemCalls.status(path)?.st_mode else { return false }
    return ![S_IFREG, S_IFDIR, S_IFLNK].contains(mode & S_IFMT)
  }

  public static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

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
