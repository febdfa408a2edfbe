import PalimpsestPersonal

/// The folder of one person: the model as it was shipped, her log, and two generations of what the app has become.
///
///     shipped    the model; comes with the app
///     log        her entries, appended by whatever she does
///     state-a    what the app has become: place in the log, features, samples, models, counts
///     state-b    the same, one save earlier or later
///
/// A save takes the place of the older generation, in one step. The one that is read is the newer of those that are whole: a kill, a failing
/// power or a damaged byte costs the time since the save before, and what is done again gives the same bits.
public struct StateFolder: Sendable {
  /// Raised when the form of the state changes.
  static let version: UInt8 = 1
  private static let magic = [UInt8]("PHA".utf8)
  private static let headerLength = 28

  public let path: String
  /// Of the latest save; 0: there is none.
  public private(set) var generation: UInt64 = 0

  public init(_ path: String) { self.path = path }

  public var shipped: String { path + "/shipped" }
  public var log: String { path + "/log" }
  var lock: String { path + "/lock" }
  private var eraser: String { path + "/erasing" }
  private var slots: [String] { [path + "/state-a", path + "/state-b"] }

  /// Something has happened: the entry is in the log when this comes back. A session that is at work may go on meanwhile.
  public func note(_ entry: HabitEntry) throws(AppError) {
    if let problem = entry.problem { throw AppError(problem) }
    try Files.append(EventLog.text(entry), to: log)
  }

  // MARK: - Saving

  /// Takes the older generation's place.
  public mutating func save(_ payload: [UInt8]) throws(AppError) {
    try Files.replace(slots[Int((generation + 1) % 2)], with: StateFolder.file(generation + 1, payload), in: path)
    generation += 1
  }

  /// The generations that are whole, the newest first.
  /// - Parameter problems: what is wrong with the others, a sentence each.
  public func saved(problems: inout [String]) throws(AppError) -> [(generation: UInt64, payload: [UInt8])] {
    var found: [(generation: UInt64, payload: [UInt8])] = []
    for slot in slots {
      guard let bytes = try Files.read(slot) else { continue }
      if let problem = StateFolder.problem(of: bytes) {
        problems.append("\(slot): \(problem)")
      } else {
        found.append((StateFolder.number(bytes, at: 4), Array(bytes[StateFolder.headerLength...])))
      }
    }
    return found.sorted { $0.generation > $1.generation }
  }

  /// Goes on from a generation.
  public mutating func take(_ generation: UInt64) { self.generation = generation }

  // MARK: - Erasing

  /// Removes samples, weights, snapshots and the log. What was begun and not ended is ended by the next start.
  public func erase() throws(AppError) {
    try Files.replace(eraser, with: [], in: path)
    try eraseFiles()
  }

  /// Removes what was learned; the log stays.
  public func forget() throws(AppError) { for file in slots { try Files.erase(file) } }

  /// Ends what a kill interrupted.
  func eraseIfBegun() throws(AppError) { if Files.size(eraser) != nil { try eraseFiles() } }

  private func eraseFiles() throws(AppError) {
    for file in slots + [log] {
      try Files.erase(file)
      try Files.erase(file + ".new")
    }
    Files.sync(path)
    try Files.erase(eraser)
    Files.sync(path)
  }

  // MARK: - Bytes

  /// Magic, version, generation, length, checksum of all the rest, payload.
  private static func file(_ generation: UInt64, _ payload: [UInt8]) -> [UInt8] {
    let head = magic + [version] + bytes(generation) + bytes(UInt64(payload.count))
    return head + bytes(checksum(head, payload[...])) + payload
  }

  private static func problem(of bytes: [UInt8]) -> String? {
    guard bytes.count >= headerLength, bytes.starts(with: magic) else { return "these bytes are no state of this app" }
    guard bytes[3] == version else { return "a state of version \(bytes[3]); this app reads version \(version)" }
    guard number(bytes, at: 12) == UInt64(bytes.count - headerLength) else { return "its end is missing" }
    let sum = checksum(Array(bytes[..<20]), bytes[headerLength...])
    return sum == number(bytes, at: 20) ? nil : "damaged: its bytes are not those that were written"
  }

  private static func bytes(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
  }

  private static func number(_ bytes: [UInt8], at place: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }

  /// FNV-1a of 64 bits: each step is one to one, so one byte that differs changes the sum.
  private static func checksum(_ head: [UInt8], _ payload: ArraySlice<UInt8>) -> UInt64 {
    (head[...] + payload).reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
