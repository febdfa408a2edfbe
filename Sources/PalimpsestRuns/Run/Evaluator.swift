import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// What a learner's answers on one evaluation set are worth.
package struct Evaluation: Sendable, Equatable {
  /// Share of answers equal to the label; NaN where the set's labels cannot be answered. Of rows with any number of labels the share
  /// of outputs that are right.
  package var accuracy = Double.nan
  /// Mean of p*(answer), where p* is known.
  package var expectedAccuracy: Double?
  /// Mean −ln p(label).
  package var logLoss = Double.nan
  /// Where values are to be predicted.
  package var errors: Errors?

  /// Root mean square and mean magnitude of the errors, over rows and outputs.
  package struct Errors: Sendable, Equatable {
    package var rootMeanSquare: Double
    package var meanMagnitude: Double
  }
}

/// Evaluates learners on the sets of one stream. It looks at answers alone and changes nothing.
package struct Evaluator {
  /// Rows at a time where they are gathered: their inputs are to stay in the cache beside the weights.
  private let block: Int
  private let sets: [AskedSet]
  private let isBinary: Bool
  private let target: TaskTarget
  private var batch: Batch

  /// - Parameter tellsTasks: whether a learner is told what a set allows; else it knows no task, and any output may be answered.
  package init(_ stream: any DriftStream, tellsTasks: Bool = true) {
    let sets = stream.experiences.map { stream.evaluationSet(for: $0.index) }
    self.init(tellsTasks ? sets : sets.map { $0.untold(outputs: stream.shape.outputs) }, stream.shape)
  }

  /// - Parameter sets: one a task.
  init(_ sets: [EvaluationSet], _ shape: TaskShape) {
    self.sets = sets.map { AskedSet($0) }
    isBinary = shape.isBinary
    target = shape.target
    block = min(512, max(128, 131_072 / max(1, shape.inputs)))
    batch = Batch(columns: shape.inputs)
  }

  /// Rows of a task's set, and the task where the learner is told it.
  func asked(_ task: Int) -> (rows: Int, known: Int?) { (sets[task].set.rows.count, sets[task].set.knownExperience) }

  /// - Parameters:
  ///   - task: the evaluation set meant.
  ///   - watch: is given the logits of the set's rows, some at a time, where they are answers with a label each.
  package mutating func evaluate(
    _ learner: some Learner, task: Int, watch: ((_ logits: Matrix) -> Void)? = nil
  ) -> Evaluation {
    let asked = sets[task]
    let (rows, known) = (asked.set.rows, asked.set.knownExperience)
    let answers = asked.set.candidates.clamped(to: learner.predictableOutputs(knowing: known))
    if case .values(let values) = rows.targets { return judge(learner, asked.set, values) }
    guard let labels = asked.labels, isBinary || labels.clamped(to: answers) == labels else {
      return Evaluation()
    }
    var sums = Sums(set: asked.set, isBinary: isBinary, answers: answers)
    if let inputs = asked.inputs {
      let logits = learner.predict(inputs, knowing: known)
      sums.add(logits, from: 0)
      watch?(logits)
      return sums.evaluation
    }
    forEachBlock(asked.set, learner) { logits, first in
      sums.add(logits, from: first)
      watch?(logits)
    }
    return sums.evaluation
  }

  /// Answers to rows that have a value for each output.
  private mutating func judge(_ learner: some Learner, _ set: EvaluationSet, _ values: Matrix) -> Evaluation {
    var sums = ValueSums(target)
    forEachBlock(set, learner) { sums.add($0, values, from: $1) }
    return sums.evaluation
  }

  /// Has rows of a set predicted, some at a time.
  /// - Parameter body: is given logits and the row of the set that they begin with.
  private mutating func forEachBlock(
    _ set: EvaluationSet, _ learner: some Learner, _ body: (_ logits: Matrix, _ first: Int) -> Void
  ) {
    for first in stride(from: 0, to: set.rows.count, by: block) {
      batch.fill(set.rows, range: first..<min(first + block, set.rows.count))
      body(learner.predict(batch.inputs, knowing: set.knownExperience), first)
    }
  }
}

/// One evaluation set, and what every evaluation of it asks for.
private struct AskedSet {
  /// Rows in one go at most: their answers take memory.
  private static let most = 16_384

  let set: EvaluationSet
  /// All inputs where they stand together already; nil: they are gathered.
  let inputs: Matrix?
  /// Labels lie in this range; nil where there are no rows.
  let labels: Range<Int>?

  init(_ set: EvaluationSet) {
    self.set = set
    inputs = set.rows.count <= AskedSet.most ? set.rows.wholeTable : nil
    guard let least = set.rows.labels.min(), let most = set.rows.labels.max() else {
      labels = nil
      return
    }
    labels = Int(least)..<Int(most) + 1
  }
}

/// Running sums over the rows of one evaluation set.
private struct Sums {
  let asked: EvaluationSet
  let isBinary: Bool
  /// Outputs that may be answered and can be predicted.
  let answers: Range<Int>
  private var scores = AnswerScores()
  /// Σ p*(answer) where p* of all classes is known.
  private var expected = 0.0

  init(set: EvaluationSet, isBinary: Bool, answers: Range<Int>) {
    asked = set
    self.isBinary = isBinary
    self.answers = answers
  }

  var evaluation: Evaluation {
    let n = Double(asked.rows.count)
    return Evaluation(
      accuracy: Double(scores.right) / n,
      expectedAccuracy: asked.rows.knowsTruth ? (scores.expected + expected) / n : nil,
      logLoss: scores.loss / n)
  }

  /// - Parameter first: the row of the set that the logits begin with.
  mutating func add(_ logits: Matrix, from first: Int) {
    let (labels, truth) = (asked.rows.labels, asked.rows.truth)
    if isBinary {
      scores.addBinary(logits, labels: labels, truth: truth, from: first)
    } else {
      scores.add(logits, among: answers, labels: labels, truth: truth, from: first)
      addExpected(logits, from: first)
    }
  }

  private mutating func addExpected(_ logits: Matrix, from first: Int) {
    guard let probabilities = asked.rows.probabilities else { return }
    for row in 0..<logits.rows {
      expected += Double(probabilities[first + row, logits.largestColumn(inRow: row, of: answers)])
    }
  }
}
