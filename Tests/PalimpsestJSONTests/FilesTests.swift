import Foundation
import PalimpsestJSON
import Synchronization
import TestFixtures
import Testing

@Suite struct FilesTests {
  @Test func `a file is replaced as a whole and nothing is left beside it`() throws {
    let folder = try TemporaryFolder()
    try Files.replace(folder("a.json"), with: "old")
    try Files.replace(folder("a.json"), with: "new")
    #expect(try Files.read(folder("a.json")) == Array("new".utf8))
    try Files.replace(folder("empty"), with: "")
    #expect(try Files.read(folder("empty")) == [])
    #expect(folder.names == ["a.json", "empty"])
  }

  @Test func `of many that make a file at once one does, and its content is whole`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b", "c", "d"] {
      let makers = Mutex<[Int]>([])
      DispatchQueue.concurrentPerform(iterations: 16) { number in
        let text = String(repeating: "\(number % 10)", count: 1000 + number)
        if (try? Files.create(folder(name), with: text)) == true { makers.withLock { $0.append(number) } }
      }
      let made = makers.withLock { $0 }
      #expect(made.count == 1)
      #expect(try Files.read(folder(name)).count == 1000 + made[0])
    }
    #expect(folder.names == ["a", "b", "c", "d"])
  }

  @Test func `a folder that is missing is named`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: FileError.self) { try Files.replace(folder("none/a.json"), with: "x") }
    #expect(error?.kind == .unwritable)
    #expect(
      error?.description == "\(folder("none/a.json")): cannot write: No such file or directory")
  }

  /// A read-only folder does not stop a superuser; a file in the place of a folder stops everybody.
  @Test func `a file in the place of a folder is named`() throws {
    let folder = try TemporaryFolder()
    try Files.replace(folder("file"), with: "x")
    let replacing = #expect(throws: FileError.self) { try Files.replace(folder("file/a.json"), with: "x") }
    #expect(replacing?.description == "\(folder("file/a.json")): cannot write: Not a directory")
    let making = #expect(throws: FileError.self) { try Files.makeFolder(folder("file/journal")) }
    #expect(making?.kind == .unwritable)
    #expect(making?.description == "\(folder("file/journal")): cannot make the folder: Not a directory")
  }

  @Test(.enabled(if: getuid() != 0)) func `a read-only folder is named and the old file stays`() throws {
    let folder = try TemporaryFolder()
    try Files.replace(folder("a.json"), with: "old")
    try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
    let error = #expect(throws: FileError.self) { try Files.replace(folder("a.json"), with: "new") }
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
    #expect(error?.description == "\(folder("a.json")): cannot write: Permission denied")
    #expect(try Files.read(folder("a.json")) == Array("old".utf8))
  }

  /// Names that were once all there was to guess, as files and as links to a file of somebody else's.
  @Test func `what lies at names that can be guessed is neither opened nor removed`() throws {
    let folder = try TemporaryFolder()
    try Files.replace(folder("victim"), with: "mine")
    let guess = ".tmp.\(Files.hostName).\(getpid())"
    for name in ["a.json", "b.json", "c.json.1", "d.json"] {
      try FileManager.default.createSymbolicLink(atPath: folder(name + guess), withDestinationPath: folder("victim"))
    }
    let planted = folder.names
    try Files.replace(folder("a.json"), with: "new")
    #expect(try Files.create(folder("c.json"), with: "new"))
    #expect(folder.names == (planted + ["a.json", "c.json"]).sorted())
    #expect(try Files.read(folder("victim")) == Array("mine".utf8))
    #expect(Set((0..<100).map { _ in Files.temporaryPath("a") }).count == 100)
  }

  @Test func `a new file has the mode that the umask leaves`() throws {
    let folder = try TemporaryFolder()
    let mask = umask(0)
    _ = umask(mask)
    try Files.replace(folder("a"), with: "x")
    #expect(try Files.create(folder("b"), with: "x"))
    for name in ["a", "b"] {
      let mode = try FileManager.default.attributesOfItem(atPath: folder(name))[.posixPermissions] as? NSNumber
      #expect(mode?.intValue == Int(0o666 & ~mask))
    }
  }

  @Test func `a link leads to the file, on other folders too, and even where nothing is yet`() throws {
    let folder = try TemporaryFolder()
    try Files.makeFolder(folder("other"))
    func link(_ name: String, to target: String) throws {
      try FileManager.default.createSymbolicLink(atPath: folder(name), withDestinationPath: target)
    }
    try link("a", to: "b")
    try link("b", to: folder("other/c"))
    try link("d", to: "d")
    #expect(try Files.destination(of: folder("plain")) == folder("plain"))
    #expect(try Files.destination(of: folder("a")) == folder("other/c"))
    try Files.replace(Files.destination(of: folder("a")), with: "x")
    #expect(try Files.read(folder("a")) == Array("x".utf8))
    #expect(folder.names == ["a", "b", "d", "other"])
    #expect(throws: FileError(.unwritable, "\(folder("d")): cannot follow: Too many levels of symbolic links")) {
      try Files.destination(of: folder("d"))
    }
  }

  /// Only a superuser can give a link away.
  @Test(.enabled(if: getuid() == 0)) func `a link of another user is not followed`() throws {
    let folder = try TemporaryFolder()
    try Files.replace(folder("victim"), with: "mine")
    try FileManager.default.createSymbolicLink(atPath: folder("a"), withDestinationPath: "victim")
    try #require(unsafe lchown(folder("a"), 65534, 65534) == 0)
    #expect(
      throws: FileError(
        .unwritable, "\(folder("a")): cannot write: this link belongs to another user and is not followed")
    ) { try Files.destination(of: folder("a")) }
  }

  @Test func `a pipe is not replaced by a file`() throws {
    let folder = try TemporaryFolder()
    try #require(unsafe mkfifo(folder("pipe"), 0o600) == 0)
    #expect(
      throws: FileError(
        .unwritable, "\(folder("pipe")): cannot replace: this is no file but a device, a pipe or a socket")
    ) { try Files.replace(folder("pipe"), with: "x") }
    #expect(folder.names == ["pipe"])
  }

  @Test func `a folder in the place of the file is named and no temporary file stays`() throws {
    let folder = try TemporaryFolder()
    try Files.makeFolder(folder("a.json"))
    let error = #expect(throws: FileError.self) { try Files.replace(folder("a.json"), with: "new") }
    #expect(error?.description == "\(folder("a.json")): cannot replace: Is a directory")
    #expect(folder.names == ["a.json"])
  }

  @Test func `what cannot be read says why`() throws {
    let folder = try TemporaryFolder()
    let missing = #expect(throws: FileError.self) { try Files.read(folder("none")) }
    #expect(missing?.kind == .missing)
    #expect(missing?.description == "\(folder("none")): cannot read: No such file or directory")
    let unreadable = #expect(throws: FileError.self) { try Files.read(folder.path) }
    #expect(unreadable?.kind == .unreadable)
    #expect(unreadable?.description == "\(folder.path): cannot read: Is a directory")
  }
}
