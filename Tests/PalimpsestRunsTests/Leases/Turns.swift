import Foundation
import TestFixtures

/// Threads of which one runs at a time: at each call of ``wait(_:)`` a seeded die says who goes on, who dies and how much time goes by.
///
/// What is locked here is held for a moment by whoever has the turn, so an interleaving is the same each time it is run.
final class Turns: @unchecked Sendable {
  /// Thrown into a thread that dies.
  struct Killed: Error {}

  private let condition = NSCondition()
  private var random: SplitMix
  private var alive: [Int] = []
  private var turn = -1
  private var stalled: [Int: Double] = [:]
  private let deaths: Double
  private var deathsLeft: Int
  /// Seconds, of the only clock there is.
  private(set) var now = 1000.0

  /// - Parameter deaths: how likely a thread dies at a call, as long as any may.
  init(seed: UInt64, deaths: Double, most: Int) {
    random = SplitMix(seed)
    (self.deaths, deathsLeft) = (deaths, most)
  }

  /// Runs the bodies beside each other until all have ended.
  func run(_ bodies: [() throws -> Void]) -> [(any Error)?] {
    alive = Array(bodies.indices)
    let ends = Ends(count: bodies.count)
    let group = DispatchGroup()
    for (number, body) in bodies.enumerated() {
      group.enter()
      let body = Unchecked(body)
      Thread {
        self.begin(number)
        do { try body.value() } catch { ends.set(number, error) }
        self.end(number)
        group.leave()
      }.start()
    }
    condition.withLock { next() }
    group.wait()
    return ends.errors
  }

  /// A call of a thread that has the turn.
  func wait(_ thread: Int) throws {
    try condition.withLock {
      now += Double(random.next() % 1000) / 1000
      if deathsLeft > 0, random.unit() < deaths {
        deathsLeft -= 1
        throw Killed()
      }
      if random.unit() < 0.02 { stalled[thread] = now + Double(random.next() % 200) }
      if random.unit() < 0.4 || stalled[thread] != nil {
        next()
        while turn != thread { condition.wait() }
      }
    }
  }

  /// Time that work takes.
  func pass(_ seconds: Double) { condition.withLock { now += seconds } }

  private func begin(_ thread: Int) { condition.withLock { while turn != thread { condition.wait() } } }

  private func end(_ thread: Int) {
    condition.withLock {
      alive.removeAll { $0 == thread }
      next()
    }
  }

  /// Called with the lock held.
  private func next() {
    guard !alive.isEmpty else { return }
    var ready = alive.filter { (stalled[$0] ?? 0) <= now }
    if ready.isEmpty {
      now = alive.compactMap { stalled[$0] }.min() ?? now
      ready = alive.filter { (stalled[$0] ?? 0) <= now }
    }
    turn = ready[Int(random.next() % UInt64(ready.count))]
    stalled[turn] = nil
    condition.broadcast()
  }
}

private struct Unchecked: @unchecked Sendable {
  let value: () throws -> Void
  init(_ value: @escaping () throws -> Void) { self.value = value }
}

private final class Ends: @unchecked Sendable {
  private let lock = NSLock()
  private(set) var errors: [(any Error)?]
  init(count: Int) { errors = Array(repeating: nil, count: count) }
  func set(_ number: Int, _ error: any Error) { lock.withLock { errors[number] = error } }
}

struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func unit() -> Double { Double(next() >> 11) / 0x1p53 }
}
