import PalimpsestCore

/// Two booleans v, w and two numbers x, y: positive where at least two of v, w and y < ½ + .3 sin 3πx hold; the second concept is
/// the complement.
///
/// - Rows: v and w fair coins, x and y uniform in [0, 1].
/// - Truth: exact: with q = ½ + .2/π the rate is ¼ + q/2 = .5318.
public struct MixedInputs: GeneratorScenario {
  public static let name = "mixed"
  public static let summary = "MIXED: at least two of two booleans and a point below a curve; or the complement."
  public static let source = """
    Gama et al. 2004; concept 1 as printed there, 2 its complement (River's function 0). Complements are as much drift as \
    there can be: the scenario measures how fast a learner adapts, and nothing can be retained.
    """

  @Parameter(
    "The concept of each task: 1 at least two of three conditions, 2 the complement. One may come again.",
    Bounds.atLeast(1).count(atLeast: 1))
  public var concepts: [Int] = [1, 2]
  @Parameter("Probability that a label is turned over.", .within(0...0.5)) public var noise: Double = 0
  public var rows = GeneratorSettings()

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (concepts.count, 4) }
  public func checkConcepts() throws(ScenarioError) { try checkNumbers(concepts, upTo: 2, "concept of mixed") }
  public func generator(seed: Seed) -> any ConceptGenerator { MixedLaw(numbers: concepts, noise: noise) }
}

struct MixedLaw: RuleGenerator {
  /// Counted from 1.
  let numbers: [Int]
  let noise: Double

  let columns = ["v", "w", "x", "y"]
  var concepts: [String] { numbers.map { $0 == 1 ? "two of three" : "complement" } }

  func drawInputs(_ draws: RowDraws, into inputs: inout [Float]) {
    for column in 0..<4 {
      let u = draws.uniform(.inputs, column)
      inputs[column] = column < 2 ? (u < 0.5 ? 1 : 0) : Float(u)
    }
  }

  func isPositive(_ inputs: [Float], _ moment: ConceptMoment) -> Bool {
    let isBelow = Double(inputs[3]) < SineWave.height(Double(inputs[2]))
    let holds = [inputs[0] == 1, inputs[1] == 1, isBelow].count { $0 }
    return (holds >= 2) == (numbers[moment.concept] == 1)
  }

  var cells: [RuleCell] {
    let rate = 0.25 + SineWave.area / 2
    return [(rate, true), (1 - rate, false)].map { weight, answer in
      RuleCell(weight: weight, answers: numbers.map { answer == ($0 == 1) })
    }
  }
}
