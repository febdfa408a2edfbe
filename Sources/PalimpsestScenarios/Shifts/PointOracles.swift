import PalimpsestCore

/// What the laws of one shifted law would score, and how far they lie apart, at points that all tasks share: a task's weights stand for
/// its inputs. The numbers are the law's, the same for any rows; where the base is a rule and the operator looks at labels
/// they are exact, else within about .01.
///
/// J* is that of the points: the best answer at each is that of the largest Σ_k w_k p_k.
struct PointOracles {
  let truth: ScenarioTruth

  /// - Parameter moments: one a task.
  /// - Cost: at each of the points p* of every task, and pairs of them.
  init(_ shifted: ShiftedLaw, _ moments: [ConceptMoment]) {
    let tasks = moments.indices
    let points = moments.map { shifted.points(at: $0) }
    var accuracy = [[Double]](repeating: [Double](repeating: 0, count: tasks.count), count: tasks.count)
    var (variation, hellinger, joint) = (accuracy, accuracy, 0.0)
    for row in 0..<InputPoints.count {
      let inputs = Array(points[0].inputs.row(row))
      let laws = moments.map { shifted.probabilities(inputs, $0) ?? [] }
      let answers = laws.map(bestLabel)
      var sums = [Double](repeating: 0, count: laws[0].count)
      for k in tasks {
        let weight = points[k].weights[row]
        for (label, p) in laws[k].enumerated() { sums[label] += weight * p / Double(tasks.count) }
        for j in tasks {
          accuracy[j][k] += weight * laws[k][answers[j]]
          guard j != k else { continue }
          variation[j][k] += weight * Distance.totalVariation(laws[j], laws[k])
          hellinger[j][k] += weight * Distance.hellinger(laws[j], laws[k])
        }
      }
      joint += sums.max() ?? 0
    }
    truth = ScenarioTruth(
      bayesAccuracy: tasks.map { accuracy[$0][$0] }, crossAccuracy: accuracy, totalVariation: variation,
      hellinger: hellinger, jointCeiling: joint)
  }
}
