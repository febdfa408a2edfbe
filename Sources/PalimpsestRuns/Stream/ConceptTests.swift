import PalimpsestCore
import PalimpsestExperiments
import PalimpsestMetrics
import PalimpsestScenarios

/// What the learner of a stream would answer, while the stream goes on, to every task's test rows: rows under the task's own law
/// that the stream does not show. So forgetting is defined in a stream too.
///
/// It is looked at before the first row, where a task's rows end, and every so many rows; where that falls into a block of
/// rows, behind the block. Looking changes no learner.
struct ConceptTests {
  private var evaluator: Evaluator
  private let every: Int
  private let curveTasks: EvaluationSettings.CurveTasks
  /// The first row of each task, and the count of all.
  private let starts: [Int]
  /// Without the truth of the scenario and the cost of the run, but for the time taken here.
  private(set) var record: TaskRecord
  private let clock = ContinuousClock()

  /// Nil where it was not asked for.
  /// - Parameters:
  ///   - starts: the first row of each task, and the count of all.
  ///   - tellsTasks: the learner of the stream is told which task it is in.
  init?(_ settings: EvaluationSettings, _ stream: any DriftStream, starts: [Int], tellsTasks: Bool) {
    guard let every = settings.everyRows else { return nil }
    self.every = every
    curveTasks = settings.curveTasks
    self.starts = starts
    evaluator = Evaluator(stream, tellsTasks: tellsTasks)
    record = TaskRecord(status: .completed, tasks: stream.experiences.map(\.name))
  }

  /// - Parameter rows: those that were learned since it was asked last; empty before the first.
  /// - Returns: true where so many rows were learned again.
  mutating func look(at learner: any Learner, behind rows: Range<Int>) -> Bool {
    let ended = record.tasks.indices.filter { rows.contains(starts[$0 + 1] - 1) }
    let isDue = rows.upperBound / every > rows.lowerBound / every
    guard isDue || !ended.isEmpty || rows.isEmpty else { return false }
    let start = clock.now
    if rows.isEmpty {
      record.takeBefore(results(of: learner, tasks: record.tasks.count))
    } else {
      let begun = starts.dropLast().count { $0 < rows.upperBound }
      let curve = curveTasks == .seen ? begun : record.tasks.count
      let results = results(of: learner, tasks: ended.isEmpty ? curve : record.tasks.count)
      for task in ended { record.take(results, after: task) }
      if isDue { record.addCurvePoint(Array(results[..<curve]), within: begun - 1, examples: rows.upperBound) }
    }
    record.cost.timeEvaluate += (clock.now - start) / .seconds(1)
    return isDue
  }

  /// - Parameter tasks: how many, from the first one on.
  private mutating func results(of learner: any Learner, tasks: Int) -> [Evaluation] {
    (0..<tasks).map { evaluator.evaluate(learner, task: $0) }
  }

  /// Takes up what was seen before.
  /// - Throws: ``PalimpsestSettings/StateError`` where it was seen of another stream.
  mutating func restore(_ read: TaskRecord?) throws(StateError) {
    guard let read else { throw StateError("the tasks' test rows were not looked at", at: "tests") }
    if let problem = record.problem(of: read) { throw StateError(problem, at: "tests") }
    record = read
  }
}
