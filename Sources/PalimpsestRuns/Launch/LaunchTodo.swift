import PalimpsestExperiments
import PalimpsestJSON

/// What a launch is to do (`launch/N.todo`): the plan without its runs' ids, and blocks of places in it.
///
/// A place is configuration × seeds + seed, counted from 0. The file is binary, little-endian, and never changed:
///
///     "PLMPTODO", format, bytes of the plan, blocks, runs      8 bytes, 4 × UInt32
///     the plan                                                  sealed JSON
///     runs of each block; CRC-32 of their ids                   blocks × UInt32, twice
///     places, block by block                                    runs × UInt32
///     CRC-32 of all before                                      UInt32
///
/// - Memory: its bytes; a block's places are made when they are asked for.
package struct LaunchTodo: Sendable {
  package let plan: StoredPlan
  package let blocks: Int
  package let runs: Int
  private let bytes: [UInt8]
  /// Where the words of each table begin.
  private let lengths: Int
  private let checks: Int
  private let places: Int
  /// Of each block's first place, and one behind the last.
  private let starts: [Int32]

  private static let magic = Array("PLMPTODO".utf8)
  private static let head = 24
  package static let format = 1
  /// More are not made.
  package static let mostBlocks = 50_000

  /// - Parameters:
  ///   - blocks: places in the plan, each at most once.
  ///   - id: of the run at a place.
  package static func bytes(_ plan: StoredPlan, _ blocks: [[Int]], id: (Int) -> String) -> [UInt8] {
    let plan = plan.pinned.json
    var out = magic
    for number in [format, plan.count, blocks.count, blocks.reduce(0) { $0 + $1.count }] { out.append(word: number) }
    out += plan
    for block in blocks { out.append(word: block.count) }
    for block in blocks { out.append(word: Int(check(block.map(id)))) }
    for block in blocks { for place in block { out.append(word: place) } }
    out.append(word: Int(CRC32.checksum(out[...])))
    return out
  }

  /// - Throws: ``PalimpsestJSON/Problems`` where the bytes are not as they were written.
  package init(_ bytes: [UInt8], file: String) throws(Problems) {
    func word(_ offset: Int) -> Int { bytes.word(at: offset) }
    guard bytes.count >= LaunchTodo.head + 4, bytes.starts(with: LaunchTodo.magic) else {
      throw LaunchRecord.damaged(file)
    }
    let format = word(8)
    if format > LaunchTodo.format, format < 1000 { throw LaunchRecord.later(file, format, known: LaunchTodo.format) }
    let (planBytes, blocks, runs) = (word(12), word(16), word(20))
    guard format == LaunchTodo.format, bytes.count == LaunchTodo.head + planBytes + 8 * blocks + 4 * runs + 4,
      word(bytes.count - 4) == Int(CRC32.checksum(bytes.dropLast(4)))
    else { throw LaunchRecord.damaged(file) }
    (self.blocks, self.runs, self.bytes) = (blocks, runs, bytes)
    lengths = LaunchTodo.head + planBytes
    checks = lengths + 4 * blocks
    places = checks + 4 * blocks
    plan = try StoredPlan(pinned: Array(bytes[LaunchTodo.head..<lengths]), file: file)
    var starts: [Int32] = [0]
    for block in 0..<blocks {
      starts.append((starts.last ?? 0) &+ Int32(truncatingIfNeeded: word(lengths + 4 * block)))
    }
    self.starts = starts
    guard starts.last == Int32(truncatingIfNeeded: runs), zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 }),
      hasOnlyPlacesOfItsPlan
    else { throw LaunchRecord.damaged(file) }
  }

  private var hasOnlyPlacesOfItsPlan: Bool {
    let most = plan.configurations.count * plan.seeds.count
    return (0..<runs).allSatisfy { bytes.word(at: places + 4 * $0) < most }
  }

  /// The places of a block, in the order in which they are begun.
  package func places(ofBlock block: Int) -> [Int] {
    (Int(starts[block])..<Int(starts[block + 1])).map { bytes.word(at: places + 4 * $0) }
  }

  /// Whether these are the ids of the block's runs: another program may know the same settings by others.
  package func isRight(_ ids: [String], ofBlock block: Int) -> Bool {
    bytes.word(at: checks + 4 * block) == Int(LaunchTodo.check(ids))
  }

  private static func check(_ ids: [String]) -> UInt32 { CRC32.checksum(Array(ids.joined(separator: "\n").utf8)[...]) }
}

extension ResultsFolder {
  /// - Throws: ``PalimpsestJSON/FileError``, ``PalimpsestJSON/Problems``.
  package func todo(ofLaunch number: Int) throws -> LaunchTodo {
    let file = todoFile(number)
    return try LaunchTodo(try Files.read(file), file: file)
  }
}

extension [UInt8] {
  fileprivate mutating func append(word: Int) {
    let word = UInt32(truncatingIfNeeded: word)
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
  }

  fileprivate func word(at offset: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(self[offset + $1]) << (8 * $1) }
  }
}
