import PalimpsestCore

/// Keeps the latest rows: the first in is the first out.
///
/// - Inputs: batches of any row count with the same column count.
/// - Memory: the rows, and 8 bytes a row. Time: O(1) a row. Nothing is allocated once a store is full.
/// - Source: the ring buffer of Chaudhry et al. 2019, with `per` set to `class`; in total or per task it is a window.
public struct Ring: Memory, StreamMemory {
  public static let name = "ring"
  public static let summary = "Replays the latest rows, first in, first out."
  public static let source =
    "Chaudhry et al., \"On tiny episodic memories in continual learning\", 2019: its ring buffer is \"per\": \"class\"."

  public var limits = MemoryCapacity()
  public var insertion = StreamInsertion()
  public var replay = ReplayOptions()
  private var stores = SlotStores<FirstInFirstOut>()

  public init() {}

  public var count: Int { stores.rows.count }
  public var bytes: Int { stores.rows.bytes }

  public mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {
    if insertion.takes(context) { stores.insert(batch, limits, using: &rng) }
  }

  public mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    stores.draw(n, into: &batch, using: &rng)
  }
}

/// The n-th row takes slot n mod M, counted from 0.
struct FirstInFirstOut: SlotRule {
  private var next = 0

  init() {}

  mutating func slot(
    for label: Int32, among slots: [Int32], of rows: Batch, room: Int, using rng: inout Random
  ) -> Int? {
    defer { next = (next + 1) % room }
    return next
  }

  func problem(slots: Int) -> String? { (0...slots).contains(next) ? nil : "slot \(next) is next, of \(slots)" }
}
