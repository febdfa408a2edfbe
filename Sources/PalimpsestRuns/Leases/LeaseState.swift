import Foundation
import PalimpsestJSON

/// A block of a launch that somebody has taken, or finished: what the files say.
public struct LeaseState: Sendable, Equatable {
  public var block: Int
  /// Of the latest lease; 0 where a finished block has none.
  public var generation = 0
  /// Who took it; empty where a finished block has no lease.
  public var host = ""
  public var process = 0
  public var task = 0
  public var job = ""
  /// Seconds since the holder was last heard of, by the file server's clock; infinite where the block was given back.
  public var age = 0.0
  public var isDone = false
  /// It was set aside: holder after holder fell silent over it.
  public var isPoisoned = false

  /// A block that is nobody's and not finished.
  public init(block: Int) { self.block = block }
}

extension ResultsFolder {
  /// Blocks that are taken or finished, by number; the others are free.
  ///
  /// - Cost: reads the two folders and a file for each block in hand.
  /// - Throws: ``PalimpsestJSON/FileError`` where a folder cannot be read.
  public func leases(ofLaunch number: Int) throws -> [LeaseState] {
    let store = LeaseFiles(self, launch: number)
    var states: [Int: LeaseState] = [:]
    for name in try Files.names(in: leaseFolder(number)) {
      guard let (block, generation) = LeaseName.parse(lease: name) else { continue }
      if states[block].map({ $0.generation < generation }) ?? true {
        states[block] = LeaseState(block: block)
        states[block]?.generation = generation
      }
    }
    // Where nothing may be written the clock of this machine will do.
    let now = states.isEmpty ? 0 : (try? store.now()) ?? Date().timeIntervalSince1970
    for block in states.keys { states[block]?.read(store, at: now) }
    for name in try Files.names(in: doneFolder(number)) {
      guard let (block, isPoison) = LeaseName.parse(marker: name) else { continue }
      states[block, default: LeaseState(block: block)].isDone = true
      if isPoison { states[block]?.isPoisoned = true }
    }
    return states.values.sorted { $0.block < $1.block }
  }

  /// Blocks that are finished or set aside.
  func finishedBlocks(ofLaunch number: Int) throws(FileError) -> Set<Int> {
    Set(try Files.names(in: doneFolder(number)).compactMap { LeaseName.parse(marker: $0)?.block })
  }
}

extension LeaseState {
  /// A lease that goes meanwhile says nothing.
  fileprivate mutating func read(_ store: LeaseFiles, at now: Double) {
    let name = LeaseName.lease(block, generation)
    if let lease = try? store.read(name).flatMap({ Lease($0) }) {
      (host, process) = (lease.holder.host, lease.holder.process)
      (task, job) = (lease.holder.task, lease.holder.job)
    }
    guard let touched = try? store.touched(name) else { return }
    age = touched == 0 ? .infinity : max(0, now - touched)
  }
}
