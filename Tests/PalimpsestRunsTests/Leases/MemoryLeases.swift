import Foundation
import PalimpsestRuns

/// Leases in memory, with a clock of their own, as a file server keeps them.
final class MemoryShelves: @unchecked Sendable {
  struct File {
    var content: [UInt8]
    var touched: Double
  }

  var leases: [String: File] = [:]
  var done: [String: [UInt8]] = [:]
  /// Every name that was ever made, and how often.
  var made: [String: Int] = [:]
  let clock: () -> Double

  init(clock: @escaping () -> Double) { self.clock = clock }
}

/// The files as one thread sees them: before each call `pause` is asked, which may hand the turn on or throw.
struct MemoryLeases: LeaseStore, @unchecked Sendable {
  let shelves: MemoryShelves
  var pause: () throws -> Void = {}
  /// Told of each lease that is made, and what times of leases this thread has seen last.
  var made: (String, [String: Double]) -> Void = { _, _ in }
  private let seen = Seen()

  private final class Seen { var times: [String: Double] = [:] }

  init(
    shelves: MemoryShelves, pause: @escaping () throws -> Void = {},
    made: @escaping (String, [String: Double]) -> Void = { _, _ in }
  ) {
    (self.shelves, self.pause, self.made) = (shelves, pause, made)
  }

  func names(on shelf: LeaseShelf) throws -> [String] {
    try pause()
    return shelf == .leases ? Array(shelves.leases.keys) : Array(shelves.done.keys)
  }

  func create(_ name: String, on shelf: LeaseShelf, _ content: [UInt8]) throws -> Bool {
    try pause()
    if shelf == .leases {
      guard shelves.leases[name] == nil else { return false }
      made(name, seen.times)
      shelves.leases[name] = .init(content: content, touched: shelves.clock())
      shelves.made[name, default: 0] += 1
    } else {
      guard shelves.done[name] == nil else { return false }
      shelves.done[name] = content
    }
    return true
  }

  func exists(_ name: String, on shelf: LeaseShelf) throws -> Bool {
    try pause()
    return shelf == .leases ? shelves.leases[name] != nil : shelves.done[name] != nil
  }

  func read(_ lease: String) throws -> [UInt8]? {
    try pause()
    return shelves.leases[lease]?.content
  }

  func touch(_ lease: String) throws -> Bool {
    try pause()
    guard shelves.leases[lease] != nil else { return false }
    shelves.leases[lease]?.touched = shelves.clock()
    return true
  }

  func expire(_ lease: String) throws {
    try pause()
    shelves.leases[lease]?.touched = 0
  }

  func touched(_ lease: String) throws -> Double? {
    try pause()
    seen.times[lease] = shelves.leases[lease]?.touched
    return seen.times[lease]
  }

  func now() throws -> Double {
    try pause()
    return shelves.clock()
  }

  func mark(_ lease: String, done marker: String) throws -> Bool {
    try pause()
    guard let file = shelves.leases[lease] else { return false }
    if shelves.done[marker] == nil { shelves.done[marker] = file.content }
    return true
  }

  func remove(_ lease: String) throws {
    try pause()
    shelves.leases[lease] = nil
  }
}
