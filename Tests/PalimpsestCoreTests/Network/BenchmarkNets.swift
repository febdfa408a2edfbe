import PalimpsestCore

/// The four nets whose speed is measured, with rows to train them on.
struct BenchmarkNet: Sendable, CustomStringConvertible {
  let description: String
  let inputs: Int
  let hidden: [Int]
  let outputs: Int
  let batch: Int

  static let tiny = BenchmarkNet(description: "tiny", inputs: 10, hidden: [16, 8], outputs: 1, batch: 32)
  static let small = BenchmarkNet(description: "small", inputs: 32, hidden: [64, 64], outputs: 8, batch: 32)
  static let medium = BenchmarkNet(
    description: "medium", inputs: 784, hidden: [256, 256], outputs: 10, batch: 128)
  static let large = BenchmarkNet(
    description: "large", inputs: 784, hidden: [400, 400], outputs: 10, batch: 128)

  var shape: TaskShape { TaskShape(inputs: inputs, outputs: outputs) }

  func setup(_ optimizer: any Optimizer) -> LearnerSetup {
    LearnerSetup(shape: shape, hidden: hidden, optimizer: optimizer, resetsOptimizer: false, seed: Seed(1))
  }

  func info(_ task: Int) -> ExperienceInfo {
    ExperienceInfo(index: task, name: "task \(task)", outputs: 0..<outputs, seenOutputs: 0..<outputs, rows: 999)
  }

  /// 999 rows, so that every pass ends in a short batch: bytes where rows are wide, else normal numbers.
  func rows(_ task: Int) -> Rows {
    var rng = Seed(3).stream("rows", task)
    let labels = (0..<999).map { _ in Int32(rng.index(below: max(2, outputs))) }
    let table =
      inputs > 100
      ? Table(bytes: (0..<(999 * inputs)).map { _ in UInt8(truncatingIfNeeded: rng.next()) }, columns: inputs)
      : Table(FloatBuffer((0..<(999 * inputs)).map { _ in Float(rng.normal()) }), columns: inputs)
    return Rows(table: table, experience: task, places: (0..<999).map { Int32($0) }, labels: labels)
  }

  /// Two tasks of half the steps each.
  func train(_ optimizer: any Optimizer, _ parts: [any StrategyPart], steps: Int) throws -> ComposedLearner {
    var learner = try ComposedLearner(setup(optimizer), parts)
    for task in 0..<2 {
      var settings = FeedSettings()
      settings.batch = batch
      settings.steps = steps / 2
      let rows = rows(task)
      var feed = BatchFeed([rows], settings, using: Seed(2).stream("order", task))
      learner.begin(info(task))
      while feed.advance() {
        _ = learner.learn(feed.batch, StepContext(experience: info(task), epoch: feed.epoch, step: feed.step - 1))
      }
      learner.finish(info(task), revisiting: rows)
    }
    return learner
  }
}

/// Pulls every parameter towards where the last task left it, as EWC does, with the squared path as importance, as SI does.
struct PathPull: Penalty {
  static let name = "path-pull"
  static let summary = "A quadratic pull towards the last task's end."
  static let source = "For these tests."
  private var path = FloatBuffer(count: 0)
  private var anchor = FloatBuffer(count: 0)
  private var importance = FloatBuffer(count: 0)

  mutating func add(at parameters: FloatBuffer, to gradient: inout FloatBuffer) -> Float {
    guard anchor.count > 0 else { return 0 }
    return Float(gradient.addPull(at: parameters, towards: anchor, importance: importance, strength: 0.1) / 20)
  }

  mutating func observe(gradient: FloatBuffer, update: FloatBuffer) {
    path.resize(to: gradient.count)
    path.subtractProduct(gradient, update)
  }

  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {
    anchor = ended.model.parameters
    importance = path
    importance.update(with: path) { $0 * $1 }
  }
}

/// Keeps the first rows it is offered and always draws from the front.
struct FirstRows: Memory {
  static let name = "first-rows"
  static let summary = "Keeps the first rows."
  static let source = "For these tests."
  var replay = ReplayOptions()
  var kept = Batch(columns: 0)
  var capacity = 40

  init() {}

  var count: Int { kept.count }

  mutating func insert(_ batch: Batch, _ context: StepContext, using rng: inout Random) {
    if kept.columns == 0 { kept = Batch(columns: batch.columns) }
    for row in 0..<batch.count where kept.count < capacity { kept.append(row: row, of: batch) }
  }

  mutating func draw(_ n: Int, into batch: inout Batch, using rng: inout Random) {
    for row in 0..<min(n, count) { batch.append(row: row, of: kept) }
  }
}
