import PalimpsestCore

/// Two numbers: does a point lie below a curve?
///
/// | concept | positive where | rate |
/// |---|---|---|
/// | 1 | x₀ < sin x₁ | .4597 |
/// | 2 | not 1 | .5403 |
/// | 3 | x₀ < ½ + .3 sin 3πx₁ | .5637 |
/// | 4 | not 3 | .4363 |
///
/// - Rows: x uniform in [0, 1]².
/// - Truth: exact, by the integrals of the two curves and of the lower one.
public struct SineCurves: GeneratorScenario {
  public static let name = "sine"
  public static let summary = "SINE1, SINE2 and their reversals: does a point lie below a curve?"
  public static let source = """
    Gama et al. 2004; numbers of concepts as in MOA and River. A reversal is as much drift as there can be: it measures \
    how fast a learner adapts, and nothing can be retained across one.
    """

  @Parameter(
    "The concept of each task: 1 below sin x, 2 its reversal, 3 below 0.5 + 0.3 sin 3πx, 4 its reversal. One may come again.",
    Bounds.atLeast(1).count(atLeast: 1))
  public var concepts: [Int] = [1, 2, 3, 4]
  @Parameter("Probability that a label is turned over.", .within(0...0.5)) public var noise: Double = 0
  public var rows = GeneratorSettings()

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (concepts.count, 2) }
  public func checkConcepts() throws(ScenarioError) { try checkNumbers(concepts, upTo: 4, "concept of sine") }
  public func generator(seed: Seed) -> any ConceptGenerator { SineLaw(numbers: concepts, noise: noise) }
}

struct SineLaw: RuleGenerator {
  /// Counted from 1.
  let numbers: [Int]
  let noise: Double

  let columns = ["x0", "x1"]
  var concepts: [String] { numbers.map { ["sine 1", "sine 1 reversed", "sine 2", "sine 2 reversed"][$0 - 1] } }

  func drawInputs(_ draws: RowDraws, into inputs: inout [Float]) {
    for column in 0..<2 { inputs[column] = Float(draws.uniform(.inputs, column)) }
  }

  func isPositive(_ inputs: [Float], _ moment: ConceptMoment) -> Bool {
    let (x, t) = (Double(inputs[0]), Double(inputs[1]))
    return answer(numbers[moment.concept], isBelow: [x < Elementary.sin(t), x < SineWave.height(t)])
  }

  private func answer(_ number: Int, isBelow: [Bool]) -> Bool {
    isBelow[number <= 2 ? 0 : 1] != (number % 2 == 0)
  }

  /// Below both curves, one of them, none.
  var cells: [RuleCell] {
    let (sine, wave, both) = (1 - Elementary.cos(1), SineWave.area, SineWave.sharedArea)
    let areas = [
      (both, true, true), (sine - both, true, false), (wave - both, false, true),
      (1 - sine - wave + both, false, false),
    ]
    return areas.map { area, first, second in
      RuleCell(weight: area, answers: numbers.map { answer($0, isBelow: [first, second]) })
    }
  }
}

/// ½ + .3 sin 3πt on [0, 1].
enum SineWave {
  static func height(_ t: Double) -> Double { 0.5 + 0.3 * Elementary.sin(3 * Double.pi * t) }

  /// ½ + .2/π = .5637.
  static var area: Double { integral(0, 1) }

  /// ∫₀¹ min(sin t, height): between the places where the curves cross the integral of the lower one.
  static var sharedArea: Double {
    let edges = [0] + crossings + [1]
    return zip(edges, edges.dropFirst()).reduce(0) { sum, edge in
      let middle = (edge.0 + edge.1) / 2
      let sine = Elementary.cos(edge.0) - Elementary.cos(edge.1)
      return sum + (Elementary.sin(middle) < height(middle) ? sine : integral(edge.0, edge.1))
    }
  }

  private static func integral(_ a: Double, _ b: Double) -> Double {
    0.5 * (b - a) + 0.1 / Double.pi * (Elementary.cos(3 * Double.pi * a) - Elementary.cos(3 * Double.pi * b))
  }

  /// Where sin t = height, by bisection.
  private static var crossings: [Double] {
    func gap(_ t: Double) -> Double { Elementary.sin(t) - height(t) }
    return (0..<64).compactMap { step in
      var (low, high) = (Double(step) / 64, Double(step + 1) / 64)
      guard (gap(low) < 0) != (gap(high) < 0) else { return nil }
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if (gap(low) < 0) == (gap(middle) < 0) { low = middle } else { high = middle }
      }
      return low
    }
  }
}
