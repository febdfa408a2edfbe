/// Rows that a memory brings back into a step: joined with the step's own in one batch, each with its weight.
struct Replay: Sendable {
  let options: ReplayOptions
  /// What a loss says of draws and shares; nil: the memory's own options hold.
  private let shares: ReplayShares?
  /// Rows come back task by task: tasks take different ways or outputs.
  private let isGrouped: Bool
  /// Losses look at what each row counted before it was weighed.
  private let keepsOwnWeights: Bool
  private var drawn: Batch
  /// The rows of each draw in the joined batch.
  private(set) var draws: [Range<Int>] = []
  /// What each row of the joined batch counts by itself.
  private(set) var ownWeights: [Float] = []

  init(_ options: ReplayOptions, _ shares: ReplayShares?, columns: Int, isGrouped: Bool, keepsOwnWeights: Bool) {
    self.options = options
    self.shares = shares
    self.isGrouped = isGrouped
    self.keepsOwnWeights = keepsOwnWeights
    drawn = Batch(columns: columns)
  }

  /// Makes `joined` the batch with stored rows behind its own, their weights set.
  /// - Parameters:
  ///   - task: the one at hand, counted from 0.
  ///   - tasks: how many were begun.
  ///   - draw: appends so many rows of the memory.
  /// - Returns: false where nothing is replayed; `joined` has no meaning then.
  mutating func join(
    _ batch: Batch, into joined: inout Batch, task: Int, tasks: Int, _ draw: (Int, inout Batch) -> Void
  ) -> Bool {
    guard options.start == .firstStep || task > 0 else { return false }
    joined.become(batch)
    draws.removeAll(keepingCapacity: true)
    let count = options.draw ?? batch.count
    for _ in 0..<(shares?.draws.count ?? 1) {
      let first = joined.count
      if isGrouped {
        appendByTask(tasks, to: &joined) { draw(count, &$0) }
      } else {
        draw(count, &joined)
      }
      draws.append(first..<joined.count)
    }
    guard joined.count > batch.count else { return false }
    weigh(&joined, new: batch.count, task: task + 1)
    return true
  }

  private mutating func appendByTask(_ tasks: Int, to joined: inout Batch, _ draw: (inout Batch) -> Void) {
    drawn.removeAll()
    draw(&drawn)
    for experience in 0..<Int32(tasks) {
      for row in 0..<drawn.count where drawn.experiences[row] == experience {
        joined.append(row: row, of: drawn)
      }
    }
  }

  /// Sets the weights: each group's mean counts its share.
  private mutating func weigh(_ joined: inout Batch, new: Int, task: Int) {
    if keepsOwnWeights {
      ownWeights.setCount(joined.count)
      ownWeights.copy(0..<joined.count, of: joined.tags.weights, to: 0)
    }
    let own = options.shares(new: new, stored: joined.count - new, task: task)
    joined.scaleWeights(0..<new, by: Float((shares?.new ?? own.new) / Double(new)))
    for (draw, rows) in draws.enumerated() where !rows.isEmpty {
      joined.scaleWeights(rows, by: Float((shares?.draws[draw] ?? own.stored) / Double(rows.count)))
    }
  }
}
