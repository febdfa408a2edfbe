import Foundation

/// The few system calls that no library offers in a safe form: one write for one line, rename over a file, sync. Paths and
/// buffers are handed over for the length of the call.
enum SystemCalls {
  static func open(_ path: String, _ flags: Int32) -> Int32 { unsafe Foundation.open(path, flags | O_CLOEXEC, 0o644) }

  /// - Returns: the bytes read into the front of `buffer`; negative on an error.
  static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    unsafe buffer.withUnsafeMutableBytes { unsafe Foundation.read(descriptor, $0.baseAddress, $0.count) }
  }

  /// - Returns: the bytes written, from `start` on; negative on an error.
  static func write(_ descriptor: Int32, _ bytes: [UInt8], from start: Int = 0) -> Int {
    unsafe bytes.withUnsafeBytes { buffer in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
      return unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
    }
  }

  static func makeFolder(_ path: String) -> Int32 { unsafe mkdir(path, 0o777) }

  static func rename(_ old: String, _ new: String) -> Int32 { unsafe Foundation.rename(old, new) }

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

  func sync() { _ = fdatasync(descriptor) }
}
