/// Rows that a memory brings back into a step: joined with the step's own in one batch, each with its weight.
struct Replay: Sendable {
  let options: ReplayOptions
  /// Rows come back task by task: tasks take different ways or outputs.
  private let isGrouped: Bool
  /// The latest batch with stored rows, kept for its memory.
  private var joined: Batch?
  private var drawn: Batch

  init(_ options: ReplayOptions, columns: Int, isGrouped: Bool) {
    self.options = options
    self.isGrouped = isGrouped
    drawn = Batch(columns: columns)
  }

  /// The batch with stored rows behind its own, their weights set. It is to be given back by ``keep(_:)``.
  /// - Parameters:
  ///   - task: the one at hand, counted from 0.
  ///   - tasks: how many were begun.
  /// - Returns: nil where nothing is replayed.
  mutating func join(
    _ batch: Batch, from memory: inout any Memory, task: Int, tasks: Int, using rng: inout Random
  ) -> Batch? {
    guard options.start == .firstStep || task > 0 else { return nil }
    var joined = self.joined.take() ?? Batch(columns: batch.columns)
    joined.become(batch)
    draw(options.draw ?? batch.count, from: &memory, into: &joined, tasks: tasks, using: &rng)
    guard joined.count > batch.count else {
      self.joined = joined
      return nil
    }
    options.weigh(&joined, new: batch.count, task: task + 1)
    return joined
  }

  mutating func keep(_ batch: consuming Batch) { joined = batch }

  private mutating func draw(
    _ count: Int, from memory: inout any Memory, into joined: inout Batch, tasks: Int, using rng: inout Random
  ) {
    guard isGrouped else { return memory.draw(count, into: &joined, using: &rng) }
    drawn.removeAll()
    memory.draw(count, into: &drawn, using: &rng)
    for experience in 0..<Int32(tasks) {
      for row in 0..<drawn.count where drawn.tags[row].experience == experience {
        joined.append(row: row, of: drawn)
      }
    }
  }
}
