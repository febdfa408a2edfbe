import PalimpsestCore

/// A generator that knows how often it makes a row with a label: p* follows, and so does the best single rule for all concepts.
///
/// With equally many rows of each task that rule answers argmax_y Σ_k p_k(x, y): the mean of the concepts' posteriors, each weighted
/// by its density where the row lies. J* is what the rule scores.
protocol DensityGenerator: ConceptGenerator {
  /// ln p(x, y | concept) but for a term that all concepts share, one a label; −∞ where the concept makes no such row.
  /// - Parameter inputs: as drawn, not scaled.
  func logDensities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]
}

extension DensityGenerator {
  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    shares(ofLogs: logDensities(inputs, moment))
  }

  func logDensity(_ inputs: [Float], _ moment: ConceptMoment) -> Double? {
    let logs = logDensities(inputs, moment)
    let most = logs.max() ?? 0
    return most == -.infinity ? most : most + Elementary.log(logs.reduce(0) { $0 + Elementary.exp($1 - most) })
  }

  /// What the best single rule answers to a row.
  /// - Parameter moments: one a task.
  func jointAnswer(_ inputs: [Float], _ moments: [ConceptMoment]) -> Int {
    let logs = moments.map { logDensities(inputs, $0) }
    let most = logs.joined().max() ?? 0
    let sums = logs.transposed.map { $0.reduce(0) { $0 + Elementary.exp($1 - most) } }
    let sum = sums.reduce(0, +)
    return bestLabel(sums.map { $0 / sum })
  }
}

/// e^log over their sum.
func shares(ofLogs logs: [Double]) -> [Double] {
  let most = logs.max() ?? 0
  let weights = logs.map { Elementary.exp($0 - most) }
  let sum = weights.reduce(0, +)
  return weights.map { $0 / sum }
}
