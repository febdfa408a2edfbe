import PalimpsestCore

/// A generator whose label is a rule of the inputs, turned over with one probability: p*(1 | x) = 1 − η where the rule says yes,
/// else η. The inputs' law is the same under all concepts, so all that is to be known follows from where rules differ.
package protocol RuleGenerator: ConceptGenerator {
  /// η: the probability that a label is turned over.
  var noise: Double { get }
  /// Draws what a row shows.
  func drawInputs(_ draws: RowDraws, into inputs: inout [Float])
  /// What the rule says.
  func isPositive(_ inputs: [Float], _ moment: ConceptMoment) -> Bool
  /// Shares of p(x) on which every concept's rule says one thing.
  var cells: [RuleCell] { get }
}

/// A part of the inputs' law, by what the rules say there.
package struct RuleCell: Sendable, Equatable {
  /// Probability.
  package var weight: Double
  /// One a concept.
  package let answers: [Bool]
}

extension RuleGenerator {
  package func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    drawInputs(draws, into: &inputs)
    let isTurned = draws.uniform(.noise) < noise
    return isPositive(inputs, moment) != isTurned ? 1 : 0
  }

  package func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    isPositive(inputs, moment) ? [noise, 1 - noise] : [1 - noise, noise]
  }

  /// All concepts have the same inputs.
  package func logDensity(_ inputs: [Float], _ moment: ConceptMoment) -> Double? { 0 }

  package var truth: GeneratorTruth { .ofLaw(RuleTruth(cells, noise: noise).truth) }

  /// Cells by a Kronecker sequence over the inputs.
  /// - Parameters:
  ///   - moments: one a concept.
  ///   - draws: uniform numbers that a row's inputs take.
  func sampledCells(_ moments: [ConceptMoment], draws: Int, points: Int) -> [RuleCell] {
    let steps = RowDraws.kroneckerSteps(draws)
    var inputs = [Float](repeating: 0, count: columns.count)
    var counts: [[Bool]: Int] = [:]
    var order: [[Bool]] = []
    for point in 0..<points {
      drawInputs(RowDraws(latticePoint: point, steps: steps), into: &inputs)
      let answers = moments.map { isPositive(inputs, $0) }
      if counts[answers] == nil { order.append(answers) }
      counts[answers, default: 0] += 1
    }
    return order.map { RuleCell(weight: Double(counts[$0] ?? 0) / Double(points), answers: $0) }
  }
}

/// Everything that is to be known of rules under symmetric noise. With D_jk the probability that rules j and k differ:
///
///     B = 1 − η      C_jk = 1 − η − (1 − 2η) D_jk      TV_jk = (1 − 2η) D_jk      H_jk = √(1 − 2 √(η (1 − η))) D_jk
///     J* = η + (1 − 2η) E max(votes, T − votes) / T
///
/// J* is exact: where the rules disagree the best single answer is that of the most.
struct RuleTruth {
  let truth: ScenarioTruth

  init(_ cells: [RuleCell], noise: Double) {
    let tasks = cells.first?.answers.count ?? 0
    var differ = [[Double]](repeating: [Double](repeating: 0, count: tasks), count: tasks)
    var most = 0.0
    for cell in cells {
      let yes = cell.answers.count { $0 }
      most += cell.weight * Double(max(yes, tasks - yes)) / Double(tasks)
      guard yes > 0 && yes < tasks else { continue }
      for j in 0..<tasks {
        for k in 0..<tasks where cell.answers[j] != cell.answers[k] { differ[j][k] += cell.weight }
      }
    }
    let certainty = 1 - 2 * noise
    let step = max(0, 1 - 2 * (noise * (1 - noise)).squareRoot()).squareRoot()
    truth = ScenarioTruth(
      bayesAccuracy: [Double](repeating: 1 - noise, count: tasks),
      crossAccuracy: differ.map { $0.map { 1 - noise - certainty * $0 } },
      totalVariation: differ.map { $0.map { certainty * $0 } }, hellinger: differ.map { $0.map { step * $0 } },
      jointCeiling: noise + certainty * most)
  }
}
