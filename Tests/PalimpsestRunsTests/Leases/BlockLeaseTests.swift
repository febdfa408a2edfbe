import Foundation
import PalimpsestRuns
import Testing

/// The rules of leases one by one, worked by hand on a clock that is set.
@Suite struct BlockLeaseTests {
  final class Clock: @unchecked Sendable { var now = 1000.0 }

  let clock = Clock()
  let shelves: MemoryShelves

  init() {
    let clock = clock
    shelves = MemoryShelves { clock.now }
  }

  private func leases(
    _ task: Int, blocks: Int = 2, start: Int = 0, job: String = "", restart: Int = 0, done: Set<String> = [],
    leavesWord: Bool = false
  ) -> BlockLeases {
    BlockLeases(
      MemoryLeases(shelves: shelves), LeaseHolder(host: "h", process: task, task: task, job: job, restart: restart),
      blocks: blocks, start: start, patience: 60,
      BlockLeases.Journals(own: { ("j\(task)", 0) }, done: { _, _ in done }, leftWord: { _ in leavesWord }))
  }

  private func next(_ leases: inout BlockLeases) throws -> BlockLeases.Next {
    try leases.next { _, done in Array("\(done.count) done".utf8) }
  }

  private func block(_ leases: inout BlockLeases) throws -> HeldBlock {
    guard case .block(let held) = try next(&leases) else { throw Missing() }
    return held
  }

  private struct Missing: Error {}

  @Test func `a worker begins at its own block and goes round`() throws {
    var leases = leases(0, blocks: 3, start: 2)
    #expect(try block(&leases).block == 2)
    #expect(try block(&leases).block == 0)
    #expect(try block(&leases).block == 1)
  }

  @Test func `a block is finished by a marker, and its lease goes`() throws {
    var leases = leases(0, blocks: 1)
    let held = try block(&leases)
    #expect(Array(shelves.leases.keys) == ["0000.0"])
    try leases.finish(held)
    #expect(shelves.leases.isEmpty && Array(shelves.done.keys) == ["0000"])
    #expect(try next(&leases) == .nothing)
    #expect(leases.isAllDone)
  }

  @Test func `a live holder is left alone, one who may be dead is waited for, a dead one has an heir`() throws {
    var (first, second) = (leases(0, blocks: 1), leases(1, blocks: 1))
    let held = try block(&first)
    clock.now += 44
    #expect(try next(&second) == .nothing)
    clock.now += 1
    #expect(try next(&second) == .later)
    clock.now += 14
    #expect(try next(&second) == .later)
    clock.now += 1
    let heir = try block(&second)
    #expect(heir.block == 0 && heir.generation == 1 && heir.silences == 1)
    #expect(try !first.keep(held))
    #expect(try second.keep(heir))
  }

  @Test func `the last but one at work waits for the last, no longer than the patience`() throws {
    var (first, second, stranger) = (leases(0), leases(1, start: 1), leases(2))
    let last = try block(&first)
    try second.finish(block(&second))
    #expect(try next(&second) == .later)
    #expect(try next(&stranger) == .nothing, "who has done nothing goes")
    clock.now += 40
    _ = try first.keep(last)
    #expect(try next(&second) == .later)
    clock.now += 20
    #expect(try next(&second) == .nothing)
    clock.now += 40
    #expect(try block(&second).generation == 1)
  }

  @Test func `beside two that are at work nobody waits`() throws {
    var (first, second, third) = (leases(0, blocks: 3), leases(1, blocks: 3, start: 1), leases(2, blocks: 3, start: 2))
    _ = (try block(&first), try block(&second))
    try third.finish(block(&third))
    #expect(try next(&third) == .nothing)
  }

  @Test func `a touch puts the end of patience off`() throws {
    var (first, second) = (leases(0, blocks: 1), leases(1, blocks: 1))
    let held = try block(&first)
    clock.now += 50
    #expect(try first.keep(held))
    clock.now += 20
    #expect(try next(&second) == .nothing)
  }

  @Test func `what was given back is taken at once and counts as no death`() throws {
    var (first, second) = (leases(0, blocks: 1), leases(1, blocks: 1))
    try first.release(block(&first))
    let heir = try block(&second)
    #expect(heir.generation == 1 && heir.silences == 0)
  }

  @Test func `a task that was started anew has its own blocks at once, another task has not`() throws {
    var first = leases(3, blocks: 1, job: "77")
    _ = try block(&first)
    var stranger = leases(4, blocks: 1, job: "77", restart: 1)
    #expect(try next(&stranger) == .nothing)
    var again = leases(3, blocks: 1, job: "77", restart: 1)
    #expect(try block(&again).generation == 1)
  }

  @Test func `who takes a finished block that looked free gives it up`() throws {
    var (first, second) = (leases(0), leases(1, start: 1))
    let held = try block(&first)
    try second.finish(block(&second))
    try first.finish(held)
    #expect(try next(&first) == .nothing)
    #expect(shelves.made == ["0000.0": 1, "0001.0": 2])
    #expect(shelves.leases.isEmpty && shelves.done.count == 2)
  }

  @Test func `a block that three fell silent over with no run finished is set aside`() throws {
    for task in 0..<3 {
      var worker = leases(task, blocks: 1)
      #expect(try block(&worker).silences == task)
      clock.now += 60
    }
    var fourth = leases(3, blocks: 1)
    #expect(try next(&fourth) == .later)
    #expect(try next(&fourth) == .nothing)
    #expect(shelves.done == ["0000.poison": Array("0 done".utf8)])
    #expect(shelves.leases.isEmpty)
    #expect(fourth.isAllDone)
  }

  @Test func `a run finished in between begins the count anew`() throws {
    for task in 0..<6 {
      var worker = leases(task, blocks: 1, done: Set((0..<task).map { "run \($0)" }))
      #expect(try block(&worker).silences == (task == 0 ? 0 : 1))
      clock.now += 60
    }
  }

  @Test func `deaths that left a word set nothing aside, and the heir knows whose journals to ask`() throws {
    for task in 0..<6 {
      var worker = leases(task, blocks: 1, leavesWord: true)
      let held = try block(&worker)
      #expect(held.silences == 0 && held.journals == (0..<task).map { "j\($0)" })
      clock.now += 60
    }
  }

  @Test func `a damaged lease is taken over like any other`() throws {
    var first = leases(0, blocks: 1)
    _ = try block(&first)
    shelves.leases["0000.0"]?.content = Array("{".utf8)
    clock.now += 60
    var second = leases(1, blocks: 1)
    #expect(try block(&second).generation == 1)
  }

  @Test func `a lease reads back as it was written`() {
    var lease = Lease(
      LeaseHolder(host: "node-1", process: 7, task: 3, thread: 1, job: "35", restart: 2), journal: "a.jsonl", offset: 12
    )
    (lease.finished, lease.silences) = (4, 1)
    #expect(Lease(lease.content) == lease)
    #expect(Lease(Array("{}".utf8)) == nil)
    #expect(Lease([]) == nil)
  }
}
