import Foundation
import PalimpsestRuns
import Testing

/// What holds for leases whatever happens: several workers on a folder in memory, which take turns at every call of a file, die at
/// any of them, and stand still for longer than the patience. Each interleaving follows from its seed.
@Suite struct LeaseLaws {
  static let patience = 60.0

  /// A folder, its journals and who works on it.
  final class World: @unchecked Sendable {
    let turns: Turns
    let shelves: MemoryShelves
    let blocks: Int
    /// Runs of a block.
    let size = 2
    /// Journals by name: the runs in them.
    var journals: [String: [String]] = [:]
    /// Broken laws, in words.
    var broken: [String] = []

    init(seed: UInt64, blocks: Int, deaths: Int) {
      turns = Turns(seed: seed, deaths: 0.01, most: deaths)
      self.blocks = blocks
      let turns = turns
      shelves = MemoryShelves { turns.now }
    }

    /// Blocks that are neither done nor set aside.
    var open: Int {
      (0..<blocks).count { shelves.done["000\($0)"] == nil && shelves.done["000\($0).poison"] == nil }
    }

    func runs(_ block: Int) -> [String] { (0..<size).map { "\(block)/\($0)" } }

    func leases(_ worker: Int, restart: Int, thread: Int) -> (BlockLeases, MemoryLeases) {
      let name = "w\(worker).\(restart)"
      let holder = LeaseHolder(host: "h", process: worker, task: worker, job: "7", restart: restart)
      let store = MemoryLeases(
        shelves: shelves, pause: { [turns] in try turns.wait(thread) },
        made: { [self] name, seen in checkTaken(name, by: holder, seen: seen) })
      let journals = BlockLeases.Journals(
        own: { [self] in (name, self.journals[name, default: []].count) },
        done: { [self] block, earlier in
          let written = earlier.flatMap { lease in self.journals[lease.journal, default: []].dropFirst(lease.offset) }
          return Set(written).intersection(runs(block))
        })
      let start = worker * blocks / 3
      return (
        BlockLeases(store, holder, blocks: blocks, start: start, patience: LeaseLaws.patience, journals), store
      )
    }

    /// A block is taken over from who was silent for the patience when the heir looked, has given it back, or was this very task. A holder
    /// that comes back between the look and the link sees the heir at its next touch.
    func checkTaken(_ name: String, by holder: LeaseHolder, seen: [String: Double]) {
      let halves = name.split(separator: ".")
      guard let generation = Int(halves[1]), generation > 0 else { return }
      let before = "\(halves[0]).\(generation - 1)"
      guard let file = shelves.leases[before], let lease = Lease(file.content) else { return }
      let age = turns.now - (seen[before] ?? file.touched)
      let isOwn = lease.holder.task == holder.task && lease.holder.restart < holder.restart
      if age < LeaseLaws.patience && !isOwn { broken.append("\(name) was taken over after \(age) s") }
    }

    /// Work until nothing is left, as ``BlockWork`` does.
    func work(_ worker: Int, restart: Int = 0, thread: Int? = nil, mayRelease: Bool) throws {
      var (leases, store) = self.leases(worker, restart: restart, thread: thread ?? worker)
      let journal = "w\(worker).\(restart)"
      var taken = 0
      while true {
        switch try leases.next(poisoned: { _, _ in [] }) {
        case .nothing: return
        case .later: turns.pass(1)
        case .block(let held):
          taken += 1
          var isMine = true
          for run in runs(held.block) where isMine && !held.done.contains(run) {
            turns.pass(5)
            try store.pause()
            journals[journal, default: []].append(run)
            isMine = try leases.keep(held)
            if isMine { checkAlone(held) }
          }
          if !isMine { continue }
          if mayRelease && taken == 2 { return try leases.release(held) }
          try leases.finish(held)
        }
      }
    }

    /// Who was told that a block is its own has no heir at that moment.
    func checkAlone(_ held: HeldBlock) {
      let heir = String(repeating: "0", count: 3) + "\(held.block).\(held.generation + 1)"
      if shelves.leases[heir] != nil { broken.append("\(heir) and the one before both hold") }
    }

    /// Every block is done, and each of its runs in some journal, unless three fell silent over it.
    func check() -> [String] {
      let written = Set(journals.values.joined())
      for block in 0..<blocks where shelves.done["000\(block).poison"] == nil {
        if shelves.done["000\(block)"] == nil { broken.append("block \(block) is not done") }
        for run in runs(block) where !written.contains(run) { broken.append("run \(run) is lost") }
      }
      for (name, count) in shelves.made where count > 1 {
        let block = name.prefix(4)
        let isOver = shelves.done[String(block)] != nil || shelves.done[block + ".poison"] != nil
        if !isOver { broken.append("\(name) was free again") }
      }
      return broken
    }
  }

  private func interleave(_ seed: UInt64) -> [String] {
    let world = World(seed: seed, blocks: 3, deaths: Int(seed % 4))
    let errors = world.turns.run(
      (0..<3).map { worker in
        { try world.work(worker, mayRelease: worker == 0 && seed % 5 == 0) }
      })
    var broken = errors.compactMap { $0 }.filter { !($0 is Turns.Killed) }.map { "\($0)" }
    // The engine starts those anew that died; one of them dies no more.
    world.turns.pass(seed % 2 == 0 ? 100 : 0)
    for attempt in 1...6 where world.open > 0 {
      let ends = world.turns.run([{ try world.work(1, restart: attempt, thread: 0, mayRelease: false) }])
      broken += ends.compactMap { $0 }.filter { !($0 is Turns.Killed) }.map { "\($0)" }
      world.turns.pass(LeaseLaws.patience)
    }
    return broken + world.check()
  }

  /// Ten thousand interleavings of three workers.
  @Test func `each block is done, no two hold one, nothing is lost`() {
    for seed in 0..<UInt64(10_000) {
      let broken = interleave(seed)
      #expect(broken == [], "seed \(seed)")
      if !broken.isEmpty { return }
    }
  }

  @Test func `the same seed is the same interleaving`() {
    func journals(_ seed: UInt64) -> [String: [String]] {
      let world = World(seed: seed, blocks: 3, deaths: 2)
      _ = world.turns.run((0..<3).map { worker in { try world.work(worker, mayRelease: false) } })
      return world.journals
    }
    for seed in 0..<UInt64(20) { #expect(journals(seed) == journals(seed)) }
    #expect(Set((0..<UInt64(20)).map { journals($0).description }).count > 10)
  }
}
