import PalimpsestCore
import PalimpsestStrategies

/// What the tests of the memories share.
enum Fixture {
  /// Step `step` of task `task`.
  static func context(task: Int = 0, epoch: Int = 0) -> StepContext {
    StepContext(experience: info(task, rows: 0), epoch: epoch, step: 0)
  }

  static func info(_ task: Int, rows: Int) -> ExperienceInfo {
    ExperienceInfo(index: task, name: "task \(task)", outputs: 0..<2, seenOutputs: 0..<2, rows: rows)
  }

  /// Rows of one column that holds their number, counted from `first`.
  static func numbered(_ labels: [Int32], task: Int = 0, first: Int = 0) -> Rows {
    var inputs = Matrix(rows: labels.count, columns: 1)
    for row in labels.indices { inputs[row, 0] = Float(first + row) }
    return Rows(inputs, labels: labels, experience: task)
  }

  /// The rows in batches.
  static func batches(_ rows: Rows, of size: Int) -> [Batch] {
    stride(from: 0, to: rows.count, by: size).map { first in
      var batch = Batch(columns: rows.columns)
      batch.append(rows, range: first..<min(first + size, rows.count))
      return batch
    }
  }

  /// A task that ended with these rows.
  static func ended(_ data: Rows, task: Int, model: MLP? = nil) -> EndedExperience {
    let model = model ?? network(inputs: data.columns)
    return EndedExperience(
      info: info(task, rows: data.count), data: data, network: Network(model), way: model.plainProgram, outputs: 0..<2)
  }

  static func network(inputs: Int) -> MLP {
    LearnerSetup(shape: TaskShape(inputs: inputs, outputs: 2), hidden: [7, 5], seed: Seed(3)).makeModel()
  }

  /// Points with normal coordinates, each row stretched by a factor of its own.
  static func points(_ rows: Int, _ columns: Int, using rng: inout Random) -> Matrix {
    var points = Matrix(rows: rows, columns: columns)
    for r in 0..<rows {
      let stretch = 0.1 + 5 * rng.uniform()
      for c in 0..<columns { points[r, c] = Float((rng.normal() + 0.5) * stretch) }
    }
    return points
  }

  /// Everything a memory holds.
  static func content(_ memory: some Memory, columns: Int) -> Batch {
    var copy = memory
    var rng = Random(key: 1)
    var batch = Batch(columns: columns)
    copy.draw(copy.count, into: &batch, using: &rng)
    return batch
  }

  /// The numbers (first column) of everything a memory holds, in ascending order.
  static func numbers(_ memory: some Memory, columns: Int = 1) -> [Int] {
    let batch = content(memory, columns: columns)
    return (0..<batch.count).map { Int(batch.inputs[$0, 0]) }.sorted()
  }

  /// What a memory holds after a stream, by number.
  static func held(_ memory: some Memory, after batches: [Batch], using rng: inout Random) -> [Int] {
    var memory = memory
    for batch in batches { memory.insert(batch, context(), using: &rng) }
    return numbers(memory)
  }
}

/// Pearson's statistic and its limit.
enum ChiSquare {
  /// Σ (observed − expected)² / expected
  static func statistic(_ observed: [Int], expected: Double) -> Double {
    observed.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
  }

  /// Of inclusion counts over simple random samples of `sizes[s]` out of n items: Σ (cᵢ − c̄)² over the sum of the
  /// samples' variances m(n − m)/(n(n − 1)); n − 1 degrees of freedom.
  static func inclusion(_ counts: [Int], sizes: [Int]) -> Double {
    let n = Double(counts.count)
    let mean = Double(counts.reduce(0, +)) / n
    let variance = sizes.reduce(0.0) { $0 + Double($1) * (n - Double($1)) / (n * (n - 1)) }
    return counts.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / variance
  }

  /// Exceeded by chance once in 10,000 (Wilson & Hilferty's approximation, z = 3.719).
  static func limit(_ degrees: Int) -> Double {
    let k = Double(degrees)
    let root = 1 - 2 / (9 * k) + 3.719 * (2 / (9 * k)).squareRoot()
    return k * root * root * root
  }
}
