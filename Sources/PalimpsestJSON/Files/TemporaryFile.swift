import Foundation

/// The new content of a file until it takes the place of the old one: `NAME.tmp.<host>.<pid>.<random>` beside it. Gone when
/// it is out of use, whatever happened.
///
/// Nobody can guess the name, and what has it already, a link too, is never opened. Its owner's host and process tell who
/// may take it away once that process has died.
struct TemporaryFile: ~Copyable {
  let path: String
  /// What errors name.
  private let target: String
  private let descriptor: Int32

  /// - Throws: ``FileError`` where no file can be made beside `target`.
  init(for target: String) throws(FileError) {
    self.target = target
    (path, descriptor) = try TemporaryFile.create(for: target)
  }

  deinit {
    close(descriptor)
    SystemCalls.unlink(path)
  }

  /// Of 2^64 names one that is taken is met by bad luck alone, and never several times in a row.
  private static func create(for target: String) throws(FileError) -> (path: String, descriptor: Int32) {
    for _ in 0..<8 {
      let path = Files.temporaryPath(target)
      let descriptor = SystemCalls.create(path)
      if descriptor >= 0 { return (path, descriptor) }
      if errno != EEXIST { break }
    }
    throw .system(.unwritable, "write", target)
  }

  /// Adds bytes to the new content.
  func append(_ bytes: [UInt8]) throws(FileError) {
    var written = 0
    while written < bytes.count {
      let count = SystemCalls.write(descriptor, bytes, from: written)
      guard count > 0 else { throw .system(.unwritable, "write", target) }
      written += count
    }
  }

  /// Forces the new content to the disk.
  func sync() throws(FileError) {
    guard fsync(descriptor) == 0 else { throw .system(.unwritable, "write", target) }
  }
}

extension Files {
  /// This machine, without its domain.
  package static let hostName = ProcessInfo.processInfo.hostName.prefix { $0 != "." }.description

  /// A name for the new content of a file, another one each time.
  package static func temporaryPath(_ path: String, process: Int = Int(getpid())) -> String {
    "\(path).tmp.\(Files.hostName).\(process).\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }
}
