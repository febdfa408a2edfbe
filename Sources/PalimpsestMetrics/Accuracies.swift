import PalimpsestCore

/// What a metric's formula sees of a run: accuracies of one kind. What is not there is NaN, so formulas need no cases.
public struct Accuracies: Sendable {
  let record: RunRecord
  let kind: AccuracyKind
  let context: MetricContext
  private let matrix: AccuracyMatrix

  init(_ record: RunRecord, _ kind: AccuracyKind, _ context: MetricContext) {
    self.record = record
    self.kind = kind
    self.context = context
    matrix = Accuracies.matrix(of: record, kind) ?? AccuracyMatrix(tasks: record.tasks.count)
  }

  /// T.
  public var tasks: Int { record.tasks.count }
  /// The last task, T − 1.
  public var last: Int { tasks - 1 }
  /// The tasks before the last.
  public var old: Range<Int> { 0..<max(0, last) }

  /// R[i, j].
  public subscript(after: Int, task: Int) -> Double { matrix[after, task] }

  /// r_j, the untrained network, one a task.
  public var untrained: [Double] {
    filled(kind == .sampled ? record.accuracyBefore : record.expectedAccuracyBefore)
  }

  /// Evaluations within tasks, in time's order: the task being learned, and one accuracy a task.
  public var curve: [(task: Int, accuracy: [Double])] {
    record.curve.map { ($0.task, filled(kind == .sampled ? $0.accuracy : $0.expectedAccuracy)) }
  }

  /// The scenario's best rules.
  public var truth: ScenarioTruth {
    if let truth = record.truth, knowsTruth { return truth }
    let row = filled(nil)
    let square = [[Double]](repeating: row, count: tasks)
    return ScenarioTruth(
      bayesAccuracy: row, crossAccuracy: square, totalVariation: square, hellinger: square, jointCeiling: .nan)
  }

  /// R[k, k] of the run that is trained on all tasks up to k, one a task.
  public var joint: [Double] { diagonal(of: context.joint) }

  /// R[k, k] of the run that is trained on task k alone, one a task.
  public var scratch: [Double] { diagonal(of: context.scratch) }

  var knowsTruth: Bool {
    guard let truth = record.truth else { return false }
    return truth.bayesAccuracy.count == tasks && truth.crossAccuracy.count == tasks
      && truth.crossAccuracy.allSatisfy { $0.count == tasks }
  }

  private func filled(_ list: [Double]?) -> [Double] {
    guard let list, list.count == tasks else { return [Double](repeating: .nan, count: tasks) }
    return list
  }

  private func diagonal(of reference: RunRecord?) -> [Double] {
    guard let reference, let matrix = Accuracies.matrix(of: reference, kind), matrix.tasks == tasks else {
      return filled(nil)
    }
    return (0..<tasks).map { matrix[$0, $0] }
  }

  /// The matrix of a kind, where there is one of the right shape.
  private static func matrix(of record: RunRecord, _ kind: AccuracyKind) -> AccuracyMatrix? {
    let matrix = kind == .sampled ? record.accuracy : record.expectedAccuracy
    guard let matrix, matrix.tasks == record.tasks.count else { return nil }
    return matrix.rows.allSatisfy { $0.count == matrix.tasks } ? matrix : nil
  }
}

extension Accuracies {
  /// Why no metric at all is defined for the run; nil where some may be.
  var fault: String? {
    switch record.status {
    case .failed: return "the run failed" + (record.error.isEmpty ? "" : ": \(record.error)")
    case .diverged: return "the run diverged"
    case .cancelled: return "the run was cancelled"
    case .completed: break
    }
    if tasks == 0 { return "there are no tasks" }
    if kind == .expected && record.expectedAccuracy == nil { return "p* is not known: there is no noise-free accuracy" }
    if Accuracies.matrix(of: record, kind) == nil { return "the matrix of accuracies is not tasks × tasks" }
    return nil
  }

  /// Names the first accuracy that was not measured: of learned tasks, else of tasks not yet learned.
  var firstUnmeasured: String {
    let entries = (0..<tasks).flatMap { i in (0..<tasks).map { (after: i, task: $0) } }
    let missing = entries.filter { self[$0.after, $0.task].isNaN }
    guard let first = missing.first(where: { $0.task <= $0.after }) ?? missing.first else {
      return "a number that it takes is not known"
    }
    return "the accuracy on \"\(record.tasks[first.task])\" after \"\(record.tasks[first.after])\" was not measured"
  }
}
