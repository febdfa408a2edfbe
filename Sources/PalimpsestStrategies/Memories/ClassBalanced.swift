import PalimpsestCore

/// Keeps the classes as even as the stream allows, and within each class a uniform sample of its rows.
///
/// After n_c rows of class c, of which m_c are held, each of the n_c is held with probability m_c/n_c. A class that never
/// was the largest is held in full.
/// - Inputs: batches of any row count with the same column count.
/// - Memory: the rows, and 8 bytes a row. Time: O(1) a row that is left out, O(rows of the store) for one that is taken,
///   which grows rare as the stream goes on. Nothing is allocated once a store is full and the classes are known.
/// - Source: Chrysakis & Moens 2020, algorithm 1.
public struct ClassBalanced: Memory, StreamMemory {
  public static let name = "class-balanced"
  public static let summary = "Replays a sample that is even over classes and uniform within each."
  public static let source =
    "Chrysakis & Moens, \"Online continual learning from imbalanced data\", ICML 2020, algorithm 1. A class counts as "
    + "full once it is a largest one in a filled memory; of several largest classes one is picked at random."

  public var limits = MemoryCapacity()
  public var insertion = StreamInsertion()
  public var replay = ReplayOptions()
  private var stores = SlotStores<ClassBalancing>()

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

/// A row of a class that never was the largest takes the slot of a row of the largest class. A row of a full class takes
/// the slot of a row of its own class with probability m_c/n_c.
struct ClassBalancing: SlotRule {
  private struct Tally: Sendable, Codable {
    let label: Int32
    /// n_c: rows offered.
    var seen = 0
    /// m_c: rows held.
    var held = 0
    /// It is, or has been, a largest class of the filled memory: it can't grow any more.
    var isFull = false
  }

  private var classes: [Tally] = []

  init() {}

  mutating func slot(
    for label: Int32, among slots: [Int32], of rows: Batch, room: Int, using rng: inout Random
  ) -> Int? {
    let own = tally(label)
    classes[own].seen += 1
    if classes[own].isFull { return ownSlot(own, slots, rows, using: &rng) }
    if slots.count < room {
      classes[own].held += 1
      if slots.count + 1 == room { markLargest() }
      return slots.count
    }
    let slot = largestClassSlot(slots, rows, using: &rng)
    classes[own].held += 1
    markLargest()
    return slot
  }

  /// The j-th row of the class, j uniform in 0..<n_c; nil where fewer are held.
  private func ownSlot(_ own: Int, _ slots: [Int32], _ rows: Batch, using rng: inout Random) -> Int? {
    let j = rng.index(below: classes[own].seen)
    return j < classes[own].held ? slot(of: classes[own].label, j, slots, rows) : nil
  }

  /// A random row among those of the largest classes; it is counted as gone.
  private mutating func largestClassSlot(_ slots: [Int32], _ rows: Batch, using rng: inout Random) -> Int? {
    let most = largest
    let tied = classes.reduce(0) { $0 + ($1.held == most ? 1 : 0) }
    let j = rng.index(below: tied * most)
    var before = j / most
    for i in classes.indices where classes[i].held == most {
      if before == 0 {
        classes[i].held -= 1
        return slot(of: classes[i].label, j % most, slots, rows)
      }
      before -= 1
    }
    return nil
  }

  /// The position in `slots` of the j-th row of a class.
  private func slot(of label: Int32, _ j: Int, _ slots: [Int32], _ rows: Batch) -> Int? {
    var before = j
    for k in slots.indices where rows.labels[Int(slots[k])] == label {
      if before == 0 { return k }
      before -= 1
    }
    return nil
  }

  private var largest: Int { classes.reduce(0) { max($0, $1.held) } }

  private mutating func markLargest() {
    let most = largest
    for i in classes.indices where classes[i].held == most { classes[i].isFull = true }
  }

  private mutating func tally(_ label: Int32) -> Int {
    if let index = classes.firstIndex(where: { $0.label == label }) { return index }
    classes.append(Tally(label: label))
    return classes.count - 1
  }

  func problem(slots: Int) -> String? {
    let held = classes.map(\.held)
    let areCounts = classes.allSatisfy { isCount($0.seen) && (0...slots).contains($0.held) }
    return areCounts && held.reduce(0, +) == slots ? nil : "\(held) rows of the classes in \(slots) slots"
  }
}
