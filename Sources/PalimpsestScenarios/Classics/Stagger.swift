import PalimpsestCore

/// Objects of three sizes, colours and shapes, each equally likely; a rule of a few words says which are meant.
///
/// | concept | positive where | rate |
/// |---|---|---|
/// | 1 | small and red | 1/9 |
/// | 2 | green or circle | 5/9 |
/// | 3 | medium or large | 2/3 |
///
/// - Rows: nine columns of 0 and 1, one a value.
/// - Truth: exact, over the 27 objects.
public struct Stagger: GeneratorScenario {
  public static let name = "stagger"
  public static let summary = "STAGGER concepts: three rules over objects of three sizes, colours and shapes."
  public static let source =
    "Schlimmer & Granger 1986; rules as in MOA. Strong, hidden drift: no single rule has more than .691."

  @Parameter(
    "The rule of each task: 1 small and red, 2 green or circle, 3 medium or large. One may come again.",
    Bounds.atLeast(1).count(atLeast: 1))
  public var concepts: [Int] = [1, 2, 3]
  @Parameter("Probability that a label is turned over.", .within(0...0.5)) public var noise: Double = 0
  public var rows = GeneratorSettings()

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (concepts.count, 9) }
  public func checkConcepts() throws(ScenarioError) { try checkNumbers(concepts, upTo: 3, "rule of STAGGER") }
  public func generator(seed: Seed) -> any ConceptGenerator { StaggerLaw(rules: concepts, noise: noise) }
}

struct StaggerLaw: RuleGenerator {
  /// Counted from 1.
  let rules: [Int]
  let noise: Double

  let columns = ["small", "medium", "large", "red", "green", "blue", "circle", "square", "triangle"]
  var concepts: [String] { rules.map { ["small and red", "green or circle", "medium or large"][$0 - 1] } }

  func drawInputs(_ draws: RowDraws, into inputs: inout [Float]) {
    show((0..<3).map { draws.index(below: 3, .inputs, $0) }, in: &inputs)
  }

  /// - Parameter object: size, colour and shape, each in 0..<3.
  private func show(_ object: [Int], in inputs: inout [Float]) {
    for column in 0..<9 { inputs[column] = object[column / 3] == column % 3 ? 1 : 0 }
  }

  func isPositive(_ inputs: [Float], _ moment: ConceptMoment) -> Bool {
    switch rules[moment.concept] {
    case 1: inputs[0] == 1 && inputs[3] == 1
    case 2: inputs[4] == 1 || inputs[6] == 1
    default: inputs[1] == 1 || inputs[2] == 1
    }
  }

  /// One an object.
  var cells: [RuleCell] {
    var inputs = [Float](repeating: 0, count: 9)
    return (0..<27).map { object in
      show([object / 9, object / 3 % 3, object % 3], in: &inputs)
      return RuleCell(
        weight: 1.0 / 27, answers: rules.indices.map { isPositive(inputs, ConceptMoment(concept: $0, row: 0)) })
    }
  }
}
