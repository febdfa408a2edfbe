import PalimpsestCore

/// What the laws themselves would score on rows of each task, and how far they lie apart there. No sampling of labels: p* is
/// used in their place.
struct HabitOracles: Sendable {
  /// C_jk: on task k's rows, the accuracy of answering yes where law j says at least ½.
  private(set) var accuracy: [[Double]]
  /// E_k |p_j − p_k|.
  private(set) var totalVariation: [[Double]]
  /// E_k √(1 − √(p_j p_k) − √((1 − p_j)(1 − p_k))): the mean of the distance, not the root of its mean square.
  private(set) var hellinger: [[Double]]

  /// - Cost: about 15 ns a row and law.
  init(_ laws: [HabitLaw], _ tasks: [HabitRows]) {
    let zeros = [[Double]](repeating: [Double](repeating: 0, count: tasks.count), count: laws.count)
    (accuracy, totalVariation, hellinger) = (zeros, zeros, zeros)
    for k in tasks.indices {
      let sums = HabitOracles.sums(laws, of: k, tasks[k])
      for j in laws.indices {
        accuracy[j][k] = sums[j].accuracy / Double(tasks[k].count)
        totalVariation[j][k] = sums[j].variation / Double(tasks[k].count)
        hellinger[j][k] = sums[j].hellinger / Double(tasks[k].count)
      }
    }
  }

  /// Mean over all ordered pairs of different tasks.
  var meanTotalVariation: Double {
    var sum = 0.0
    for j in totalVariation.indices { for k in totalVariation[j].indices where j != k { sum += totalVariation[j][k] } }
    return sum / Double(totalVariation.count * (totalVariation.count - 1))
  }

  /// The best mean accuracy of a single law's rule over all tasks.
  var bestRule: Double { accuracy.map { $0.reduce(0, +) / Double($0.count) }.max() ?? .nan }

  private struct Sums {
    var accuracy = 0.0
    var variation = 0.0
    var hellinger = 0.0

    @inline(__always)
    mutating func add(_ q: Double, against p: Double) {
      accuracy += q >= 0.5 ? p : 1 - p
      variation += abs(q - p)
      hellinger += max(0, 1 - (q * p).squareRoot() - ((1 - q) * (1 - p)).squareRoot()).squareRoot()
    }
  }

  private static func sums(_ laws: [HabitLaw], of task: Int, _ rows: HabitRows) -> [Sums] {
    let hours = rows.hours
    let answers = laws.map { $0.probabilities(of: rows, hours) }
    return answers.map { sums($0, against: answers[task]) }
  }

  private static func sums(_ answers: [Double], against truth: [Double]) -> Sums {
    var sums = Sums()
    let q = answers.span
    let p = truth.span
    for row in q.indices { sums.add(q[row], against: p[row]) }
    return sums
  }
}
