import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// What a learner's answers on one evaluation set are worth.
package struct Evaluation: Sendable, Equatable {
  /// Share of answers equal to the label; NaN where the set's labels cannot be answered.
  package var accuracy = Double.nan
  /// Mean of p*(answer), where p* is known.
  package var expectedAccuracy: Double?
  /// Mean −ln p(label).
  package var logLoss = Double.nan
}

/// Evaluates learners on the sets of one stream, a block of rows at a time. It looks at answers alone and changes nothing.
package struct Evaluator {
  /// Rows at a time: their inputs are to stay in the cache beside the weights.
  private let block: Int
  private let sets: [EvaluationSet]
  private let isBinary: Bool
  /// Rows have one label each; what answers to other targets are worth is measured elsewhere.
  private let hasLabels: Bool
  private var batch: Batch

  package init(_ stream: any DriftStream) {
    sets = stream.experiences.map { stream.evaluationSet(for: $0.index) }
    isBinary = stream.shape.isBinary
    hasLabels = stream.shape.target.hasLabels
    block = min(512, max(128, 131_072 / max(1, stream.shape.inputs)))
    batch = Batch(columns: stream.shape.inputs)
  }

  /// - Parameter task: the evaluation set meant.
  package mutating func evaluate(_ learner: some Learner, task: Int) -> Evaluation {
    let set = sets[task]
    let predictable = learner.predictableOutputs(knowing: set.knownExperience)
    var sums = Sums(set: set, isBinary: isBinary, answers: set.candidates.clamped(to: predictable))
    guard set.rows.count > 0, hasLabels, isBinary || sums.canAnswer else { return Evaluation() }
    for first in stride(from: 0, to: set.rows.count, by: block) {
      let range = first..<min(first + block, set.rows.count)
      batch.fill(set.rows, range: range)
      sums.add(learner.predict(batch.inputs, knowing: set.knownExperience), rows: range)
    }
    return sums.evaluation
  }
}

/// Running sums over the rows of one evaluation set.
private struct Sums {
  let asked: EvaluationSet
  let isBinary: Bool
  /// Outputs that may be answered and can be predicted.
  let answers: Range<Int>
  private var hits = 0
  private var expected = 0.0
  private var loss = 0.0

  init(set: EvaluationSet, isBinary: Bool, answers: Range<Int>) {
    asked = set
    self.isBinary = isBinary
    self.answers = answers
  }

  /// Every label of the set is among the outputs that can be predicted.
  var canAnswer: Bool { asked.rows.labels.allSatisfy { answers.contains(Int($0)) } }

  var evaluation: Evaluation {
    let n = Double(asked.rows.count)
    return Evaluation(
      accuracy: Double(hits) / n, expectedAccuracy: asked.rows.truth == nil ? nil : expected / n, logLoss: loss / n)
  }

  /// Without branches on answers and labels: no processor foresees them.
  mutating func add(_ logits: Matrix, rows: Range<Int>) {
    let (labels, truth) = (asked.rows.labels, asked.rows.truth)
    for (i, row) in rows.enumerated() {
      let label = Int(labels[row])
      let answer = isBinary ? (logits[i, 0] > 0 ? 1 : 0) : logits.largestColumn(inRow: i, of: answers)
      hits += answer == label ? 1 : 0
      loss += isBinary ? binaryLoss(Double(logits[i, 0]), label) : softmaxLoss(logits, i, label)
      if let truth {
        let yes: Float = answer == 1 ? 1 : 0
        expected += Double(yes * truth[row] + (1 - yes) * (1 - truth[row]))
      }
    }
  }

  /// ln(1 + eᶻ) − y·z, safe for large |z|.
  private func binaryLoss(_ z: Double, _ label: Int) -> Double {
    let signed = z * Double(1 - 2 * label)
    return (signed > 0 ? signed : 0) + Elementary.log(1 + Elementary.exp(-signed.magnitude))
  }

  private func softmaxLoss(_ logits: Matrix, _ row: Int, _ label: Int) -> Double {
    let largest = Double(logits[row, logits.largestColumn(inRow: row, of: answers)])
    let sum = answers.reduce(0.0) { $0 + Elementary.exp(Double(logits[row, $1]) - largest) }
    return largest + Elementary.log(sum) - Double(logits[row, label])
  }
}
