import PalimpsestCore

/// A small life for laws to be checked in: three tasks of random rows, each labelled by a rule of its own.
struct LawWorld: Sendable {
  let name: String
  let shape: TaskShape
  let hidden: [Int]
  let tasks: [ExperienceInfo]
  /// Training rows of each task.
  let rows: [Rows]
  /// Inputs whose predictions are compared.
  let probe: Matrix
  let outputRule: OutputRule

  /// Yes-or-no labels.
  static let binary = LawWorld("binary", outputs: 1, each: { _ in 0..<1 }, .all)
  /// Four classes that all tasks share.
  static let shared = LawWorld("shared", outputs: 4, each: { _ in 0..<4 }, .all)
  /// Six classes, two a task; each task's rows use its own.
  static let split = LawWorld("split", outputs: 6, each: { (2 * $0)..<(2 * $0 + 2) }, .current)
  static let all = [binary, shared, split]

  /// Those where the parts can serve: a method may be for classes alone, say. All of them where they can in none.
  static func worlds(for parts: [any StrategyPart]) -> [LawWorld] {
    let worlds = all.filter { $0.setup(SGD()).problem(with: parts) == nil }
    return worlds.isEmpty ? all : worlds
  }

  /// Shared classes and a layer of 36,000 weights, with tails in each of its widths.
  static let wide = LawWorld("wide", outputs: 4, each: { _ in 0..<4 }, .all, hidden: [500, 72])

  private init(
    _ name: String, outputs: Int, each: (Int) -> Range<Int>, _ rule: OutputRule, hidden: [Int] = [6, 4]
  ) {
    let count = 40
    self.hidden = hidden
    self.name = name
    let shape = TaskShape(inputs: 5, outputs: outputs)
    self.shape = shape
    outputRule = rule
    tasks = (0..<3).map {
      ExperienceInfo(
        index: $0, name: "task \($0)", outputs: each($0), seenOutputs: 0..<each($0).upperBound, rows: count)
    }
    let seed = Seed(11).derived(name)
    rows = tasks.map { LawWorld.makeRows(count, $0, shape, seed) }
    probe = LawWorld.inputs(8, columns: 5, seed.stream("probe"))
  }

  /// A setup with two hidden layers, of 6 and 4 where they are not wide.
  func setup(_ optimizer: any Optimizer, seed: Seed = Seed(3), activation: Activation = .relu) -> LearnerSetup {
    LearnerSetup(
      shape: shape, hidden: hidden, activation: activation, optimizer: optimizer, resetsOptimizer: false,
      outputRule: outputRule, seed: seed)
  }

  /// Takes a learner through one task in batches of 8: two passes over the rows that it asks for.
  func live(_ learner: inout any Learner, task index: Int) { live(&learner, task: index) { _ in } }

  /// The same, with a word in between: `midway` is called once, half-way through the steps.
  func live(
    _ learner: inout any Learner, task index: Int, midway: (inout any Learner) throws -> Void
  ) rethrows {
    let task = tasks[index]
    let plan = learner.plan(for: index)
    learner.begin(task)
    if plan.rows != .none {
      var settings = FeedSettings()
      settings.batch = 8
      settings.epochs = 2
      var feed = BatchFeed(
        plan.rows == .all ? Array(rows[...index]) : [rows[index]], settings, batchFactor: plan.batchFactor,
        using: Seed(5).stream("order", index))
      while feed.advance() {
        if feed.step == feed.steps / 2 { try midway(&learner) }
        _ = learner.learn(feed.batch, context(task, feed))
      }
    }
    learner.finish(task, revisiting: rows[index])
  }

  /// The place of a feed's step, in a run whose tasks are of equal length.
  func context(_ task: ExperienceInfo, _ feed: BatchFeed) -> StepContext {
    StepContext(
      experience: task, epoch: feed.epoch, step: feed.step - 1, steps: feed.steps,
      run: StepPlace(step: task.index * feed.steps + feed.step - 1, steps: tasks.count * feed.steps))
  }

  private static func makeRows(_ count: Int, _ task: ExperienceInfo, _ shape: TaskShape, _ seed: Seed) -> Rows {
    let inputs = inputs(count, columns: shape.inputs, seed.stream("inputs", task.index))
    let rule = LawWorld.inputs(max(2, task.outputs.count), columns: shape.inputs, seed.stream("rule", task.index))
    let labels = (0..<count).map { row in
      let scores = (0..<rule.rows).map { c in zip(inputs.row(row), rule.row(c)).reduce(0) { $0 + $1.0 * $1.1 } }
      return Int32(task.outputs.lowerBound + (scores.firstIndex(of: scores.max() ?? 0) ?? 0))
    }
    return Rows(inputs, labels: labels, experience: task.index)
  }

  static func inputs(_ rows: Int, columns: Int, _ rng: Random) -> Matrix {
    var rng = rng
    return Matrix((0..<rows).map { _ in (0..<columns).map { _ in Float(rng.normal()) } })
  }
}

extension LawWorld {
  /// A task that has been learned, all of whose rows may be looked at again.
  func ended(_ task: ExperienceInfo, _ model: MLP) -> EndedExperience {
    EndedExperience(
      info: task, data: rows[task.index], network: Network(model), way: model.plainProgram,
      outputs: 0..<shape.outputs)
  }
}

extension FloatBuffer {
  /// Independent normal numbers.
  static func normal(_ count: Int, deviation: Double = 1, using rng: inout Random) -> FloatBuffer {
    FloatBuffer((0..<count).map { _ in Float(rng.normal() * deviation) })
  }
}

/// The derivative of f at 0 from four values (central differences, Richardson-extrapolated): exact up to the fourth
/// order.
func centralDifference(step h: Double, _ f: (Double) -> Double) -> Double {
  let wide = (f(2 * h) - f(-2 * h)) / (4 * h)
  let narrow = (f(h) - f(-h)) / (2 * h)
  return (4 * narrow - wide) / 3
}

/// Says where a gradient differs from its differences by more than 1e-4 of the largest of either.
func gradientViolations(_ what: String, gradient: [Float], differences: [Double]) -> [String] {
  let scale = max(differences.reduce(0) { max($0, abs($1)) }, gradient.reduce(0) { max($0, Double(abs($1))) })
  guard scale.isFinite else { return ["\(what): not a finite number"] }
  return gradient.indices.filter { abs(Double(gradient[$0]) - differences[$0]) > 1e-4 * scale }.prefix(3).map {
    "\(what): the gradient's element \($0) is \(gradient[$0]), central differences give \(differences[$0])"
  }
}
