import PalimpsestCore

/// What a metric's formula sees of a run: accuracies of one kind. What is not there is NaN, so formulas need no cases.
///
/// Made once a run and kind, and shared by all metrics: what several formulas ask for is worked out here.
public final class Accuracies: Sendable {
  /// T.
  public let tasks: Int
  /// r_j, the untrained network, one a task.
  public let untrained: [Double]
  /// Evaluations within tasks, in time's order: the task being learned, and one accuracy a task.
  public let curve: [(task: Int, accuracy: [Double])]
  /// Training rows seen at each evaluation within tasks, in the whole run.
  let curveExamples: [Double]
  /// Training rows fed in each task; none where they were not counted.
  let examplesTask: [Double]
  /// The accuracy on the classes shown so far, one an evaluation within tasks; none where classes do not arrive one by one.
  let seenClassCurve: [Double]
  /// C_kk, one a task: the accuracy of the best rule for each task.
  public let bayesAccuracy: [Double]
  /// C[j, k]: the accuracy on task k of the best rule for task j.
  public let crossAccuracy: AccuracyMatrix
  /// J*.
  public let jointCeiling: Double
  /// mean_k C[T − 1, k].
  public let trackerAccuracy: Double
  /// R[k, k] of the run that is trained on all tasks up to k, one a task.
  public let joint: [Double]
  /// R[k, k] of the run that is trained on task k alone, one a task.
  public let scratch: [Double]
  /// Why no metric at all is defined for the run; nil where some may be.
  let fault: String?
  /// Why the run has nothing to show at all: it did not complete.
  let end: String?
  /// Why each requirement is not met; nil where it is.
  private let unmet: [String?]
  private let names: [String]
  private let matrix: AccuracyMatrix
  private let record: RunRecord

  package init(_ record: RunRecord, _ kind: AccuracyKind, _ context: MetricContext) {
    let tasks = record.tasks.count
    self.tasks = tasks
    names = record.tasks
    matrix = record.matrix(kind) ?? AccuracyMatrix(tasks: tasks)
    untrained = filled(kind == .sampled ? record.accuracyBefore : record.expectedAccuracyBefore, tasks)
    let points = record.curve
    curve = points.map { ($0.task, filled(kind == .sampled ? $0.accuracy : $0.expectedAccuracy, tasks)) }
    curveExamples = points.map { Double($0.examples) }
    examplesTask = record[.examplesTask]?.numbers ?? []
    seenClassCurve = kind == .sampled ? record[.seenClassCurve]?.numbers ?? [] : []
    let knowsTruth = record.knowsTruth
    bayesAccuracy = filled(knowsTruth ? record[.bayesAccuracy]?.numbers : nil, tasks)
    crossAccuracy = knowsTruth ? record.crossAccuracy ?? AccuracyMatrix(tasks: tasks) : AccuracyMatrix(tasks: tasks)
    jointCeiling = knowsTruth ? record.number(.jointCeiling) : .nan
    trackerAccuracy = knowsTruth ? record.number(.trackerAccuracy) : .nan
    joint = filled(context.joint?.diagonal(kind), tasks)
    scratch = filled(context.scratch?.diagonal(kind), tasks)
    self.record = record
    end = record.end
    fault = record.fault(kind)
    unmet = fault == nil ? Accuracies.unmet(record, kind, context, matrix, untrained) : []
  }

  /// The last task, T − 1.
  public var last: Int { tasks - 1 }
  /// The tasks before the last.
  public var old: Range<Int> { 0..<max(0, last) }

  /// R[i, j].
  public subscript(after: Int, task: Int) -> Double { matrix[after, task] }

  /// What the run observed under a name, where that is one number; NaN where it is not.
  public func number(_ name: ObservationName) -> Double { record.number(name) }

  /// Why a number that runs observe is not there.
  func whyUnobserved(_ name: String) -> String {
    record.whyUndefined(ObservationName(name)) ?? "\(name) was not observed"
  }

  /// Why a requirement is not met; nil where it is. Only for a run without fault.
  func unmet(_ requirement: Requirement) -> String? { unmet[requirement.rawValue] }

  /// Names the first accuracy that was not measured: of learned tasks, else of tasks not yet learned.
  var firstUnmeasured: String {
    let entries = (0..<tasks).flatMap { i in (0..<tasks).map { (after: i, task: $0) } }
    let missing = entries.filter { self[$0.after, $0.task].isNaN }
    guard let first = missing.first(where: { $0.task <= $0.after }) ?? missing.first else {
      return "a number that it takes is not known"
    }
    return "the accuracy on \"\(names[first.task])\" after \"\(names[first.after])\" was not measured"
  }
}

/// The list where it has one number a task, else NaN for each.
private func filled(_ list: [Double]?, _ tasks: Int) -> [Double] {
  guard let list, list.count == tasks else { return [Double](repeating: .nan, count: tasks) }
  return list
}

extension RunRecord {
  /// The matrix of a kind, where there is one of the right shape.
  func matrix(_ kind: AccuracyKind) -> AccuracyMatrix? {
    let matrix = kind == .sampled ? accuracy : expectedAccuracy
    guard let matrix, matrix.isSquare, matrix.tasks == tasks.count else { return nil }
    return matrix
  }

  /// R[k, k], one a task.
  fileprivate func diagonal(_ kind: AccuracyKind) -> [Double]? {
    matrix(kind).map { matrix in (0..<matrix.tasks).map { matrix[$0, $0] } }
  }

  /// True where the truth of the scenario is there and fits the tasks.
  var knowsTruth: Bool {
    guard let bayes = self[.bayesAccuracy], let cross = crossAccuracy else { return false }
    return bayes.axes.map(\.length) == [tasks.count] && cross.isSquare && cross.tasks == tasks.count
  }

  /// True where accuracies on test rows were measured at all.
  private var isTested: Bool { self[.accuracy]?.numbers.contains { !$0.isNaN } ?? false }

  /// How the run ended, where it did not complete.
  var end: String? {
    switch status {
    case .failed: "the run failed" + (error.isEmpty ? "" : ": \(error)")
    case .diverged: "the run diverged"
    case .cancelled: "the run was cancelled"
    case .completed: nil
    }
  }

  /// Why no metric of accuracies of a kind is defined at all; nil where some may be.
  func fault(_ kind: AccuracyKind) -> String? {
    if let end { return end }
    if tasks.isEmpty { return "there are no tasks" }
    if isStream && !isTested {
      return "the run goes through a stream and was not judged on the tasks' test rows (evaluation.everyRows)"
    }
    if kind == .expected && !knowsExpected { return "p* is not known: there is no noise-free accuracy" }
    return matrix(kind) == nil ? "the matrix of accuracies is not tasks × tasks" : nil
  }
}
