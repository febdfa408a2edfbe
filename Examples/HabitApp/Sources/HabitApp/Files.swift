#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// What stands in the way, in a sentence for people.
public struct AppError: Error, Equatable, CustomStringConvertible {
  public let description: String

  public init(_ description: String) { self.description = description }

  /// What the system says of its latest call.
  static func system(_ doing: String, _ path: String) -> AppError {
    AppError("\(path): cannot \(doing): \(unsafe String(cString: strerror(errno)))")
  }
}

/// The few calls of the system that the app makes.
enum Files {
  /// - Returns: the bytes from a place on; nil where there is no such file.
  static func read(_ path: String, from start: Int = 0) throws(AppError) -> [UInt8]? {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { if errno == ENOENT { return nil } else { throw .system("read", path) } }
    defer { close(file) }
    guard lseek(file, off_t(start), SEEK_SET) >= 0 else { throw .system("read", path) }
    var bytes: [UInt8] = []
    var room = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = unsafe room.withUnsafeMutableBytes { unsafe systemRead(file, $0.baseAddress, $0.count) }
      if count == 0 { return bytes }
      if count > 0 { bytes += room[..<count] } else if errno != EINTR { throw .system("read", path) }
    }
  }

  static func size(_ path: String) -> Int? {
    var status = stat()
    return unsafe stat(path, &status) == 0 ? Int(status.st_size) : nil
  }

  /// The file holds these bytes or what it held before, whenever the process is ended or the power fails: a file beside it is
  /// written, synced and renamed.
  static func replace(_ path: String, with bytes: [UInt8], in folder: String) throws(AppError) {
    let new = path + ".new"
    let file = unsafe open(new, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("write", new) }
    let isWritten = write(bytes, to: file) && fsync(file) == 0
    let code = errno
    close(file)
    errno = code
    guard isWritten, unsafe rename(new, path) == 0 else { throw .system("write", path) }
    sync(folder)
  }

  /// A line at a file's end, on the disk when this comes back. One that a kill has cut before is ended first, so that it costs itself alone.
  static func append(_ line: String, to path: String) throws(AppError) {
    let file = unsafe open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("write", path) }
    defer { close(file) }
    let isCut = lseek(file, -1, SEEK_END) >= 0 && lastByte(file) != UInt8(ascii: "\n")
    guard write([UInt8](((isCut ? "\n" : "") + line).utf8), to: file), fsync(file) == 0 else {
      throw .system("write", path)
    }
  }

  /// The byte behind the place where a file is read.
  private static func lastByte(_ file: Int32) -> UInt8? {
    var byte: UInt8 = 0
    return unsafe systemRead(file, &byte, 1) == 1 ? byte : nil
  }

  /// Names in a folder are safe from a failing power once it is synced.
  static func sync(_ folder: String) {
    let file = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return }
    fsync(file)
    close(file)
  }

  /// Overwrites a file with zeros, then removes it. Flash memory may keep what was there before; its encryption is what helps there.
  static func erase(_ path: String) throws(AppError) {
    guard let count = size(path) else { return }
    let file = unsafe open(path, O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { throw .system("erase", path) }
    let isWritten = write([UInt8](repeating: 0, count: count), to: file) && fsync(file) == 0
    close(file)
    guard isWritten, unsafe unlink(path) == 0 else { throw .system("erase", path) }
  }

  /// A line on the standard output or error, written at once: nothing waits in a buffer that a kill would empty.
  static func say(_ line: String, isError: Bool = false) { _ = write([UInt8]((line + "\n").utf8), to: isError ? 2 : 1) }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = unsafe bytes[start...].withUnsafeBytes { unsafe systemWrite(file, $0.baseAddress, $0.count) }
      if count > 0 { start += count } else if errno != EINTR { return false }
    }
    return true
  }
}

/// A folder that nobody else is at work in. The system gives it back when the process ends, however it does.
final class FolderLock: Sendable {
  private let file: Int32

  init(_ path: String) throws(AppError) {
    file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .system("write", path) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      throw AppError("\(path): another process is at work in this folder; wait until it has ended")
    }
  }

  deinit { if file >= 0 { close(file) } }
}

private func systemRead(_ file: Int32, _ room: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  unsafe read(file, room, count)
}

private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(file, bytes, count)
}
