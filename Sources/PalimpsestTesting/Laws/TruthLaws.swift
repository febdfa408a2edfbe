import PalimpsestCore
import PalimpsestScenarios

/// Labels beside the probabilities they are said to follow.
struct LabelLaw {
  private let labels: [Int32]
  private let truth: [Float]

  init(_ labels: [Int32], _ truth: [Float]) {
    self.labels = labels
    self.truth = truth
  }

  /// Σ (y − p) is a sum of independent terms of mean 0 and variance p(1 − p), and so is Σ (p − ½)(y − p) with (p − ½)² before it:
  /// the one finds a shift, the other a slope. Beyond five deviations the labels follow another law.
  func violations(_ name: String) -> [String] {
    if !truth.allSatisfy({ (0...1).contains($0) }) { return ["p* of \(name) rows is no probability"] }
    if labels.isEmpty { return ["p* stands beside \(name) rows that have no labels"] }
    let deviations = max(abs(deviation { _ in 1 }), abs(deviation { $0 - 0.5 }))
    return deviations <= 5
      ? [] : ["labels of \(name) rows do not follow p*: they are \(Int(deviations)) standard errors from it"]
  }

  private func deviation(_ weight: (Double) -> Double) -> Double {
    var sum = 0.0
    var variance = 0.0
    for (label, p) in zip(labels, truth.map(Double.init)) {
      let weight = weight(p)
      sum += weight * (Double(label) - p)
      variance += weight * weight * p * (1 - p)
    }
    return variance > 0 ? sum / variance.squareRoot() : sum == 0 ? 0 : .infinity
  }
}

/// Labels of several classes beside their probabilities: each class against all others is a yes or no.
struct ClassLaw {
  private let labels: [Int32]
  private let probabilities: Matrix

  init(_ labels: [Int32], _ probabilities: Matrix) {
    self.labels = labels
    self.probabilities = probabilities
  }

  func violations(_ name: String) -> [String] {
    let sums = (0..<probabilities.rows).map { probabilities.row($0).reduce(0) { $0 + Double($1) } }
    if !sums.allSatisfy({ abs($0 - 1) < 1e-5 }) { return ["p* of the classes of \(name) rows does not sum to 1"] }
    let found = (0..<probabilities.columns).flatMap { label in
      let chances = (0..<probabilities.rows).map { probabilities[$0, label] }
      return LabelLaw(labels.map { $0 == Int32(label) ? 1 : 0 }, chances).violations(name)
    }
    return Array(found.prefix(1))
  }
}

/// What the stream says of its laws beside its own rows.
struct TruthLaws {
  private let stream: any DriftStream
  /// Numbers that are equal for two seeds are the law's, not those of the test rows.
  private let isOfLaw: Bool

  init(_ stream: any DriftStream, isOfLaw: Bool) {
    self.stream = stream
    self.isOfLaw = isOfLaw
  }

  var violations: [String] {
    guard let truth = stream.truth else { return [] }
    let tasks = stream.experiences.count
    let matrices = [
      ("crossAccuracy", truth.crossAccuracy), ("totalVariation", truth.totalVariation), ("hellinger", truth.hellinger),
    ]
    for (name, matrix) in matrices where matrix.count != tasks || matrix.contains(where: { $0.count != tasks }) {
      return ["the truth's \(name) is no table of \(tasks) × \(tasks) tasks"]
    }
    if truth.bayesAccuracy.count != tasks { return ["the truth has another number of tasks than the stream"] }
    return matrices.flatMap { range($0.0, $0.1) } + (0..<tasks).flatMap { diagonal($0, truth) + best($0, truth) }
  }

  private func range(_ name: String, _ matrix: [[Double]]) -> [String] {
    matrix.joined().allSatisfy { (0...1).contains($0) } ? [] : ["the truth's \(name) leaves 0 to 1"]
  }

  private func diagonal(_ task: Int, _ truth: ScenarioTruth) -> [String] {
    let own = truth.crossAccuracy[task][task]
    return [
      abs(own - truth.bayesAccuracy[task]) < 1e-6 ? nil : "a task's own rule scores \(own), and the best one otherwise",
      truth.totalVariation[task][task] < 1e-6 && truth.hellinger[task][task] < 1e-3
        ? nil : "a task's law lies apart from itself",
    ].compactMap { $0.map { "truth of task \(task): \($0)" } }
  }

  /// On the test rows themselves: with p\* beside them the best rule scores the mean of the largest p, and no other more. What is
  /// said of the law is within five standard errors of that.
  private func best(_ task: Int, _ truth: ScenarioTruth) -> [String] {
    let bayes = truth.bayesAccuracy[task]
    var found: [String] = []
    let rows = stream.evaluationSet(for: task).rows
    if rows.knowsTruth && rows.count > 0 {
      let scores = (0..<rows.count).map { rows.worth(of: 0, toRow: $0)?.best ?? .nan }
      let score = scores.reduce(0, +) / Double(rows.count)
      let spread = scores.reduce(0) { $0 + ($1 - score) * ($1 - score) }
      let slack = isOfLaw ? 5 * spread.squareRoot() / Double(rows.count) : 0
      if abs(score - bayes) > 1e-5 + slack {
        found.append("the best rule scores \(score) on the test rows, not \(bayes)")
      }
    }
    let better = truth.crossAccuracy.indices.first { truth.crossAccuracy[$0][task] > bayes + 1e-6 }
    if let better { found.append("the rule of task \(better) is better than the best one") }
    return found.map { "truth of task \(task): \($0)" }
  }
}
