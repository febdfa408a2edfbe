import Foundation

/// The system calls around a child process. Paths and buffers are handed over for the length of the call.
enum ChildCalls {
  /// Two sockets that belong to each other and to no program started later.
  static func socketPair() -> Result<(Int32, Int32), POSIXError> {
    var ends: [Int32] = [-1, -1]
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return .failure(lastError) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var on: Int32 = 1
      _ = unsafe setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
    #endif
    return .success((ends[0], ends[1]))
  }

  /// Starts a program with `input` for standard input, neither output nor error, and all signals as they are by default.
  static func spawn(_ path: String, _ arguments: [String], input: Int32) -> Result<pid_t, POSIXError> {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = unsafe posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    unsafe posix_spawn_file_actions_init(&actions)
    unsafe posix_spawnattr_init(&attributes)
    defer {
      unsafe posix_spawn_file_actions_destroy(&actions)
      unsafe posix_spawnattr_destroy(&attributes)
    }
    unsafe posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      unsafe posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    var (none, all) = (sigset_t(), sigset_t())
    unsafe sigemptyset(&none)
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
    var process: pid_t = 0
    let code = unsafe withCStrings(arguments) { arguments in
      unsafe withCStrings(environment) { unsafe posix_spawn(&process, path, &actions, &attributes, arguments, $0) }
    }
    return code == 0 ? .success(process) : .failure(POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO))
  }

  /// Waits for the end of a process. One that somebody else has waited for counts as ended well.
  static func wait(for process: pid_t) -> ReadingStatus {
    var status: Int32 = 0
    while unsafe waitpid(process, &status, 0) < 0 { if errno != EINTR { return .code(0) } }
    let signal = status & 0x7F
    return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
  }

  private static var lastError: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

  /// C's form of a list of texts, ended by a null.
  private static func withCStrings<R>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R
  ) -> R {
    let copies = unsafe texts.map { unsafe strdup($0) }
    defer { unsafe copies.forEach { unsafe free($0) } }
    return unsafe body(copies + [nil])
  }
}

// MARK: - Talking

extension ChildCalls {
  #if canImport(Darwin)
    private static let quiet = Int32(MSG_DONTWAIT)
  #else
    private static let quiet = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
  #endif

  /// Sends all bytes, then takes what comes until the other side closes. One that closes earlier is heard all the same.
  ///
  /// - Returns: nil where that lasts beyond `end`.
  static func exchange(_ socket: Int32, _ bytes: [UInt8], until end: ContinuousClock.Instant) -> [UInt8]? {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe send(socket, bytes.baseAddress?.advanced(by: sent), bytes.count - sent, quiet)
      }
      if count >= 0 { sent += count } else if !mayGoOn { break }
      if count < 0, !wait(for: socket, POLLOUT, until: end) { return nil }
    }
    shutdown(socket, Int32(SHUT_WR))
    return receive(socket, until: end)
  }

  private static func receive(_ socket: Int32, until end: ContinuousClock.Instant) -> [UInt8]? {
    var answer: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      guard wait(for: socket, POLLIN, until: end) else { return nil }
      let count = unsafe part.withUnsafeMutableBytes { unsafe recv(socket, $0.baseAddress, $0.count, quiet) }
      if count > 0 { answer.append(contentsOf: part[..<count]) } else if count == 0 || !mayGoOn { return answer }
    }
  }

  /// After a failed call: nothing is wrong but that it must be tried again.
  private static var mayGoOn: Bool { errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR }

  /// False once it is too late.
  private static func wait(for socket: Int32, _ event: some BinaryInteger, until end: ContinuousClock.Instant) -> Bool {
    let left = ContinuousClock.now.duration(to: end)
    guard left > .zero else { return false }
    var waiting = pollfd(fd: socket, events: Int16(event), revents: 0)
    _ = unsafe poll(&waiting, 1, Int32(min(1000, left / .milliseconds(1) + 1)))
    return true
  }

  /// Everything up to the end; also what there is before an error.
  static func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = unsafe part.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { bytes.append(contentsOf: part[..<count]) } else if count == 0 || errno != EINTR { return bytes }
    }
  }

  static func writeAll(_ descriptor: Int32, _ bytes: [UInt8]) {
    var written = 0
    while written < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe write(descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count >= 0 { written += count } else if errno != EINTR { return }
    }
  }
}

// MARK: - Limits

extension ChildCalls {
  /// A crash that was reckoned with leaves no file behind.
  static func forbidCoreFiles() { set(RLIMIT_CORE, 0) }

  /// Limits what this process may take from here on. Memory is limited beside what it has already, where the system tells.
  static func limit(processorSeconds: Int, memory: Int) {
    set(RLIMIT_CPU, processorSeconds)
    #if os(Linux)
      let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.prefix { $0 != " " }
      if let pages = pages.flatMap({ Int($0) }) { set(RLIMIT_AS, pages * Int(getpagesize()) + memory) }
    #endif
  }

  #if canImport(Darwin)
    private typealias Resource = Int32
  #else
    private typealias Resource = __rlimit_resource
  #endif

  /// Never above what was allowed before.
  private static func set(_ resource: Resource, _ value: Int) {
    var limit = rlimit()
    #if canImport(Darwin)
      guard unsafe getrlimit(resource, &limit) == 0 else { return }
    #else
      guard unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return }
    #endif
    limit.rlim_cur = min(limit.rlim_max, rlim_t(value))
    #if canImport(Darwin)
      _ = unsafe setrlimit(resource, &limit)
    #else
      _ = unsafe setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
    #endif
  }
}
