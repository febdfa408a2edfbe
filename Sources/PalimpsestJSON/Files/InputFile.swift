import Foundation

/// A file opened to be read from front to back: a regular file of at most so many bytes or, where the caller allows it,
/// a pipe that the process was handed.
///
/// Devices, named pipes and sockets are refused before a byte is read, longer files before the memory is full, and a
/// pipe that stays silent is given up: no name can stop the program.
package struct InputFile: ~Copyable {
  /// Why a file is not read.
  package enum Refusal: Error, Equatable {
    /// The system's number for it.
    case system(Int32)
    /// It is something else: `a device`.
    case kind(String)
    /// More bytes than the caller takes.
    case tooLarge(most: Int)
    /// Nothing came through a pipe for so many seconds.
    case silent(Int)
  }

  private let descriptor: Int32
  private let isPipe: Bool
  private let most: Int
  /// Bytes it has; 0 where that is not known before they are read.
  package let size: Int
  /// Bytes read so far.
  private var taken = 0

  /// Seconds that a pipe may stay silent.
  private static let patience = 60

  /// - Parameters:
  ///   - most: bytes that are read of it at most.
  ///   - pipes: whether a pipe that the process was handed will do: `/dev/stdin`, or what a shell makes of `<(…)`.
  package init(_ path: String, atMost most: Int, pipes: Bool = false) throws(Refusal) {
    let (descriptor, status) = try InputFile.open(path)
    do throws(Refusal) {
      try status.check(allowingPipe: pipes && isHanded(path))
      if status.size > most { throw .tooLarge(most: most) }
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
    isPipe = status.kind == S_IFIFO
    size = status.size
    self.most = most
  }

  deinit { close(descriptor) }

  /// The descriptor of a regular file opened for reading, for those who seek in it; theirs to close.
  package static func descriptor(of path: String) throws(Refusal) -> Int32 {
    let (descriptor, status) = try open(path)
    do throws(Refusal) {
      try status.check(allowingPipe: false)
    } catch {
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// The next bytes, at most `count`; none at the end.
  package mutating func next(_ count: Int) throws(Refusal) -> [UInt8] {
    if isPipe { try wait() }
    var result = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      result = unsafe read(descriptor, buffer.baseAddress, count)
      filled = max(0, result)
    }
    guard result >= 0 else { throw .system(errno) }
    taken += result
    if taken > most { throw .tooLarge(most: most) }
    return bytes
  }

  /// All bytes that are left.
  package mutating func rest() throws(Refusal) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    while true {
      let chunk = try next(1 << 17)
      if chunk.isEmpty { return bytes }
      bytes += chunk
    }
  }

  /// Opens without waiting for whoever writes into a pipe.
  private static func open(_ path: String) throws(Refusal) -> (Int32, stat) {
    let descriptor = unsafe Foundation.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw errno == ENXIO ? .kind("a socket or a device") : .system(errno) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .system(code)
    }
    return (descriptor, status)
  }

  private func wait() throws(Refusal) {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let answer = unsafe poll(&request, 1, Int32(InputFile.patience) * 1000)
    if answer == 0 { throw .silent(InputFile.patience) }
    if answer < 0 { throw .system(errno) }
  }
}

extension InputFile.Refusal {
  /// What to say of the file at a path.
  package func message(_ path: String) -> String {
    if case .system = self { "\(path): cannot read: \(reason)" } else { "\(path): \(reason)" }
  }

  /// What is wrong.
  package var reason: String {
    switch self {
    case .system(let code): InputFile.Refusal.words(code)
    case .kind(let kind): "this is \(kind); a regular file is needed"
    case .tooLarge(let most): "the file is larger than \(binarySize(most)), the most that is read of it"
    case .silent(let seconds): "nothing came through this pipe for \(seconds) s"
    }
  }

  private static func words(_ code: Int32) -> String {
    let error = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
    return error.localizedFailureReason ?? error.localizedDescription
  }
}

/// `64 MiB`: a power of two in its unit.
package func binarySize(_ bytes: Int) -> String {
  let units = ["bytes", "KiB", "MiB", "GiB"]
  let unit = min(units.count - 1, max(0, (Int.bitWidth - 1 - bytes.leadingZeroBitCount) / 10))
  return "\(bytes >> (10 * unit)) \(units[unit])"
}

extension stat {
  fileprivate var kind: mode_t { st_mode & S_IFMT }

  /// Bytes of a regular file, else 0.
  fileprivate var size: Int { kind == S_IFREG ? Int(st_size) : 0 }

  fileprivate func check(allowingPipe: Bool) throws(InputFile.Refusal) {
    switch kind {
    case S_IFREG: return
    case S_IFDIR: throw .system(EISDIR)
    case S_IFIFO: if !allowingPipe { throw .kind("a pipe") }
    case S_IFSOCK: throw .kind("a socket")
    default: throw .kind("a device")
    }
  }
}

/// Whether a path names a file that the process was given open.
private func isHanded(_ path: String) -> Bool {
  path == "/dev/stdin" || path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/self/fd/")
}
