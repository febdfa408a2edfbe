import Foundation
import PalimpsestJSON
import PalimpsestRuns
import TestFixtures
import Testing

/// The files of leases do what the ones in memory do.
@Suite struct LeaseFileTests {
  let folder: TemporaryFolder
  let results: ResultsFolder
  let store: LeaseFiles

  init() throws {
    folder = try TemporaryFolder()
    results = ResultsFolder(folder("r"))
    for path in [results.leaseFolder(1), results.doneFolder(1)] { try Files.makeFolder(path) }
    store = LeaseFiles(results, launch: 1)
  }

  @Test func `a name is made once, with its content`() throws {
    #expect(try store.create("0000.0", on: .leases, [1, 2]))
    #expect(try !store.create("0000.0", on: .leases, [3]))
    #expect(try store.read("0000.0") == [1, 2])
    #expect(try store.read("0001.0") == nil)
    #expect(try store.names(on: .leases) == ["0000.0"])
    #expect(try store.exists("0000.0", on: .leases) && !store.exists("0000", on: .done))
  }

  @Test func `times are the server's, and 0 where a lease was given back`() throws {
    _ = try store.create("0000.0", on: .leases, [])
    #expect(try store.touch("0000.0"))
    let (touched, now) = (try #require(try store.touched("0000.0")), try store.now())
    #expect(now >= touched && now - touched < 5)
    try store.expire("0000.0")
    #expect(try store.touched("0000.0") == 0)
    #expect(try !store.touch("0001.0"))
    #expect(try store.touched("0001.0") == nil)
  }

  @Test func `a marker outlives its lease`() throws {
    _ = try store.create("0000.0", on: .leases, [7])
    #expect(try store.mark("0000.0", done: "0000"))
    #expect(try store.mark("0000.0", done: "0000"))
    try store.remove("0000.0")
    try store.remove("0000.0")
    #expect(try store.names(on: .done) == ["0000"] && store.names(on: .leases) == [])
    #expect(try !store.mark("0001.0", done: "0001"))
  }

  @Test func `a folder that is gone is told`() throws {
    try FileManager.default.removeItem(atPath: results.leaseFolder(1))
    let error = #expect(throws: FileError.self) { try store.names(on: .leases) }
    #expect(error?.description == "\(results.leaseFolder(1)): cannot list: No such file or directory")
    #expect(error?.kind == .unwritable)
  }

  /// Threads that all go for the same names: each is made by one.
  @Test func `of many that ask for a name one gets it`() async throws {
    let results = results
    let made = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          let store = LeaseFiles(results, launch: 1)
          return try (0..<50).reduce(0) { try $0 + (store.create("\(1000 + $1).0", on: .leases, []) ? 1 : 0) }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(made == 50)
  }
}
