import PalimpsestCore

/// The rows a memory holds, and the draw that all memories share.
///
/// - Memory: the rows, and 4 bytes a row for the order of drawing.
struct StoredRows: Sendable, Codable {
  private(set) var batch = Batch(columns: 0)
  /// A permutation of the rows. Each draw goes on shuffling it, so it belongs to the state.
  private var order: [Int32] = []

  init() {}

  /// All rows of a batch, in its order.
  init(_ batch: Batch) {
    self.batch = batch
    order = (0..<Int32(batch.count)).map { $0 }
  }

  var count: Int { batch.count }
  var bytes: Int { batch.bytes }

  /// Adds a row of another batch at the end.
  mutating func append(row: Int, of other: Batch) {
    if batch.columns != other.columns && batch.count == 0 { batch = Batch(columns: other.columns) }
    order.append(Int32(batch.count))
    batch.append(row: row, of: other)
  }

  /// Puts a row of another batch in the place of a row.
  mutating func replace(_ place: Int, byRow row: Int, of other: Batch) {
    batch.replace(row: place, with: other, row: row)
  }

  /// Appends min(n, count) rows to `target`: the first places of a Fisher–Yates shuffle, so each set of that size is
  /// equally likely and no row comes twice.
  mutating func draw(_ n: Int, into target: inout Batch, using rng: inout Random) {
    let count = min(n, batch.count)
    guard count > 0 else { return }
    rng.sample(count, of: &order)
    target.append(batch, at: order[..<count])
  }
}

extension StoredRows: CheckedState {
  func problem(within limits: StateLimits) -> String? {
    order.count == batch.count && isPermutation(order) ? nil : "the order is not one of \(batch.count) rows"
  }
}
