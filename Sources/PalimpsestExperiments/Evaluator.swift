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
  private static let block = 512
  private let sets: [EvaluationSet]
  private let isBinary: Bool
  private var batch: Batch

  package init(_ stream: any DriftStream) {
    sets = stream.experiences.map { stream.evaluationSet(for: $0.index) }
    isBinary = stream.shape.isBinary
    batch = Batch(columns: stream.shape.inputs)
  }

  /// - Parameter task: the evaluation set meant.
  package mutating func evaluate(_ learner: some Learner, task: Int) -> Evaluation {
    let set = sets[task]
    let predictable = learner.predictableOutputs(knowing: set.knownExperience)
    var sums = Sums(set: set, isBinary: isBinary, answers: set.candidates.clamped(to: predictable))
    guard set.rows.count > 0, isBinary || sums.canAnswer else { return Evaluation() }
    for first in stride(from: 0, to: set.rows.count, by: Evaluator.block) {
      let range = first..<min(first + Evaluator.block, set.rows.count)
      batch.removeAll()
      batch.append(set.rows, range: range)
      sums.add(learner.predict(batch.inputs, knowing: set.knownExperience), rows: range, batch)
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
  /// - Parameter batch: those rows.
  mutating func add(_ logits: Matrix, rows: Range<Int>, _ batch: Batch) {
    let truth = asked.rows.truth
    for (i, row) in rows.enumerated() {
      let answer = isBinary ? (logits[i, 0] > 0 ? 1 : 0) : logits.largestColumn(inRow: i, of: answers)
      hits += answer == Int(batch.labels[i]) ? 1 : 0
      if let truth {
        let yes: Float = answer == 1 ? 1 : 0
        expected += Double(yes * truth[row] + (1 - yes) * (1 - truth[row]))
      }
    }
    loss += logits.crossEntropy(labels: batch.labels, weights: batch.weights, over: isBinary ? 0..<1 : answers)
  }
}
