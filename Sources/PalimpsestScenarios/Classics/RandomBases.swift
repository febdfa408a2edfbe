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
  /// Centres lie between those of two sets.
  public static var obstacleToBlending: String? { nil }

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
  private let sets: [RadialBases]

  init(_ settings: RandomBases, _ seed: Seed) {
    columns = (0..<settings.attributes).map { "x\($0)" }
    labels = (0..<settings.classes).map { String($0) }
    concepts = settings.concepts.map { "centres \($0)" }
    sets = settings.concepts.map { RadialBases(settings, seed.derived("rbf-centres", $0)) }
  }

  var truth: GeneratorTruth { .ofTestRows }

  private func bases(_ moment: ConceptMoment) -> RadialBases {
    let own = sets[moment.concept]
    return moment.blend.map { own.blended(with: sets[$0.concept], share: $0.share) } ?? own
  }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let bases = bases(moment)
    let number = bases.number(drawing: draws.uniform(.label))
    let direction = inputs.indices.map { 2 * draws.uniform(.inputs, $0) - 1 }
    let length = direction.reduce(0) { $0 + $1 * $1 }.squareRoot()
    let distance = bases.spreads[number] * draws.normal(.noise)
    for column in inputs.indices {
      inputs[column] = Float(bases.place(number, column, at: moment.row) + direction[column] * distance / length)
    }
    return bases.labels[number]
  }

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    let bases = bases(moment)
    let logs = bases.logDensities(at: inputs, row: moment.row)
    let most = logs.max() ?? 0
    var sums = [Double](repeating: 0, count: labels.count)
    for (number, log) in logs.enumerated() { sums[bases.labels[number]] += Elementary.exp(log - most) }
    let sum = sums.reduce(0, +)
    return sums.map { $0 / sum }
  }
}

extension BasesLaw {
  func logDensity(_ inputs: [Float], _ moment: ConceptMoment) -> Double? {
    let logs = bases(moment).logDensities(at: inputs, row: moment.row)
    let most = logs.max() ?? 0
    return most + Elementary.log(logs.reduce(0) { $0 + Elementary.exp($1 - most) })
  }
}

/// Centres with what belongs to each.
private struct RadialBases: Sendable {
  let labels: [Int]
  let spreads: [Double]
  /// They sum to 1.
  private let weights: [Double]
  /// ln (weight / spread).
  private let logs: [Double]
  /// Centres × columns.
  private let places: [Double]
  /// What each coordinate changes by in a row; none where all stay.
  private let steps: [Double]
  private let columns: Int

  private enum Draw: Int { case centre, label, spread, weight, direction }

  init(_ settings: RandomBases, _ seed: Seed) {
    let (centres, columns) = (settings.centres, settings.attributes)
    func uniforms(_ draw: Draw) -> [Double] { (0..<centres).map { seed.uniform($0, draw.rawValue, 0) } }
    func points(_ draw: Draw) -> [[Double]] {
      (0..<centres).map { centre in (0..<columns).map { seed.uniform(centre, draw.rawValue, $0) } }
    }
    let weights = uniforms(.weight)
    let sum = weights.reduce(0, +)
    labels = uniforms(.label).map { min(settings.classes - 1, Int($0 * Double(settings.classes))) }
    spreads = uniforms(.spread)
    self.weights = weights.map { $0 / sum }
    logs = zip(weights, spreads).map { Elementary.log($0 / sum / $1) }
    places = points(.centre).flatMap { $0 }
    self.columns = columns
    let drifting = settings.speed > 0 ? settings.drifting ?? centres : 0
    steps =
      drifting == 0
      ? []
      : points(.direction).enumerated().flatMap { centre, direction in
        let length = direction.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return direction.map { centre < drifting ? settings.speed * $0 / length : 0 }
      }
  }

  /// Each centre stands on its straight way from the other set's of the same number, with spread and weight between theirs; it
  /// has the other's class with probability `share`.
  func blended(with other: RadialBases, share: Double) -> RadialBases {
    RadialBases(self, other, share)
  }

  /// Centre i stands twice, with each of its classes.
  private init(_ own: RadialBases, _ other: RadialBases, _ share: Double) {
    func between(_ a: [Double], _ b: [Double]) -> [Double] { zip(a, b).map { (1 - share) * $0 + share * $1 } }
    func twice(_ list: [Double], each count: Int = 1) -> [Double] {
      stride(from: 0, to: list.count, by: count).flatMap { list[$0..<$0 + count] + list[$0..<$0 + count] }
    }
    columns = own.columns
    labels = zip(own.labels, other.labels).flatMap { [$0, $1] }
    spreads = twice(between(own.spreads, other.spreads))
    weights = between(own.weights, other.weights).flatMap { [(1 - share) * $0, share * $0] }
    logs = zip(weights, spreads).map { $0 > 0 ? Elementary.log($0 / $1) : -.infinity }
    places = twice(between(own.places, other.places), each: own.columns)
    steps = own.steps.isEmpty ? [] : twice(between(own.steps, other.steps), each: own.columns)
  }

  /// The centre whose weight a uniform number falls on.
  func number(drawing u: Double) -> Int {
    var sum = 0.0
    for (number, weight) in weights.enumerated() {
      sum += weight
      if u < sum { return number }
    }
    return weights.count - 1
  }

  /// A coordinate of a centre before a row, folded back into [0, 1].
  func place(_ number: Int, _ column: Int, at row: Int) -> Double {
    let index = number * columns + column
    return steps.isEmpty ? places[index] : RadialBases.folded(places[index] + Double(row) * steps[index])
  }

  @inline(__always)
  private static func folded(_ x: Double) -> Double {
    let rest = x - 2 * (x / 2).rounded(.down)
    return rest <= 1 ? rest : 2 - rest
  }

  /// ln of weight · density of each centre but for what all share: with r the Euclidean and s the largest distance,
  /// (w/σ) e^(−r²/2σ²) r^−(n−1) (s/r)^−n.
  func logDensities(at inputs: [Float], row: Int) -> [Double] {
    let (x, places, steps, row) = (inputs.span, self.places.span, self.steps.span, Double(row))
    var result = logs
    for number in result.indices {
      var (square, largest) = (1e-200, 1e-100)
      for column in 0..<columns {
        let index = number * columns + column
        let place = steps.isEmpty ? places[index] : RadialBases.folded(places[index] + row * steps[index])
        let distance = abs(Double(x[column]) - place)
        square += distance * distance
        largest = max(largest, distance)
      }
      let spread = spreads[number]
      result[number] +=
        Elementary.log(square) / 2 - square / (2 * spread * spread) - Double(columns) * Elementary.log(largest)
    }
    return result
  }
}
