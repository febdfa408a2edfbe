import PalimpsestCore

/// Hundreds of unrelated tasks, one after the other: does the network still learn?
///
/// - Rows: x uniform in [0, 1]¹⁰. Task k has a teacher of its own, drawn by the seed: z = v · max(3 (x_π − ½) W, 0) with W 10 × 12 from
///   N(0, 2.2/√10), v from N(0, 1), π an order of the inputs; p* = σ(6 (z − median)/deviation). Median and deviation are those of 1,600 inputs
///   drawn for the teacher, so the law does not depend on how many rows are asked for.
/// - Truth: all teachers see one p(x), so accuracies, distances and J* are means over 2,048 points of a Kronecker sequence: .004 off at most.
public struct LongLife: GeneratorScenario {
  public static let name = "long-life"
  public static let summary = "Hundreds of unrelated tasks of one kind: what is lost is the ability to learn."
  public static let source = """
    A law of our own; loss of plasticity as in Dohare et al. 2024. No memory helps: the best single rule for all tasks is hardly better than a coin. \
    Compare accuracy on the task just learned, late and early, and with \"scratch\".
    """
  public static let drawsConcepts = true

  @Parameter("Tasks.", .within(1...1000)) public var tasks: Int = 200
  @Parameter("How certain labels are: z is scaled to this deviation.", .within(0...1000)) public var certainty: Double =
    6
  public var rows = GeneratorSettings(rowsPerTask: 600, testRows: 1000)

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (tasks, Teacher.inputs) }
  public func generator(seed: Seed) -> any ConceptGenerator { LongLifeLaw(self, seed) }
}

struct LongLifeLaw: ConceptGenerator {
  private let teachers: [Teacher]

  let columns = (1...Teacher.inputs).map { "x\($0)" }
  var concepts: [String] { teachers.indices.map { "teacher \($0 + 1)" } }
  var truth: GeneratorTruth {
    .ofLaw(CommonInputTruth(chances: TeacherPoints.inputs.map { x in teachers.map { $0.chance(x) } }).truth)
  }

  init(_ settings: LongLife, _ seed: Seed) {
    teachers = (0..<settings.tasks).map { Teacher(settings.certainty, seed.derived("long-life-teacher", $0)) }
  }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    for column in inputs.indices { inputs[column] = Float(draws.uniform(.inputs, column)) }
    return draws.uniform(.label) < teachers[moment.concept].chance(inputs) ? 1 : 0
  }

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    let p = teachers[moment.concept].chance(inputs)
    return [1 - p, p]
  }
}

/// A random network of one layer of rectified units.
package struct Teacher: Sendable {
  static let inputs = 10
  private static let units = 12
  private static let sample = 1600

  /// Units × inputs: the weight of each input as it stands in a row.
  private let weights: [[Double]]
  private let outputs: [Double]
  private var middle = 0.0
  private var factor = 1.0

  /// - Parameter certainty: deviation that z is scaled to.
  package init(_ certainty: Double, _ seed: Seed) {
    var order = Array(0..<Teacher.inputs)
    var rng = seed.stream("order")
    rng.shuffle(&order)
    let deviation = 2.2 / Double(Teacher.inputs).squareRoot()
    weights = (0..<Teacher.units).map { unit in
      order.map { deviation * Quantile.normal(seed.uniform($0, unit, 0)) }
    }
    outputs = (0..<Teacher.units).map { Quantile.normal(seed.uniform($0, 0, 1)) }
    let drawn = seed.derived("sample")
    let values = (0..<Teacher.sample).map { row in
      output((0..<Teacher.inputs).map { Float(drawn.uniform(row, 0, $0)) })
    }.sorted()
    middle = (values[Teacher.sample / 2 - 1] + values[Teacher.sample / 2]) / 2
    let mean = values.reduce(0, +) / Double(values.count)
    let variance = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(values.count)
    factor = variance > 0 ? certainty / variance.squareRoot() : 0
  }

  /// p*(1 | x).
  package func chance(_ inputs: [Float]) -> Double { Elementary.logistic(factor * (output(inputs) - middle)) }

  /// v · max(3 (x_π − ½) W, 0).
  private func output(_ inputs: [Float]) -> Double {
    zip(weights, outputs).reduce(0) { sum, unit in
      let (row, inputs) = (unit.0.span, inputs.span)
      var z = 0.0
      for place in row.indices { z += row[place] * (Double(inputs[place]) - 0.5) }
      return sum + unit.1 * max(0, 3 * z)
    }
  }
}

/// Points that teachers are compared on.
private enum TeacherPoints {
  static let inputs: [[Float]] = {
    let steps = RowDraws.kroneckerSteps(Teacher.inputs)
    return (0..<2048).map { point in
      let draws = RowDraws(latticePoint: point, steps: steps)
      return (0..<Teacher.inputs).map { Float(draws.uniform(.inputs, $0)) }
    }
  }()
}

/// What is known of laws of a yes or no that all have one p(x): the best single rule says what is likelier on average.
struct CommonInputTruth {
  let truth: ScenarioTruth

  /// - Parameter chances: p*(1 | x) of each point, one a law.
  /// - Cost: points · laws².
  init(chances: [[Double]]) {
    let laws = chances.first?.count ?? 0
    let byLaw = chances.transposed
    let roots = byLaw.map { $0.map { ($0.squareRoot(), (1 - $0).squareRoot()) } }
    var (accuracy, variation) = (CommonInputTruth.table(laws), CommonInputTruth.table(laws))
    var hellinger = variation
    let share = 1 / Double(chances.count)
    for j in 0..<laws {
      for k in 0..<laws {
        accuracy[j][k] = share * CommonInputTruth.sum(byLaw[j], byLaw[k]) { $0 >= 0.5 ? $1 : 1 - $1 }
        if k >= j { continue }
        variation[j][k] = share * CommonInputTruth.sum(byLaw[j], byLaw[k]) { abs($0 - $1) }
        hellinger[j][k] =
          share
          * CommonInputTruth.sum(roots[j], roots[k]) {
            max(0, 1 - $0.0 * $1.0 - $0.1 * $1.1).squareRoot()
          }
        (variation[k][j], hellinger[k][j]) = (variation[j][k], hellinger[j][k])
      }
    }
    let ceiling = chances.reduce(0) { sum, point in
      let mean = point.reduce(0, +) / Double(laws)
      return sum + share * max(mean, 1 - mean)
    }
    truth = ScenarioTruth(
      bayesAccuracy: (0..<laws).map { accuracy[$0][$0] }, crossAccuracy: accuracy, totalVariation: variation,
      hellinger: hellinger, jointCeiling: ceiling)
  }

  private static func table(_ size: Int) -> [[Double]] {
    [[Double]](repeating: [Double](repeating: 0, count: size), count: size)
  }

  private static func sum<T>(_ a: [T], _ b: [T], _ value: (T, T) -> Double) -> Double {
    var sum = 0.0
    for point in a.indices { sum += value(a[point], b[point]) }
    return sum
  }
}
