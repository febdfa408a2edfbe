import PalimpsestCore
import PalimpsestMetrics
import PalimpsestScenarios

/// What is left of classes that a task does not show: of `cir`, where classes come back.
extension Probe {
  static let missingClassCurve = Probe(.missingClassCurve, of: RecurringClasses.self) { run in
    Reading(ClassAnswers.missing(run))
  }

  static let missingClassAccuracy = Probe(.missingClassAccuracy, of: RecurringClasses.self) { run in
    Reading(ClassAnswers.missing(run))
  }
}

extension Measure {
  static let missingClassCurve = Measure(
    "missing_class_curve", "Accuracy on the classes that were shown before and that the task does not show",
    definition: "share of right answers to the test rows of those classes after task i; NaN where there are none",
    direction: .higher, along: [.afterTask])

  static let missingClassAccuracy = Measure(
    "missing_class_accuracy", "Accuracy on the classes that the last task does not show",
    definition: "share of right answers to the test rows of the classes that earlier tasks showed alone",
    direction: .higher)
}

/// Answers to test rows of some labels.
struct ClassAnswers {
  private var right = 0
  private var rows = 0

  private var accuracy: Double { Double(right) / Double(rows) }

  /// Of all labels that were shown so far: each by the rows of the first task that is judged on it.
  static func seen(_ run: RunView) -> Double {
    var (answers, left) = (ClassAnswers(), run.seenLabels)
    for task in run.tasks.indices where !left.isEmpty {
      let set = run.evaluationSet(for: task)
      let found = left.intersection(set.rows.labels)
      if !found.isEmpty { answers.add(run.learner, set, of: found) }
      left.subtract(found)
    }
    return answers.accuracy
  }

  /// Of the labels in the sets of earlier tasks that the task at hand does not have: each by the rows of the last task that has it.
  static func missing(_ run: RunView) -> Double {
    var (answers, known) = (ClassAnswers(), Set(run.evaluationSet(for: run.task).rows.labels))
    for task in (0..<run.task).reversed() {
      let set = run.evaluationSet(for: task)
      let new = Set(set.rows.labels).subtracting(known)
      if !new.isEmpty { answers.add(run.learner, set, of: new) }
      known.formUnion(new)
    }
    return answers.accuracy
  }

  /// Has a set's rows of some labels answered.
  private mutating func add(_ learner: any Learner, _ set: EvaluationSet, of labels: Set<Int32>) {
    let places = set.rows.labels.indices.filter { labels.contains(set.rows.labels[$0]) }.map { Int32($0) }
    let answers = set.candidates.clamped(to: learner.predictableOutputs(knowing: set.knownExperience))
    let block = 512
    var batch = Batch(columns: set.rows.columns)
    for first in stride(from: 0, to: places.count, by: block) {
      batch.removeAll()
      batch.append(set.rows, at: places[first..<min(first + block, places.count)])
      let logits = learner.predict(batch.inputs, knowing: set.knownExperience)
      for row in 0..<batch.count { add(logits, row, label: Int(batch.labels[row]), answers) }
    }
  }

  private mutating func add(_ logits: Matrix, _ row: Int, label: Int, _ answers: Range<Int>) {
    rows += 1
    if logits.columns == 1 {
      right += (logits[row, 0] > 0) == (label == 1) ? 1 : 0
    } else if !answers.isEmpty {
      right += logits.largestColumn(inRow: row, of: answers) == label ? 1 : 0
    }
  }
}
