import PalimpsestCore

/// Loan applications of nine columns; a function of a few of them says who belongs to group A, label 1.
///
/// - Rows: salary 20,000–150,000; commission, 0 from a salary of 75,000 on; age 20–80; education level 0–4; car 1–20; zip code 0–8;
///   house value; years owned 1–30; loan 0–500,000. Of them some functions read a few and none reads the car. Shown in [0, 1] by default.
/// - Truth: rules, so p* is exact; where functions differ is estimated over 131,072 points of a Kronecker sequence, within about
///   .001. With a perturbation rows no longer decide their labels, and p* and truth are unknown.
public struct Agrawal: GeneratorScenario {
  public static let name = "agrawal"
  public static let summary = "Agrawal: loan applications of nine columns, grouped by one of ten functions."
  public static let source = """
    Agrawal et al. 1993; functions and ranges as in MOA, or as in River 0.26.1, which differs in commission, house value, \
    function 5 and the threshold of 7 to 10. Group A is label 1 in both. A perturbation keeps house values within their own \
    range (both clip them to 135,000, which most exceed).
    """

  /// Whose ranges and functions.
  public enum Variant: String, ParameterChoice { case moa, river }
  /// Whether columns are shown between 0 and 1 or as they are drawn.
  public enum Scale: String, ParameterChoice { case unit, none }

  @Parameter("The function of each task, from 1 to 10; one may come again.", Bounds.atLeast(1).count(atLeast: 1))
  public var concepts: [Int] = [1, 2, 3, 4, 5]
  @Parameter("Whose ranges and functions.") public var variant: Variant = .moa
  @Parameter("Probability that a label is turned over.", .within(0...0.5)) public var noise: Double = 0
  @Parameter(
    "Largest change of a number after the label is set, as a share of its range; above 0 there is no p*.",
    .within(0...1))
  public var perturbation: Double = 0
  @Parameter("Whether columns are shown between 0 and 1 (unit) or as they are (none).") public var scale: Scale = .unit
  public var rows = GeneratorSettings()

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (concepts.count, 9) }
  public func checkConcepts() throws(ScenarioError) { try checkNumbers(concepts, upTo: 10, "function of agrawal") }
  public func generator(seed: Seed) -> any ConceptGenerator { AgrawalLaw(self) }
}

struct AgrawalLaw: RuleGenerator {
  private let functions: [AgrawalFunction]
  private let ranges: AgrawalRanges
  private let perturbation: Double
  private let isScaled: Bool
  let noise: Double

  private static let points = 131_072

  init(_ settings: Agrawal) {
    functions = settings.concepts.map { AgrawalFunction(number: $0, isRivers: settings.variant == .river) }
    ranges = AgrawalRanges(isRivers: settings.variant == .river)
    (perturbation, noise) = (settings.perturbation, settings.noise)
    isScaled = settings.scale == .unit
  }

  let columns = [
    "salary", "commission", "age", "education", "car", "zipcode", "house value", "years owned", "loan",
  ]
  var concepts: [String] { functions.map { "function \($0.number)" } }
  var scales: [InputScaling] { isScaled ? ranges.scales : [] }

  func drawInputs(_ draws: RowDraws, into inputs: inout [Float]) { ranges.draw(draws, into: &inputs) }

  func isPositive(_ inputs: [Float], _ moment: ConceptMoment) -> Bool {
    functions[moment.concept].isGroupA(Application(inputs))
  }

  /// The label is that of the numbers before they are perturbed.
  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    drawInputs(draws, into: &inputs)
    let isTurned = draws.uniform(.noise) < noise
    let label = isPositive(inputs, moment) != isTurned ? 1 : 0
    if perturbation > 0 { ranges.perturb(&inputs, by: perturbation, draws) }
    return label
  }

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    if perturbation > 0 { return nil }
    return isPositive(inputs, moment) ? [noise, 1 - noise] : [1 - noise, noise]
  }

  var cells: [RuleCell] {
    sampledCells(functions.indices.map { ConceptMoment(concept: $0, row: 0) }, draws: 9, points: AgrawalLaw.points)
  }

  var truth: GeneratorTruth {
    perturbation > 0 ? .unknown : .ofLaw(RuleTruth(cells, noise: noise).truth)
  }
}

/// The ranges that columns are drawn from.
struct AgrawalRanges: Sendable {
  let isRivers: Bool

  /// Most of a commission, and the number that a zip code is taken from.
  private var mostCommission: Double { isRivers ? 85_000 : 75_000 }
  private var zones: Double { isRivers ? 8 : 9 }

  func draw(_ draws: RowDraws, into inputs: inout [Float]) {
    let u = (0..<9).map { draws.uniform(.inputs, $0) }
    func whole(_ column: Int, _ count: Int) -> Double { (u[column] * Double(count)).rounded(.down) }
    let salary = 20_000 + 130_000 * u[0]
    let zip = whole(5, 9)
    let values = [
      salary, salary >= 75_000 ? 0 : 10_000 + (mostCommission - 10_000) * u[1], 20 + whole(2, 61), whole(3, 5),
      1 + whole(4, 20), zip, (zones - zip) * 100_000 * (0.5 + u[6]), 1 + whole(7, 30), 500_000 * u[8],
    ]
    for column in values.indices { inputs[column] = Float(values[column]) }
  }

  /// Moves salary, commission (where there is one), age, house value, years and loan by up to a share of their range and keeps them
  /// within it; ages and years stay whole.
  func perturb(_ inputs: inout [Float], by share: Double, _ draws: RowDraws) {
    let zone = (zones - Double(inputs[5])) * 100_000
    let ranges: [(column: Int, low: Double, high: Double)] = [
      (0, 20_000, 150_000), (1, 10_000, mostCommission), (2, 20, 80), (6, 0.5 * zone, 1.5 * zone), (7, 1, 30),
      (8, 0, 500_000),
    ]
    for (column, low, high) in ranges where column != 1 || inputs[1] > 0 {
      let moved = Double(inputs[column]) + (high - low) * (2 * draws.uniform(.noise, 1 + column) - 1) * share
      let kept = min(high, max(low, moved))
      inputs[column] = Float(column == 2 || column == 7 ? kept.rounded() : kept)
    }
  }

  /// To [0, 1].
  var scales: [InputScaling] {
    let house = Float(1.5 * zones * 100_000)
    let ranges: [(Float, Float)] = [
      (20_000, 130_000), (0, Float(mostCommission)), (20, 60), (0, 4), (1, 19), (0, 8), (0, house), (1, 29),
      (0, 500_000),
    ]
    return ranges.map { .column(shift: $0.0, divisor: $0.1) }
  }
}
