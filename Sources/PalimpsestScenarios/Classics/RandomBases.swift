import PalimpsestCore

/// Points about random centres, each of which has a class, a weight and a spread; with a speed the centres move.
///
/// - Rows: a centre is drawn by its weight, a direction from the cube [−1, 1]ⁿ, a distance from N(0, spread). Centres, spreads and
///   weights are uniform in [0, 1], classes uniform, all drawn by the seed and the concept's number. From row to row of the stream the
///   first `drifting` centres move by `speed` along a direction of their own, and are reflected at 0 and 1. (MOA stops them at the
///   wall for a row.) The movement goes on across concepts.
/// - Truth: p* in closed form; accuracies and distances are means over the test rows of each seed. A task's own concept is the one
///   behind its last row.
public struct RandomBases: GeneratorScenario {
  public static let name = "rbf"
  public static let summary = "Random radial basis functions: points about random centres, which may move."
  public static let source = """
    Bifet et al. 2009 (MOA's RandomRBFGeneratorDrift). There speed is 0 unless set and nothing drifts; here concepts differ.
    """
  public static let drawsConcepts = true

  @Parameter(
    "The set of centres of each task, by a number; equal numbers are one set.",
    Bounds.within(0...1_000_000).count(atLeast: 1))
  public var concepts: [Int] = [1, 2, 3, 4, 5]
  @Parameter("Columns.", .within(1...10_000)) public var attributes: Int = 10
  @Parameter("Labels that the centres have.", .within(2...1000)) public var classes: Int = 2
  @Parameter("Centres.", .within(1...10_000)) public var centres: Int = 50
  @Parameter("What a centre moves by from row to row; 0: centres stay.", .within(0...1)) public var speed: Double = 0
  @Parameter("Centres that move, the first ones; null: all.", .within(0...10_000)) public var drifting: Int? = nil
  public var rows = GeneratorSettings()

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (concepts.count, attributes) }

  public func checkConcepts() throws(ScenarioError) {
    guard let drifting, drifting > centres else { return }
    throw ScenarioError(
      parameter: "drifting", "\(drifting) centres move, and there are \(centres). Take at most \(centres).")
  }

  public func generator(seed: Seed) -> any ConceptGenerator { BasesLaw(self, seed) }
}

struct BasesLaw: ConceptGenerator {
  let columns: [String]
  let labels: [String]
  let concepts: [String]
  private let sets: [[RadialBasis]]

  init(_ settings: RandomBases, _ seed: Seed) {
    columns = (0..<settings.attributes).map { "x\($0)" }
    labels = (0..<settings.classes).map { String($0) }
    concepts = settings.concepts.map { "centres \($0)" }
    let drifting = settings.drifting ?? settings.centres
    sets = settings.concepts.map { concept in
      let own = seed.derived("rbf-centres", concept)
      let bases = (0..<settings.centres).map { centre in
        RadialBasis(own, centre, settings, speed: centre < drifting ? settings.speed : 0)
      }
      let sum = bases.reduce(0) { $0 + $1.weight }
      return bases.map { $0.weighing($0.weight / sum) }
    }
  }

  var truth: GeneratorTruth { .ofTestRows }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let basis = basis(sets[moment.concept], drawing: draws.uniform(.label))
    let direction = inputs.indices.map { 2 * draws.uniform(.inputs, $0) - 1 }
    let length = direction.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let distance = basis.spread * draws.normal(.noise)
    for column in inputs.indices {
      inputs[column] = Float(basis.place(column, at: moment.row) + direction[column] * distance / length)
    }
    return basis.label
  }

  private func basis(_ bases: [RadialBasis], drawing u: Double) -> RadialBasis {
    var sum = 0.0
    for basis in bases {
      sum += basis.weight
      if u < sum { return basis }
    }
    return bases[bases.count - 1]
  }

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    let bases = sets[moment.concept]
    let logs = bases.map { $0.logDensity(at: inputs, row: moment.row) }
    let most = logs.max() ?? 0
    var sums = [Double](repeating: 0, count: labels.count)
    for (basis, log) in zip(bases, logs) { sums[basis.label] += Elementary.exp(log - most) }
    let sum = sums.reduce(0, +)
    return sums.map { $0 / sum }
  }
}

/// A centre with what belongs to it.
private struct RadialBasis: Sendable {
  let label: Int
  let spread: Double
  private(set) var weight: Double
  private let centre: [Double]
  /// What each coordinate changes by in a row; empty where it stays.
  private let step: [Double]

  private enum Draw: Int { case centre, label, spread, weight, direction }

  init(_ seed: Seed, _ number: Int, _ settings: RandomBases, speed: Double) {
    func uniform(_ draw: Draw, _ index: Int = 0) -> Double { seed.uniform(number, draw.rawValue, index) }
    label = min(settings.classes - 1, Int(uniform(.label) * Double(settings.classes)))
    spread = uniform(.spread)
    weight = uniform(.weight)
    centre = (0..<settings.attributes).map { uniform(.centre, $0) }
    let direction = centre.indices.map { uniform(.direction, $0) }
    let length = direction.reduce(0) { $0 + $1 * $1 }.squareRoot()
    step = speed > 0 ? direction.map { speed * $0 / length } : []
  }

  func weighing(_ weight: Double) -> RadialBasis {
    var copy = self
    copy.weight = weight
    return copy
  }

  /// A coordinate of the centre before a row, folded back into [0, 1].
  func place(_ column: Int, at row: Int) -> Double {
    if step.isEmpty { return centre[column] }
    let whole = centre[column] + Double(row) * step[column]
    let rest = whole - 2 * (whole / 2).rounded(.down)
    return rest <= 1 ? rest : 2 - rest
  }

  /// ln of weight · density but for what all centres share: with r the Euclidean and s the largest distance,
  /// (w/σ) e^(−r²/2σ²) r^−(n−1) (s/r)^−n.
  func logDensity(at inputs: [Float], row: Int) -> Double {
    var (square, largest) = (0.0, 0.0)
    for column in inputs.indices {
      let distance = abs(Double(inputs[column]) - place(column, at: row))
      square += distance * distance
      largest = max(largest, distance)
    }
    square = max(square, 1e-200)
    largest = max(largest, 1e-100)
    return Elementary.log(weight / spread) - square / (2 * spread * spread) + Elementary.log(square) / 2
      - Double(inputs.count) * Elementary.log(largest)
  }
}
