import Palimpsest

/// Two Gaussian clouds about ±r·(cos α, sin α), each of deviation 1, whose axis α turns from task to task.
///
/// Both labels are equally frequent, so p*(1 | x) = σ(2r (x₁ cos α + x₂ sin α)), and the best rule is right with probability Φ(r).
public struct TurningClouds: Scenario {
  public static let name = "turning-clouds"
  public static let summary = "Two Gaussian clouds whose axis turns by the same angle from task to task."
  public static let source = "An example. The truth is exact."

  @Parameter("Tasks.", .within(1...1000)) public var tasks: Int = 5
  @Parameter("Degrees from one task to the next.", .within(-360...360)) public var turn: Double = 45
  @Parameter("r: distance of a cloud's middle from 0.", .above(0)) public var distance: Double = 1.5
  @Parameter("Training rows a task.", .within(1...1_000_000)) public var rowsPerTask: Int = 1000
  @Parameter("Test rows a task.", .within(1...1_000_000)) public var testRows: Int = 2000

  public init() {}

  public var outline: StreamOutline { StreamOutline(tasks: tasks, trainingRows: rowsPerTask) }

  public func check() throws(ScenarioError) {
    guard tasks * (rowsPerTask + testRows) <= 20_000_000 else {
      throw ScenarioError(
        parameter: "tasks", "\(tasks) tasks of that many rows are more than 20000000 rows. Take fewer.")
    }
  }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    PreparedClouds(settings: self)
  }
}

/// Nothing is prepared: rows follow from settings and seed.
struct PreparedClouds: PreparedScenario {
  let settings: TurningClouds

  func makeStream(seed: Seed) -> any DriftStream { CloudStream(settings, seed) }
}

/// The law of one task.
struct CloudLaw: Sendable {
  private let cosine: Double
  private let sine: Double
  private let distance: Double

  init(_ settings: TurningClouds, task: Int) {
    let angle = Double(task) * settings.turn * Double.pi / 180
    (cosine, sine, distance) = (Elementary.cos(angle), Elementary.sin(angle), settings.distance)
  }

  /// p*(1 | x) of a row.
  func probability(_ inputs: Matrix, row: Int) -> Double {
    Elementary.logistic(2 * distance * (Double(inputs[row, 0]) * cosine + Double(inputs[row, 1]) * sine))
  }

  func rows(_ count: Int, of task: Int, using rng: inout Random) -> Rows {
    var inputs = Matrix(rows: count, columns: 2)
    var labels: [Int32] = []
    var truth: [Float] = []
    for row in 0..<count {
      let label = rng.index(below: 2)
      let side = label == 1 ? distance : -distance
      inputs[row, 0] = Float(side * cosine + rng.normal())
      inputs[row, 1] = Float(side * sine + rng.normal())
      labels.append(Int32(label))
      truth.append(Float(probability(inputs, row: row)))
    }
    return Rows(inputs, labels: labels, experience: task, truth: truth)
  }
}

/// The tasks of one seed.
struct CloudStream: DriftStream {
  let shape = TaskShape(inputs: 2, outputs: 1)
  let experiences: [ExperienceInfo]
  let truth: ScenarioTruth?
  private let training: [Rows]
  private let tests: [Rows]

  init(_ settings: TurningClouds, _ seed: Seed) {
    let laws = (0..<settings.tasks).map { CloudLaw(settings, task: $0) }
    training = laws.indices.map { task in
      var rng = seed.stream("clouds-training", task)
      return laws[task].rows(settings.rowsPerTask, of: task, using: &rng)
    }
    tests = laws.indices.map { task in
      var rng = seed.stream("clouds-test", task)
      return laws[task].rows(settings.testRows, of: task, using: &rng)
    }
    experiences = laws.indices.map { task in
      ExperienceInfo(
        index: task, name: "turn \(task + 1)", outputs: 0..<1, seenOutputs: 0..<1, rows: settings.rowsPerTask)
    }
    truth = cloudTruth(laws, tests)
  }

  func trainingRows(for experience: Int) -> Rows { training[experience] }

  func evaluationSet(for experience: Int) -> EvaluationSet {
    EvaluationSet(rows: tests[experience], knownExperience: nil, candidates: 0..<1)
  }
}

/// What the laws themselves would score on each task's test rows, and how far they lie apart there. J* is not known.
private func cloudTruth(_ laws: [CloudLaw], _ tests: [Rows]) -> ScenarioTruth {
  let inputs = tests.map { $0.batch.inputs }
  /// The mean over task k's rows of a function of p_k and p_j: row j, column k.
  func means(_ value: (_ own: Double, _ other: Double) -> Double) -> [[Double]] {
    laws.indices.map { j in
      laws.indices.map { k in
        let sum = (0..<inputs[k].rows).reduce(0.0) { sum, row in
          sum + value(laws[k].probability(inputs[k], row: row), laws[j].probability(inputs[k], row: row))
        }
        return sum / Double(inputs[k].rows)
      }
    }
  }
  let accuracy = means { own, other in other >= 0.5 ? own : 1 - own }
  return ScenarioTruth(
    bayesAccuracy: accuracy.indices.map { accuracy[$0][$0] }, crossAccuracy: accuracy,
    totalVariation: means { own, other in abs(other - own) },
    hellinger: means { own, other in
      max(0, 1 - (own * other).squareRoot() - ((1 - own) * (1 - other)).squareRoot()).squareRoot()
    },
    jointCeiling: .nan)
}
