import PalimpsestCore
import PalimpsestMetrics
import PalimpsestRuns

/// A record with something in every field.
package func fullRecord() -> RunRecord {
  var record = RunRecord(status: .diverged, tasks: ["morning \"é\" 🌅", "night\nshift"])
  record.error = "the loss is nan in step 3 of task 1"
  record.accuracy = AccuracyMatrix([[0.1 + 0.2, .nan], [1.0 / 3, .leastNonzeroMagnitude]])
  record.expectedAccuracy = AccuracyMatrix([[0.25, .nan], [.nan, 1]])
  record.logLoss = AccuracyMatrix([[0.6931471805599453, .nan], [1e-300, 123456.789]])
  record.accuracyBefore = [0.5, .nan]
  record.expectedAccuracyBefore = [.nan, 0.125]
  record.zeroShotUnmeasured = "outputs of tasks not yet learned are masked"
  record.curve = [
    CurvePoint(task: 0, examples: 48, accuracy: [0.75, .nan], expectedAccuracy: nil),
    CurvePoint(task: 1, examples: 96, accuracy: [0.5, 1], expectedAccuracy: [.nan, 0.0625]),
  ]
  record.truth = ScenarioTruth(
    bayesAccuracy: [0.86, 0.87], crossAccuracy: [[0.86, 0.5], [0.4, 0.87]], totalVariation: [[0, 0.3], [0.3, 0]],
    hellinger: [[0, 0.2], [0.2, 0]], jointCeiling: 0.8)
  record.cost.timeTotal = 1.5
  record.cost.timeTrain = 1.25
  record.cost.timeEvaluate = 0.25
  record.cost.timeTask = [0.75, 0.5]
  record.cost.steps = 12
  record.cost.examples = 192
  record.cost.learner.bytesModel = 1
  record.cost.learner.bytesOptimizer = 2
  record.cost.learner.bytesImportance = 3
  record.cost.learner.bytesMemory = 4
  record.cost.learner.multiplyAdds = 9_007_199_254_740_993
  return record
}

package func entry(
  _ id: String, _ status: RunRecord.Status = .completed, accuracy: Double = 0.5, worker: String = "host-1-0"
) -> JournalEntry {
  var record = RunRecord(status: status, tasks: ["a"])
  record.accuracy = AccuracyMatrix([[accuracy]])
  return entry(id, record, worker: worker)
}

package func entry(
  _ id: String, _ record: RunRecord, worker: String = "host-1-0", started: Double = 1_700_000_000.5
) -> JournalEntry {
  JournalEntry(
    runID: id, record: record, started: started, host: "host", worker: worker, instructionSet: "avx2",
    toolkitVersion: "0.1.0", gitCommit: "abc", toolkitCommit: "def")
}

package func fullEntry() -> JournalEntry {
  entry("0123456789abcdef0123456789abcdef", fullRecord())
}
