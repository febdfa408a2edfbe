import PalimpsestMetrics

/// What evaluations put into a record. Results stand one a task, from the first task on.
extension TaskRecord {
  /// Of the untrained network.
  mutating func takeBefore(_ results: [Evaluation]) {
    accuracyBefore = results.map(\.accuracy)
    expectedAccuracyBefore = TaskRecord.expected(results)
  }

  /// - Parameter task: the one that was learned last.
  mutating func take(_ results: [Evaluation], after task: Int) {
    for (j, result) in results.enumerated() {
      accuracy[task, j] = result.accuracy
      logLoss[task, j] = result.logLoss
      if let errors = result.errors { take(errors, after: task, of: j) }
    }
    guard let expected = TaskRecord.expected(results) else { return }
    if expectedAccuracy == nil { expectedAccuracy = AccuracyMatrix(tasks: tasks.count) }
    for (j, value) in expected.enumerated() { expectedAccuracy?[task, j] = value }
  }

  private mutating func take(_ errors: Evaluation.Errors, after task: Int, of other: Int) {
    var matrices = self.errors ?? ErrorMatrices(tasks: tasks.count)
    matrices.rootMeanSquare[task, other] = errors.rootMeanSquare
    matrices.meanMagnitude[task, other] = errors.meanMagnitude
    self.errors = matrices
  }

  /// - Parameters:
  ///   - results: those of later tasks may be left out.
  ///   - task: the one that is being learned.
  ///   - examples: rows learned so far.
  mutating func addCurvePoint(_ results: [Evaluation], within task: Int, examples: Int) {
    let all = results + repeatElement(Evaluation(), count: tasks.count - results.count)
    curve.append(
      CurvePoint(
        task: task, examples: examples, accuracy: all.map(\.accuracy), expectedAccuracy: TaskRecord.expected(all),
        logLoss: all.map(\.logLoss)))
  }

  /// Noise-free accuracies, where any set knows p*.
  private static func expected(_ results: [Evaluation]) -> [Double]? {
    results.contains { $0.expectedAccuracy != nil } ? results.map { $0.expectedAccuracy ?? .nan } : nil
  }

  /// What a record that was read cannot have, where it is to be one of the same tasks; nil: nothing.
  func problem(of read: TaskRecord) -> String? {
    let n = tasks.count
    let errors = read.errors.map { [$0.rootMeanSquare, $0.meanMagnitude] } ?? []
    let matrices = [read.accuracy, read.logLoss] + errors + (read.expectedAccuracy.map { [$0] } ?? [])
    let lists = [read.accuracyBefore] + (read.expectedAccuracyBefore.map { [$0] } ?? [])
    let curves =
      read.curve.map(\.accuracy) + read.curve.compactMap(\.expectedAccuracy)
      + read.curve.compactMap(\.logLoss)
    let most = Int.max / 2
    let fits =
      read.tasks == tasks && (lists + curves).allSatisfy { $0.count == n }
      && matrices.allSatisfy { $0.rows.map(\.count) == Array(repeating: n, count: n) }
      && read.curve.allSatisfy { tasks.indices.contains($0.task) && (0...most).contains($0.examples) }
      && (0...most).contains(read.cost.steps) && (0...most).contains(read.cost.examples)
    return fits ? nil : "it is not one of a run of \(n) tasks"
  }
}
