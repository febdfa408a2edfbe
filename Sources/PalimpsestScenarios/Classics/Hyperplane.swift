import PalimpsestCore

/// Which side of a hyperplane is a point on? y = 1 where Σ w_i x_i ≥ ½ Σ w_i. Concepts are hyperplanes of their own, and with a
/// speed each of them turns from row to row.
///
/// - Rows: x uniform in [0, 1]ⁿ; w uniform in [0, 1]ⁿ, drawn by the seed and the concept's number. After each row of the stream
///   the first `drifting` weights change by σ_i · `speed`; σ_i begins at +1 and is turned over with probability `turning`. As in MOA
///   nothing keeps weights in [0, 1]. The movement goes on across concepts: w of a concept that comes again is the one drawn plus
///   all movement so far.
/// - Truth: B is exact; where hyperplanes differ is estimated over 16,384 points of a Kronecker sequence, within about .005. A task's
///   own concept is the hyperplane behind its last row.
public struct Hyperplane: GeneratorScenario {
  public static let name = "hyperplane"
  public static let summary = "Rotating hyperplane: which side is a point on? Concepts are hyperplanes, which may turn."
  public static let source = """
    Hulten et al. 2001, in MOA's form. There speed is 0 unless set and nothing drifts; here concepts differ. Of a noise of \
    .05 a label has .05 (River turns .04 over).
    """
  public static let drawsConcepts = true
  /// Weights lie between those of two planes.
  public static var obstacleToBlending: String? { nil }

  @Parameter(
    "The hyperplane of each task, by a number; equal numbers are one hyperplane.",
    Bounds.within(0...1_000_000).count(atLeast: 1))
  public var concepts: [Int] = [1, 2, 3, 4, 5]
  @Parameter("Columns.", .within(2...10_000)) public var attributes: Int = 10
  @Parameter("What a weight changes by from row to row; 0: hyperplanes do not turn.", .within(0...1))
  public var speed: Double = 0
  @Parameter("Weights that change, the first ones; at most attributes.", .within(0...10_000)) public var drifting: Int =
    2
  @Parameter("Probability that a weight's change turns round, at each row.", .within(0...1)) public var turning:
    Double =
      0.1
  @Parameter("Probability that a label is turned over.", .within(0...0.5)) public var noise: Double = 0.05
  public var rows = GeneratorSettings()

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (concepts.count, attributes) }

  public func checkConcepts() throws(ScenarioError) {
    guard drifting > attributes else { return }
    throw ScenarioError(
      parameter: "drifting", "\(drifting) weights change, and there are \(attributes). Take at most \(attributes).")
  }

  public func generator(seed: Seed) -> any ConceptGenerator { HyperplaneLaw(self, seed) }
}

package struct HyperplaneLaw: RuleGenerator {
  package let columns: [String]
  package let concepts: [String]
  package let noise: Double
  private let weights: [[Double]]
  private let movement: WeightMovement
  private let rowsPerTask: Int

  private static let points = 16_384

  init(_ settings: Hyperplane, _ seed: Seed) {
    columns = (0..<settings.attributes).map { "x\($0)" }
    concepts = settings.concepts.map { "plane \($0)" }
    noise = settings.noise
    rowsPerTask = settings.rows.rowsPerTask
    weights = settings.concepts.map { concept in
      let own = seed.derived("hyperplane-weights", concept)
      return (0..<settings.attributes).map { own.uniform($0, 0, 0) }
    }
    movement = WeightMovement(settings, seed.derived("hyperplane-movement"))
  }

  /// The weights of a moment.
  package func weights(at moment: ConceptMoment) -> [Double] {
    let own = weights[moment.concept]
    var weights = moment.blend == nil ? own : own.indices.map { i in moment.blended { self.weights[$0][i] } }
    for (i, change) in movement.changes(at: moment.row).enumerated() { weights[i] += change }
    return weights
  }

  package func drawInputs(_ draws: RowDraws, into inputs: inout [Float]) {
    for column in inputs.indices { inputs[column] = Float(draws.uniform(.inputs, column)) }
  }

  package func isPositive(_ inputs: [Float], _ moment: ConceptMoment) -> Bool {
    var sum = 0.0
    for (weight, x) in zip(weights(at: moment), inputs) { sum += weight * (Double(x) - 0.5) }
    return sum >= 0
  }

  package var cells: [RuleCell] {
    let moments = concepts.indices.map { ConceptMoment(concept: $0, row: ($0 + 1) * rowsPerTask) }
    return sampledCells(moments, draws: columns.count, points: HyperplaneLaw.points)
  }
}

/// By how much weights have changed before each row of a stream.
private struct WeightMovement: Sendable {
  private let speed: Double
  private let count: Int
  /// Rows + 1 × count: Σ σ_i over the rows before; empty where nothing moves.
  private let steps: [Int32]

  init(_ settings: Hyperplane, _ seed: Seed) {
    (speed, count) = (settings.speed, settings.drifting)
    guard speed > 0 && count > 0 else {
      steps = []
      return
    }
    let rows = max(settings.concepts.count, settings.rows.shift.tasks ?? 0) * settings.rows.rowsPerTask
    var steps = [Int32](repeating: 0, count: (rows + 1) * count)
    var signs = [Int32](repeating: 1, count: count)
    for row in 0..<rows {
      for i in 0..<count {
        steps[(row + 1) * count + i] = steps[row * count + i] + signs[i]
        if seed.uniform(row, i, 0) < settings.turning { signs[i] = -signs[i] }
      }
    }
    self.steps = steps
  }

  /// One for each weight that moves.
  func changes(at row: Int) -> [Double] {
    steps.isEmpty ? [] : steps[row * count..<(row + 1) * count].map { speed * Double($0) }
  }
}
