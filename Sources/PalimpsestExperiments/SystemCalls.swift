import Foundation

/// The few system calls that no library offers in a safe form: one write for one line, rename over a file, sync. Paths and
/// buffers are handed over for the length of the call.
enum SystemCalls {
  static func open(_ path: String, _ flags: Int32) -> Int32 { unsafe Foundation.open(path, flags | O_CLOEXEC, 0o644) }

  /// - Returns: the bytes read into `buffer` from `start` on; negative on an error.
  static func read(_ descriptor: Int32, _ buffer: inout [UInt8], from start: Int = 0) -> Int {
    unsafe buffer.withUnsafeMutableBytes { buffer in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      return unsafe Foundation.read(descriptor, rest.baseAddress, rest.count)
    }
  }

  /// Where `byte` first stands in a part of `bytes`.
  static func firstIndex(of byte: UInt8, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    unsafe bytes[range].withUnsafeBytes { part in
      guard let start = part.baseAddress, let found = unsafe memchr(start, Int32(byte), part.count) else { return nil }
      return range.lowerBound + (unsafe start.distance(to: UnsafeRawPointer(found)))
    }
  }

  /// - Returns: the bytes written, from `start` on; negative on an error.
  static func write(_ descriptor: Int32, _ bytes: [UInt8], from start: Int = 0) -> Int {
    unsafe bytes.withUnsafeBytes { buffer in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
      return unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
    }
  }

  /// Whether a write would be taken at once, or within some milliseconds; −1 waits for ever.
  static func isWritable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&request, 1, milliseconds) == 1 && request.revents & Int16(POLLOUT) != 0
  }

  static func makeFolder(_ path: String) -> Int32 { unsafe mkdir(path, 0o777) }

  /// Removes an empty folder; one that is not empty stays.
  static func removeFolder(_ path: String) { _ = unsafe rmdir(path) }

  static func rename(_ old: String, _ new: String) -> Int32 { unsafe Foundation.rename(old, new) }

  /// A second name for a file; fails where the name is taken.
  static func link(_ old: String, _ new: String) -> Int32 { unsafe Foundation.link(old, new) }

  @discardableResult
  static func unlink(_ path: String) -> Int32 { unsafe Foundation.unlink(path) }
}

/// A new file that only grows, written by this process alone.
final class AppendedFile: Sendable {
  private let descriptor: Int32
  private let path: String

  init(creating path: String) throws(FileError) {
    self.path = path
    descriptor = SystemCalls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND)
    guard descriptor >= 0 else { throw .system(.unwritable, "write", path) }
  }

  deinit { close(descriptor) }

  /// Appends all bytes in one write.
  func append(_ bytes: [UInt8]) throws(FileError) {
    let count = SystemCalls.write(descriptor, bytes)
    if count < 0 { throw .system(.unwritable, "write", path) }
    if count < bytes.count { throw FileError(.unwritable, "\(path): cannot write: \(systemMessage(ENOSPC))") }
  }

  func truncate(to length: Int) { _ = ftruncate(descriptor, off_t(length)) }

  func sync() throws(FileError) {
    guard fdatasync(descriptor) == 0 else { throw .system(.unwritable, "write", path) }
  }

  /// False once the file was removed: what is written then is lost when it is closed.
  var hasName: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) != 0 || status.st_nlink > 0
  }
}
