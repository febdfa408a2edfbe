import Foundation
import PalimpsestCube
import PalimpsestJSON
import PalimpsestRuns
import Testing

/// One collect at a time: who holds the lock, and when it counts no more.
struct CollectLockTests {
  let sweep: CubeSweep
  var folder: ResultsFolder { sweep.folder }
  var file: String { folder.folder + "/collect.lock" }

  init() throws { sweep = try CubeSweep(strategies: [("naive", "[]")], seeds: [7]) }

  /// Writes a lock as another process would.
  func hold(_ process: Int, on host: String = Provenance.hostName, ago seconds: Double = 0) throws {
    try Files.replace(file, with: #"{"host":"\#(host)","process":\#(process)}"#)
    try FileManager.default.setAttributes([.modificationDate: Date.now - seconds], ofItemAtPath: file)
  }

  func isFree() -> Bool {
    guard let lock = CollectLock(folder, patience: 0) else { return false }
    lock.release()
    return true
  }

  /// A process that has ended.
  static func dead() throws -> Int {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["true"]
    try process.run()
    process.waitUntilExit()
    return Int(process.processIdentifier)
  }

  @Test func `one has it until it is released`() throws {
    let first = try #require(CollectLock(folder, patience: 0))
    #expect(CollectLock(folder, patience: 0) == nil)
    first.release()
    #expect(!Files.exists(file))
    #expect(isFree())
  }

  @Test func `that of a living process counts, that of a dead one does not`() throws {
    try hold(Int(getppid()))
    let before = try Files.read(file)
    #expect(!isFree())
    #expect(try Files.read(file) == before)
    try hold(CollectLockTests.dead())
    #expect(isFree())
  }

  /// The number of a dead process may go to another program.
  @Test(.enabled(if: Files.exists("/proc/self/stat"))) func `that of a process whose number another has now does not`()
    throws
  {
    let parent = Int(getppid())
    let began = try #require(Processes.started(parent))
    let lock = #"{"host":"\#(Provenance.hostName)","process":\#(parent),"started":"#
    try Files.replace(file, with: lock + "\"\(began)\"}")
    #expect(!isFree())
    try Files.replace(file, with: lock + "\"\(began)1\"}")
    #expect(isFree())
  }

  @Test func `who is waited for is told after a second, and that it was given up`() throws {
    try hold(Int(getppid()))
    var said: [String] = []
    #expect(CollectLock(folder, patience: 1.2) { said.append($0) } == nil)
    #expect(
      said == [
        "\(file): process \(getppid()) on \(Provenance.hostName) is making the .h5 file; waiting for it, 1.2 s at most",
        "\(file): it is still held; going on without it",
      ])
  }

  @Test func `of processes elsewhere only the age is known`() throws {
    try hold(CollectLockTests.dead(), on: "elsewhere", ago: 300)
    #expect(!isFree())
    try hold(Int(getppid()), on: "elsewhere", ago: 601)
    #expect(isFree())
  }

  @Test func `a file that is no lock counts until it is old`() throws {
    try Files.replace(file, with: "{")
    #expect(!isFree())
    try FileManager.default.setAttributes([.modificationDate: Date.now - 601], ofItemAtPath: file)
    #expect(isFree())
  }

  @Test func `a folder in which none can be made is done without`() throws {
    let nowhere = ResultsFolder(folder.folder + "/plan.json/x")
    #expect(CollectLock(nowhere, patience: 60) == nil)
  }

  @Test func `a collect waits for the one at work, and leaves no lock behind`() throws {
    let lock = try #require(CollectLock(folder, patience: 0))
    var told = 0
    try folder.collect(origin: .ada) { _ in
      told += 1
      #expect(!Files.exists(folder.cube))
      lock.release()
    }
    #expect(told == 1)
    #expect(Files.exists(folder.cube))
    #expect(!Files.exists(file))
  }

  @Test func `a collect that fails leaves no lock behind`() throws {
    try Files.makeFolder(folder.cube)
    #expect(throws: FileError.self) { try folder.collect(origin: .ada) }
    #expect(!Files.exists(file))
  }
}
