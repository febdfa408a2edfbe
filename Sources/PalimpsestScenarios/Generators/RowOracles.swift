import PalimpsestCore

/// What the laws of a generator would score on rows of each task, and how far they lie apart there. No label is looked at: p* is
/// used in their place.
struct RowOracles {
  let truth: ScenarioTruth?

  /// - Parameter tasks: inputs as they were drawn, and the moment whose concept made them.
  /// - Cost: tasks² times the probabilities of a task's rows.
  init(_ generator: any ConceptGenerator, _ tasks: [(inputs: Matrix, moment: ConceptMoment)]) {
    var accuracy: [[Double]] = []
    var (variation, hellinger) = (accuracy, accuracy)
    var ceiling = 0.0
    let moments = tasks.map(\.moment)
    for task in tasks {
      let laws = tasks.map { law in
        (0..<task.inputs.rows).map { generator.probabilities(Array(task.inputs.row($0)), law.moment) ?? [] }
      }
      let own = laws[accuracy.count]
      let means = laws.map { RowOracles.means($0, against: own) }
      accuracy.append(means.map(\.accuracy))
      variation.append(means.map { min(1, $0.variation) })
      hellinger.append(means.map { min(1, $0.hellinger) })
      ceiling += RowOracles.jointAccuracy(generator, task.inputs, moments, own) / Double(tasks.count)
    }
    truth = ScenarioTruth(
      bayesAccuracy: accuracy.indices.map { accuracy[$0][$0] }, crossAccuracy: accuracy.transposed,
      totalVariation: variation.transposed, hellinger: hellinger.transposed, jointCeiling: ceiling)
  }

  /// What the best single rule scores on a task's rows; not a number where densities are not known.
  private static func jointAccuracy(
    _ generator: any ConceptGenerator, _ inputs: Matrix, _ moments: [ConceptMoment], _ own: [[Double]]
  ) -> Double {
    guard let generator = generator as? any DensityGenerator else { return .nan }
    let sum = own.indices.reduce(0.0) { $0 + own[$1][generator.jointAnswer(Array(inputs.row($1)), moments)] }
    return sum / Double(own.count)
  }

  private struct Means {
    var accuracy = 0.0
    var variation = 0.0
    var hellinger = 0.0
  }

  private static func means(_ other: [[Double]], against own: [[Double]]) -> Means {
    var means = Means()
    let share = 1 / Double(own.count)
    for (q, p) in zip(other, own) {
      means.accuracy += share * p[bestLabel(q)]
      means.variation += share * Distance.totalVariation(p, q)
      means.hellinger += share * Distance.hellinger(p, q)
    }
    return means
  }
}

/// What the best rule answers: the likeliest label, 1 of two that are equally likely, else the first one.
func bestLabel(_ p: [Double]) -> Int {
  if p.count == 2 { return p[1] >= 0.5 ? 1 : 0 }
  return p.indices.max { p[$0] < p[$1] } ?? 0
}

/// How far two laws of a label lie apart.
enum Distance {
  /// ½ Σ |p − q|.
  static func totalVariation(_ p: [Double], _ q: [Double]) -> Double {
    zip(p, q).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
  }

  /// √(1 − Σ √(p q)).
  static func hellinger(_ p: [Double], _ q: [Double]) -> Double {
    max(0, 1 - zip(p, q).reduce(0) { $0 + ($1.0 * $1.1).squareRoot() }).squareRoot()
  }
}

extension [[Double]] {
  /// Columns as rows.
  var transposed: [[Double]] {
    (self.first ?? []).indices.map { column in map { $0[column] } }
  }
}
