import PalimpsestCore

/// Three numbers, two of which decide: y = 1 where x₁ + x₂ > θ, and θ is the concept.
///
/// - Rows: x uniform in [0, 10]³, shown in [0, 1]³ by default; x₃ is irrelevant.
/// - Truth: exact, by area: P(x₁ + x₂ ≤ θ) = θ²/200 up to 10, 1 − (20 − θ)²/200 beyond.
public struct SEA: GeneratorScenario {
  public static let name = "sea"
  public static let summary =
    "SEA concepts: is the sum of two of three numbers above a threshold, which is the concept?"
  public static let source = """
    Street & Kim 2001, with MOA's thresholds and noise. A weak test of forgetting: over the default thresholds a perfect \
    tracker forgets .102.
    """

  /// A threshold lies between two others.
  public static var obstacleToBlending: String? { nil }

  /// Whether columns are shown between 0 and 1 or as they are drawn.
  public enum Scale: String, ParameterChoice { case unit, none }

  @Parameter("θ of each task, in order; one may come again.", Bounds.within(0...20).count(atLeast: 1))
  public var thresholds: [Double] = [8, 9, 7, 9.5]
  @Parameter("Probability that a label is turned over.", .within(0...0.5)) public var noise: Double = 0.1
  @Parameter("Whether columns are shown over 10 (unit) or as they are (none).") public var scale: Scale = .unit
  public var rows = GeneratorSettings()

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (thresholds.count, 3) }

  public func generator(seed: Seed) -> any ConceptGenerator {
    SEALaw(thresholds: thresholds, noise: noise, isScaled: scale == .unit)
  }
}

struct SEALaw: RuleGenerator {
  let thresholds: [Double]
  let noise: Double
  let isScaled: Bool

  let columns = ["x1", "x2", "x3"]
  var concepts: [String] { thresholds.map { "θ \($0.parameterValue.numberText)" } }
  var scales: [InputScaling] { isScaled ? [.column(shift: 0, divisor: 10)] : [] }

  func drawInputs(_ draws: RowDraws, into inputs: inout [Float]) {
    for column in 0..<3 { inputs[column] = Float(10 * draws.uniform(.inputs, column)) }
  }

  func isPositive(_ inputs: [Float], _ moment: ConceptMoment) -> Bool {
    Double(inputs[0]) + Double(inputs[1]) > moment.blended { thresholds[$0] }
  }

  /// The strips between neighbouring thresholds.
  var cells: [RuleCell] {
    let edges = [0] + Set(thresholds).sorted() + [20]
    return zip(edges, edges.dropFirst()).map { low, high in
      RuleCell(weight: below(high) - below(low), answers: thresholds.map { low >= $0 })
    }
  }

  /// P(x₁ + x₂ ≤ θ).
  private func below(_ threshold: Double) -> Double {
    threshold <= 10 ? threshold * threshold / 200 : 1 - (20 - threshold) * (20 - threshold) / 200
  }
}

extension ParameterValue {
  /// A number as a file would have it.
  var numberText: String {
    if case .number(let text) = self { text } else { "" }
  }
}
