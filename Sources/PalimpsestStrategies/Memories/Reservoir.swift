import PalimpsestCore

/// Keeps a uniform sample of every row offered so far.
///
/// After n ≥ M offers to a store of M rows each of the n rows is held with probability M/n, each pair with
/// M(M − 1)/(n(n − 1)).
/// - Inputs: batches of any row count with the same column count.
/// - Memory: the rows, and 8 bytes a row. Time: O(1) a row. Nothing is allocated once a store is full.
/// - Source: Vitter 1985, algorithm R.
public struct Reservoir: Memory, StreamMemory {
  public static let name = "reservoir"
  public static let summary = "Replays a uniform sample of every row seen so far."
  public static let source =
    "Vitter, \"Random sampling with a reservoir\", ACM TOMS 1985, algorithm R; the index is drawn by a widening "
    + "multiply, without modulo bias."

  public var limits = MemoryCapacity()
  public var insertion = StreamInsertion()
  public var replay = ReplayOptions()
  private var stores = SlotStores<AlgorithmR>()

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

/// The n-th row takes a free slot; else slot j of 0..<n where that is a slot at all, which has probability M/n.
struct AlgorithmR: SlotRule {
  /// n: rows offered, this one included.
  private var seen = 0

  init() {}

  mutating func slot(
    for label: Int32, among slots: [Int32], of rows: Batch, room: Int, using rng: inout Random
  ) -> Int? {
    seen += 1
    if slots.count < room { return slots.count }
    let j = rng.index(below: seen)
    return j < room ? j : nil
  }

  func problem(slots: Int) -> String? { isCount(seen) ? nil : "\(seen) rows seen" }
}
