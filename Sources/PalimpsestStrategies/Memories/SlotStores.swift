import PalimpsestCore

/// Decides what becomes of a row that arrives at a store of a stream memory.
protocol SlotRule: Sendable, Codable {
  init()

  /// The slot for the next row of the stream.
  /// - Parameters:
  ///   - label: the arriving row's.
  ///   - slots: the store's slots, as places in `rows`; never more than `room`.
  ///   - room: slots the store may have, at least 1.
  /// - Returns: a position in `slots`; `slots.count` for a new slot; nil leaves the row out.
  mutating func slot(
    for label: Int32, among slots: [Int32], of rows: Batch, room: Int, using rng: inout Random
  ) -> Int?
  /// What contradicts a store of that many slots, in a rule that comes from a file; nil: nothing.
  func problem(slots: Int) -> String?
}

/// The rows of a stream memory: one store for all rows, or one for each class or task, each filled by the same rule.
///
/// All stores' rows lie in one batch, so a draw is uniform over everything held.
/// - Memory: the rows, and 8 bytes a row of bookkeeping. Time: O(stores) a row, and the rule's own.
struct SlotStores<Rule: SlotRule>: Sendable, Codable {
  private struct Store: Sendable, Codable {
    let key: Int32
    var slots: [Int32] = []
    var rule = Rule()

    /// The rule's answer, asked in place: reading `slots` from outside would copy the store with its rule for the call.
    mutating func slot(for label: Int32, of rows: Batch, room: Int, using rng: inout Random) -> Int? {
      rule.slot(for: label, among: slots, of: rows, room: room, using: &rng)
    }
  }

  private(set) var rows = StoredRows()
  private var stores: [Store] = []

  /// Offers each row of a batch, one after the other, to the store it belongs to.
  mutating func insert(_ batch: Batch, _ limits: MemoryCapacity, using rng: inout Random) {
    let room = limits.rows(of: batch.rowBytes)
    guard room > 0 else { return }
    for row in 0..<batch.count {
      let key = limits.store(experience: batch.experiences[row], label: batch.labels[row])
      insert(row, of: batch, into: store(key), room, using: &rng)
    }
  }

  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    rows.draw(n, into: &batch, using: &rng)
  }

  private mutating func insert(
    _ row: Int, of batch: Batch, into index: Int, _ room: Int, using rng: inout Random
  ) {
    guard let slot = stores[index].slot(for: batch.labels[row], of: rows.batch, room: room, using: &rng) else { return }
    if slot == stores[index].slots.count {
      stores[index].slots.append(Int32(rows.count))
      rows.append(row: row, of: batch)
    } else {
      rows.replace(Int(stores[index].slots[slot]), byRow: row, of: batch)
    }
  }

  /// The place of a store, made when its first row arrives.
  private mutating func store(_ key: Int32) -> Int {
    if let index = stores.firstIndex(where: { $0.key == key }) { return index }
    stores.append(Store(key: key))
    return stores.count - 1
  }
}

extension SlotStores: CheckedState {
  func problem(within limits: StateLimits) -> String? {
    for store in stores {
      if let slot = store.slots.first(where: { $0 < 0 || Int($0) >= rows.count }) {
        return "slot \(slot) of \(rows.count)"
      }
      if let problem = store.rule.problem(slots: store.slots.count) { return problem }
    }
    return nil
  }
}

/// A count that came from a file and is still to grow.
func isCount(_ value: Int) -> Bool { (0...Int.max / 2).contains(value) }
