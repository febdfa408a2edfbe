/// How a task's rows become batches.
public struct FeedSettings: ParameterGroup {
  /// How rows are drawn.
  public enum Drawing: String, ParameterChoice {
    /// Every row once a pass, in a fresh order.
    case withoutReplacement = "without-replacement"
    /// Each row independently.
    case withReplacement = "with-replacement"
    /// Every row once a pass, in the order given.
    case inOrder = "in-order"
  }

  /// What becomes of the rows left at a pass's end that do not fill a batch.
  public enum ShortBatch: String, ParameterChoice {
    case keep, drop
  }

  @Parameter("Passes over a task's rows; not used where steps is given.", .count) public var epochs: Int = 1
  @Parameter("Steps a task instead of passes; null counts passes.", .count) public var steps: Int? = nil
  @Parameter("Rows a step.", .count) public var batch: Int = 32
  @Parameter("Whether rows are drawn in passes (each once), independently, or in the order given.")
  public var drawing: Drawing = .withoutReplacement
  @Parameter("Whether a pass's last, shorter batch is used or left out (a task smaller than one batch is always used).")
  public var shortBatch: ShortBatch = .keep

  public init() {}

  /// Steps of a task of so many rows.
  /// - Parameter batchFactor: batches hold the configured number of rows times this.
  package func steps(rows: Int, batchFactor: Int = 1) -> Int {
    guard rows > 0 else { return 0 }
    return steps ?? epochs * batchesPerPass(rows: rows, of: batch * batchFactor)
  }

  fileprivate func batchesPerPass(rows: Int, of size: Int) -> Int {
    let full = rows / size
    let keepsRest = shortBatch == .keep || full == 0
    return full + (keepsRest && rows % size > 0 ? 1 : 0)
  }
}

/// The batches of one task: rows of one or more tasks, in an order that depends on nothing but its own stream.
///
/// - Memory: 4 bytes a row, and one batch. Nothing is allocated from the second batch on.
public struct BatchFeed: Sendable {
  private var sources: Sources
  private let rules: FeedRules
  private var order: [Int32]
  private var rng: Random
  private var position = 0
  private var picked: [Int32] = []
  /// Pass over the rows, counted from 0.
  public private(set) var epoch = 0
  /// Batches given.
  public private(set) var step = 0
  /// The latest batch.
  public private(set) var batch: Batch

  /// - Parameters:
  ///   - sources: the tasks whose rows are fed; at least one row in all.
  ///   - batchFactor: batches hold the configured number of rows times this.
  public init(_ sources: [Rows], _ settings: FeedSettings, batchFactor: Int = 1, using rng: Random) {
    let total = sources.reduce(0) { $0 + $1.count }
    precondition(total > 0, "a task without rows")
    self.sources = Sources(sources)
    self.rng = rng
    order = (0..<Int32(total)).map { $0 }
    rules = FeedRules(settings, batchFactor: batchFactor, rows: total)
    batch = Batch(columns: sources[0].columns, capacity: min(rules.batch, total))
    startPass()
  }

  /// Where the feed stands after a batch: with the same sources and settings it goes on from there.
  public struct Place: Sendable, Codable, Equatable {
    /// Row numbers within all sources, in the order of the pass at hand.
    fileprivate let order: [Int32]
    fileprivate let rng: Random
    fileprivate let position: Int
    fileprivate let epoch: Int
    /// Batches given.
    public let step: Int
  }

  public var place: Place { Place(order: order, rng: rng, position: position, epoch: epoch, step: step) }

  /// Goes to a place that a feed with the same sources and settings was at.
  /// - Throws: ``PalimpsestSettings/StateError`` where it cannot be one.
  public mutating func restore(_ place: Place) throws(StateError) {
    guard place.order.count == order.count, isPermutation(place.order) else {
      throw StateError("the order is not one of \(order.count) rows", at: "feed")
    }
    guard (0...steps).contains(place.step), (0...rules.batchesPerPass).contains(place.position),
      (0...steps).contains(place.epoch),
      place.epoch * rules.batchesPerPass + place.position == place.step
    else { throw StateError("step \(place.step) is not a place in \(steps) steps", at: "feed") }
    (order, rng, position, epoch, step) = (place.order, place.rng, place.position, place.epoch, place.step)
  }

  /// Batches in all.
  public var steps: Int { rules.steps }

  /// Gives the next batch to `body` where it lies, with its step's place in the task and the pass over the rows.
  /// - Returns: what `body` returns; nil at the end, where it is not called.
  package mutating func withNext<R>(_ body: (_ batch: borrowing Batch, _ place: StepPlace, _ epoch: Int) -> R) -> R? {
    guard advance() else { return nil }
    return body(batch, StepPlace(step: step - 1, steps: steps), epoch)
  }

  /// Fills ``batch`` with the next rows.
  /// - Returns: false at the end.
  public mutating func advance() -> Bool {
    guard step < steps else { return false }
    if position >= rules.batchesPerPass { endPass() }
    load()
    position += 1
    step += 1
    return true
  }

  private mutating func startPass() {
    if rules.drawing == .withoutReplacement { rng.shuffle(&order) }
  }

  private mutating func endPass() {
    epoch += 1
    position = 0
    startPass()
  }

  /// Draws positions independently.
  private mutating func pick() {
    picked.setCount(rules.batch)
    for i in picked.indices { picked[i] = Int32(rng.index(below: order.count)) }
  }

  /// Fills ``batch`` with the rows of the step at hand.
  private mutating func load() {
    if rules.drawing == .withReplacement {
      pick()
      sources.fill(&batch, with: picked, 0..<picked.count)
    } else {
      let first = position * rules.batch
      sources.fill(&batch, with: order, first..<min(first + rules.batch, order.count))
    }
  }
}

/// What of the settings a step asks for: without their texts and bounds, for a run passes its feed on from step to step.
private struct FeedRules: Sendable {
  let drawing: FeedSettings.Drawing
  /// Rows a batch.
  let batch: Int
  let batchesPerPass: Int
  /// Batches in all.
  let steps: Int

  init(_ settings: FeedSettings, batchFactor: Int, rows: Int) {
    drawing = settings.drawing
    batch = settings.batch * batchFactor
    batchesPerPass = settings.batchesPerPass(rows: rows, of: batch)
    steps = settings.steps(rows: rows, batchFactor: batchFactor)
  }
}

/// The rows of one task among those of several, which are numbered through. Rows are many references: an object holds them, so
/// that who moves a feed, or goes through its tasks, counts one.
private final class Source: Sendable {
  private let rows: Rows
  let count: Int
  /// The number of its first row.
  let start: Int

  init(_ rows: Rows, from start: Int) {
    self.rows = rows
    count = rows.count
    self.start = start
  }

  /// Rows of the batch from `first` on become those at some positions. The object itself gives them: asked for its rows it would
  /// copy them first, which counts nine references.
  @inline(never)
  func give(_ batch: inout Batch, at positions: ArraySlice<Int32>, toRow first: Int) {
    batch.take(rows, at: positions, toRow: first)
  }
}

/// The rows of one or more tasks, numbered through.
private struct Sources: Sendable {
  private let first: Source
  private let all: [Source]
  /// Positions within a task's rows: kept for their memory.
  private var positions: [Int32] = []

  init(_ sources: [Rows]) {
    var start = 0
    all = sources.map { rows in
      defer { start += rows.count }
      return Source(rows, from: start)
    }
    first = all[0]
  }

  /// The batch becomes the rows with a range of those numbers, task by task.
  mutating func fill(_ batch: inout Batch, with numbers: [Int32], _ range: Range<Int>) {
    batch.setCount(range.count)
    guard all.count > 1 else { return first.give(&batch, at: numbers[range], toRow: 0) }
    positions.setCount(range.count)
    var filled = 0
    for source in all {
      let count = find(source.count, from: source.start, among: numbers.span.extracting(range))
      if count > 0 { source.give(&batch, at: positions[..<count], toRow: filled) }
      filled += count
    }
  }

  /// Leaves the positions of those numbers that lie in start..<(start + length) in `positions`, in order. Every number is
  /// written and the next one overwrites it unless it counts: which ones do is nothing a processor foresees.
  /// - Returns: how many.
  private mutating func find(_ length: Int, from start: Int, among numbers: Span<Int32>) -> Int {
    var found = positions.mutableSpan
    let (start, length) = (UInt32(start), UInt32(length))
    var count = 0
    for i in numbers.indices {
      let position = UInt32(bitPattern: numbers[i]) &- start
      found[count] = Int32(bitPattern: position)
      count += position < length ? 1 : 0
    }
    return count
  }
}

/// Every number below the count stands there once.
package func isPermutation(_ order: [Int32]) -> Bool {
  var seen = [Bool](repeating: false, count: order.count)
  for value in order {
    guard value >= 0, Int(value) < order.count, !seen[Int(value)] else { return false }
    seen[Int(value)] = true
  }
  return true
}
