import Foundation

/// The few system calls that no library offers in a safe form: one write for one line, rename over a file, sync. Paths and
/// buffers are handed over for the length of the call.
package enum SystemCalls {
  package static func open(_ path: String, _ flags: Int32) -> Int32 { unsafe Foundation.open(path, flags | O_CLOEXEC) }

  /// Whether so many more files may be open at once.
  package static func mayOpen(_ count: Int) -> Bool {
    let descriptors = (0..<count).map { _ in open("/", O_RDONLY) }
    for descriptor in descriptors where descriptor >= 0 { close(descriptor) }
    return descriptors.allSatisfy { $0 >= 0 }
  }

  /// A new file to write to, with the mode that the umask leaves. Fails where the name is taken, also by a link.
  package static func create(_ path: String, _ flags: Int32 = 0) -> Int32 {
    unsafe Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | flags, 0o666)
  }

  /// - Returns: the bytes read into `buffer` from `start` on; negative on an error.
  package static func read(_ descriptor: Int32, _ buffer: inout [UInt8], from start: Int = 0) -> Int {
    unsafe buffer.withUnsafeMutableBytes { buffer in
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      return unsafe Foundation.read(descriptor, rest.baseAddress, rest.count)
    }
  }

  /// So many bytes from a place on, whatever was read before; nil where there are fewer.
  package static func read(_ descriptor: Int32, _ count: Int, at offset: Int) -> [UInt8]? {
    var filled = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      while filled < count {
        let rest = unsafe buffer.baseAddress?.advanced(by: filled)
        let result = unsafe pread(descriptor, rest, count - filled, off_t(offset + filled))
        if result <= 0 { break }
        filled += result
      }
      length = filled
    }
    return filled == count ? bytes : nil
  }

  /// Where `byte` first stands in a part of `bytes`.
  package static func firstIndex(of byte: UInt8, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
    unsafe bytes[range].withUnsafeBytes { part in
      guard let start = part.baseAddress, let found = unsafe memchr(start, Int32(byte), part.count) else { return nil }
      return range.lowerBound + (unsafe start.distance(to: UnsafeRawPointer(found)))
    }
  }

  /// - Returns: the bytes written, from `start` on; negative on an error.
  package static func write(_ descriptor: Int32, _ bytes: [UInt8], from start: Int = 0) -> Int {
    unsafe bytes.withUnsafeBytes { buffer in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[start...])
      return unsafe Foundation.write(descriptor, rest.baseAddress, rest.count)
    }
  }

  /// Writes at a place, wherever others write.
  package static func write(_ descriptor: Int32, _ bytes: [UInt8], at offset: Int) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
  }

  /// Whether a write would be taken at once, or within some milliseconds; −1 waits for ever.
  package static func isWritable(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return unsafe poll(&request, 1, milliseconds) == 1 && request.revents & Int16(POLLOUT) != 0
  }

  /// The names in a folder but for "." and ".."; nil on an error.
  package static func names(in folder: String) -> [String]? {
    guard let stream = unsafe opendir(folder) else { return nil }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
        unsafe $0.withMemoryRebound(to: CChar.self, capacity: 1) { unsafe String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
      errno = 0
    }
    return errno == 0 ? names : nil
  }

  /// What stands at a path itself, be it a link; nil where nothing does.
  package static func status(_ path: String) -> stat? {
    var status = stat()
    return unsafe lstat(path, &status) == 0 ? status : nil
  }

  /// When a file was last written, in seconds; 0 where there is none.
  package static func changed(_ path: String) -> Int { time(path).map { Int($0.tv_sec) } ?? 0 }

  /// The same in nanoseconds.
  package static func changedNanoseconds(_ path: String) -> Int {
    time(path).map { Int($0.tv_sec) * 1_000_000_000 + Int($0.tv_nsec) } ?? 0
  }

  /// The same in seconds, negative where there is none: on a network it is the server's clock.
  package static func changedExactly(_ path: String) -> Double {
    time(path).map { Double($0.tv_sec) + Double($0.tv_nsec) / 1e9 } ?? -1
  }

  private static func time(_ path: String) -> timespec? {
    #if canImport(Darwin)
      status(path)?.st_mtimespec
    #else
      status(path)?.st_mtim
    #endif
  }

  /// Gives a file the time that its server has now.
  package static func touch(_ path: String) -> Int32 { unsafe utimensat(AT_FDCWD, path, nil, 0) }

  /// Gives a file the time 0.
  package static func backdate(_ path: String) -> Int32 {
    let times = [timespec](repeating: timespec(tv_sec: 0, tv_nsec: 0), count: 2)
    return unsafe times.withUnsafeBufferPointer { unsafe utimensat(AT_FDCWD, path, $0.baseAddress, 0) }
  }

  /// How many names a file has; 0 where there is none.
  package static func names(of path: String) -> Int { status(path).map { Int($0.st_nlink) } ?? 0 }

  package static func setMode(_ path: String, _ mode: mode_t) -> Int32 { unsafe chmod(path, mode) }

  package static func makeFolder(_ path: String) -> Int32 { unsafe mkdir(path, 0o777) }

  /// Removes an empty folder; one that is not empty stays.
  package static func removeFolder(_ path: String) { _ = unsafe rmdir(path) }

  package static func rename(_ old: String, _ new: String) -> Int32 { unsafe Foundation.rename(old, new) }

  /// A second name for a file; fails where the name is taken.
  package static func link(_ old: String, _ new: String) -> Int32 { unsafe Foundation.link(old, new) }

  @discardableResult
  package static func unlink(_ path: String) -> Int32 { unsafe Foundation.unlink(path) }
}

/// A new file that only grows, written by this process alone.
package final class AppendedFile: Sendable {
  private let descriptor: Int32
  private let path: String

  /// Nil where the name is taken.
  package init?(creating path: String) throws(FileError) {
    self.path = path
    descriptor = SystemCalls.create(path, O_APPEND)
    if descriptor >= 0 { return }
    if errno == EEXIST { return nil }
    throw .system(.unwritable, "write", path)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Appends all bytes in one write.
  package func append(_ bytes: [UInt8]) throws(FileError) {
    let count = SystemCalls.write(descriptor, bytes)
    if count < 0 { throw .system(.unwritable, "write", path) }
    if count < bytes.count { throw FileError(.unwritable, "\(path): cannot write: \(systemMessage(ENOSPC))") }
  }

  package func truncate(to length: Int) { _ = ftruncate(descriptor, off_t(length)) }

  package func sync() throws(FileError) {
    guard fdatasync(descriptor) == 0 else { throw .system(.unwritable, "write", path) }
  }

  /// False once the file was removed: what is written then is lost when it is closed.
  package var hasName: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) != 0 || status.st_nlink > 0
  }
}
