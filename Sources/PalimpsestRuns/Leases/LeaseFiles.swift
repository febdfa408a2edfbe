import Foundation
import PalimpsestJSON
import Synchronization

/// Leases as files, on any file system with hard links: NFS 3 and later, Lustre, a disk.
///
/// A name is made by `link` from a private file, times are set and read on the server, and there is no lock, no rename and no shared
/// append. What is answered by `ESTALE` is asked again for five seconds.
package final class LeaseFiles: LeaseStore {
  private let leases: String
  private let done: String
  /// A file of this object alone, whose time is the server's clock. Names with a dot in front are no leases.
  private let clock: String
  private let hasClock = Mutex(false)

  /// Makes no file before one is asked for.
  package init(_ output: ResultsFolder, launch: Int) {
    leases = output.leaseFolder(launch)
    done = output.doneFolder(launch)
    clock = "\(leases)/.\(Files.hostName).\(getpid()).\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }

  deinit { if hasClock.withLock({ $0 }) { SystemCalls.unlink(clock) } }

  private func path(_ name: String, _ shelf: LeaseShelf) -> String { (shelf == .leases ? leases : done) + "/" + name }

  /// - Throws: ``FileError`` where there is no such folder: it was there when the launch was made.
  package func names(on shelf: LeaseShelf) throws -> [String] {
    let folder = shelf == .leases ? leases : done
    guard let names = patiently({ SystemCalls.names(in: folder) }) else {
      throw FileError.system(.unwritable, "list", folder)
    }
    return names.filter { !$0.hasPrefix(".") }
  }

  package func create(_ name: String, on shelf: LeaseShelf, _ content: [UInt8]) throws -> Bool {
    let path = path(name, shelf)
    let own = Files.temporaryPath("\(leases)/.")
    let descriptor = SystemCalls.create(own)
    guard descriptor >= 0 else { throw FileError.system(.unwritable, "write", own) }
    defer { SystemCalls.unlink(own) }
    let written = SystemCalls.write(descriptor, content)
    guard close(descriptor) == 0, written == content.count else {
      throw FileError.system(.unwritable, "write", own, written == content.count || written < 0 ? errno : ENOSPC)
    }
    if SystemCalls.link(own, path) == 0 { return true }
    let code = errno
    // The answer to a link that was made may be lost, and asked again it says that the name is taken.
    if SystemCalls.names(of: own) > 1 { return true }
    if code == EEXIST { return false }
    throw FileError.system(.unwritable, "make", path, code)
  }

  package func exists(_ name: String, on shelf: LeaseShelf) throws -> Bool {
    try touched(path: path(name, shelf)) != nil
  }

  package func read(_ lease: String) throws -> [UInt8]? {
    do throws(FileError) {
      return try Files.read(path(lease, .leases), atMost: 1 << 20)
    } catch {
      if error.kind == .missing || SystemCalls.status(path(lease, .leases)) == nil { return nil }
      throw error
    }
  }

  package func touch(_ lease: String) throws -> Bool { try change(lease, SystemCalls.touch) }

  package func expire(_ lease: String) throws { _ = try change(lease, SystemCalls.backdate) }

  private func change(_ lease: String, _ call: (String) -> Int32) throws -> Bool {
    let path = path(lease, .leases)
    if patiently({ call(path) == 0 ? true : nil }) != nil { return true }
    if errno == ENOENT { return false }
    throw FileError.system(.unwritable, "touch", path)
  }

  package func touched(_ lease: String) throws -> Double? { try touched(path: path(lease, .leases)) }

  private func touched(path: String) throws -> Double? {
    let time = patiently {
      let time = SystemCalls.changedExactly(path)
      return time >= 0 ? time : nil
    }
    if time == nil && errno != ENOENT { throw FileError.system(.unreadable, "read", path) }
    return time
  }

  package func now() throws -> Double {
    try hasClock.withLock { hasClock in
      if !hasClock {
        let descriptor = SystemCalls.create(clock)
        guard descriptor >= 0 else { throw FileError.system(.unwritable, "write", clock) }
        close(descriptor)
        hasClock = true
      }
    }
    guard SystemCalls.touch(clock) == 0 else { throw FileError.system(.unwritable, "touch", clock) }
    guard let now = try touched(path: clock) else { throw FileError.system(.unwritable, "read", clock, ENOENT) }
    return now
  }

  package func mark(_ lease: String, done marker: String) throws -> Bool {
    let path = path(marker, .done)
    if SystemCalls.link(self.path(lease, .leases), path) == 0 { return true }
    let code = errno
    if code == EEXIST { return true }
    if code == ENOENT, try names(on: .leases).allSatisfy({ $0 != lease }) { return false }
    throw FileError.system(.unwritable, "make", path, code)
  }

  package func remove(_ lease: String) throws { SystemCalls.unlink(path(lease, .leases)) }

  /// Asks again where the server has forgotten a file that was listed.
  private func patiently<Value>(_ call: () -> Value?) -> Value? {
    for attempt in 0..<50 {
      if let value = call() { return value }
      if errno != ESTALE { return nil }
      if attempt < 49 { Thread.sleep(forTimeInterval: 0.1) }
    }
    return nil
  }
}
