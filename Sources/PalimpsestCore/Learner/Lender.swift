/// What a learner lends its parts to look at: rows of its memory, and what the network says of any rows. It changes nothing of the
/// learner: the network, the memory's content and every random stream but the one that draws are as before, and its work is charged.
///
/// Rows take their own way and outputs, by the task they belong to; a row of a task that has not begun counts as one of the latest.
public struct Lender: Sendable {
  /// A way that rows of a task take, and the columns of its logits that count.
  struct Way: Sendable {
    let program: Program
    let outputs: Range<Int>
  }

  /// The learner's own while it lends: what it computes there is the learner's work.
  var network: Network
  private let ways: [Way]
  private var base = BaseLoss()
  private var rows = LossRows(labels: [], weights: [], rows: 0..<0, outputs: 0..<1)
  private var stored: Batch
  /// Rows of one task, and where they stand among all: kept for their memory.
  private var part: Batch?
  private var positions: [Int32] = []
  /// Where the parameters were, while they are moved.
  private var home: FloatBuffer?
  var memory: (any Memory)?
  var rng: Random

  /// - Parameter ways: one for each task begun.
  init(_ network: Network, _ ways: [Way], _ memory: (any Memory)?, using rng: Random) {
    self.network = network
    self.ways = ways
    stored = Batch(columns: network.model.shape.inputs)
    self.memory = memory
    self.rng = rng
    rows.target = network.model.shape.target
  }

  /// A lender of a network with one way for all tasks: for tests of parts, and for learners of one's own.
  public init(_ model: MLP, _ memory: (any Memory)? = nil, using rng: Random) {
    self.init(
      Network(model), [Way(program: model.plainProgram, outputs: 0..<model.shape.outputs)], memory, using: rng)
  }

  /// What was computed so far.
  public var work: Work { network.work }

  /// Counts work of one's own on what was lent, such as comparisons of rows, towards the run's costs.
  public mutating func charge(_ work: Work) { network.charge(work) }

  // MARK: - Rows of the memory

  /// Rows the memory holds; 0 where there is none.
  public var count: Int { memory?.count ?? 0 }

  /// min(n, count) rows of the memory, drawn without replacement.
  public mutating func draw(_ n: Int) -> Batch {
    stored.removeAll()
    memory?.draw(n, into: &stored, using: &rng)
    return stored
  }

  // MARK: - What the network says

  /// The base loss of each row, whatever it weighs.
  public mutating func losses(of batch: Batch) -> [Float] {
    var losses = [Float](repeating: 0, count: batch.count)
    forEachTask(batch) { lender, rows, way, positions in
      let logits = lender.network.logits(rows.inputs, way.program)
      var ignored = Matrix(rows: logits.rows, columns: logits.columns)
      lender.rows.take(rows, way, scale: 1)
      for i in 0..<rows.count { lender.rows.weights[i] = 1 }
      for (i, position) in positions.enumerated() {
        losses[Int(position)] = Float(lender.base.add(logits, lender.rows.selecting(i..<(i + 1)), to: &ignored))
      }
    }
    return losses
  }

  /// What enters the last layer, rows × its width, of rows whose ways have one width.
  public mutating func features(of batch: Batch) -> Matrix {
    var result = Matrix(rows: 0, columns: 0)
    forEachTask(batch) { lender, rows, way, positions in
      let features = lender.network.features(rows.inputs, way.program)
      if result.columns == 0 { result = Matrix(rows: batch.count, columns: features.columns) }
      for (i, position) in positions.enumerated() { result.copyRows(i..<(i + 1), of: features, toRow: Int(position)) }
    }
    return result
  }

  /// The gradient of the rows' mean base loss, each by its weight; `gradient` is overwritten and as long as the parameters.
  /// - Returns: the loss.
  @discardableResult
  public mutating func gradient(of batch: Batch, into gradient: inout FloatBuffer) -> Double {
    gradient.resize(to: network.model.parameters.count)
    gradient.fill(0)
    var loss = 0.0
    rows.labels.reserveCapacity(batch.count)
    rows.weights.reserveCapacity(batch.count)
    forEachTask(batch) { lender, rows, way, _ in
      lender.rows.take(rows, way, scale: 1 / Float(batch.count))
      lender.network.makeRoom(for: batch.count, on: way.program)
      loss += lender.network.gradient(of: rows.inputs, way.program, into: &gradient) { logits, slope in
        BaseLoss.differentiate(logits, lender.rows, to: &slope)
      }
    }
    return loss
  }

  // MARK: - Elsewhere

  /// From now on answers for θ + factor · direction, until ``moveBack()``.
  public mutating func move(along direction: FloatBuffer, times factor: Float) {
    if home == nil { home = network.model.parameters }
    network.model.parameters.add(direction, times: factor)
  }

  /// Answers for the learner's own parameters again.
  public mutating func moveBack() {
    guard let home else { return }
    network.model.parameters = home
    self.home = nil
  }

  /// Takes the rows of each task apart, with their positions.
  private mutating func forEachTask(
    _ batch: Batch, _ body: (inout Lender, Batch, Way, [Int32]) -> Void
  ) {
    var rows = takePart(batch)
    var positions: [Int32] = []
    swap(&positions, &self.positions)
    positions.reserveCapacity(batch.count)
    var task = batch.experiences.min()
    while let one = task {
      task = batch.positions(ofTask: one, to: &positions)
      rows.removeAll()
      rows.append(batch, at: positions[...])
      body(&self, rows, ways[min(max(Int(one), 0), ways.count - 1)], positions)
    }
    swap(&positions, &self.positions)
    part = consume rows
  }

  /// Room for any part of a batch.
  private mutating func takePart(_ batch: Batch) -> Batch {
    var rows = part.take() ?? Batch(columns: batch.columns)
    if rows.columns != batch.columns { rows = Batch(columns: batch.columns) }
    rows.become(batch)
    return rows
  }
}

extension Batch {
  /// Leaves the positions of a task's rows in `positions`.
  /// - Returns: the next task that has rows.
  fileprivate func positions(ofTask task: Int32, to positions: inout [Int32]) -> Int32? {
    positions.removeAll(keepingCapacity: true)
    var next: Int32?
    for (row, other) in experiences.enumerated() {
      if other == task { positions.append(Int32(row)) }
      if other > task { next = min(next ?? other, other) }
    }
    return next
  }
}

extension LossRows {
  /// Whole batch of one way.
  fileprivate mutating func take(_ batch: Batch, _ way: Lender.Way, scale: Float) {
    let all = way.program.outputs
    take(
      batch, 0..<batch.count, outputs: way.outputs, firstOutput: Int32(all.lowerBound), columns: all.count, scale: scale
    )
  }
}
