import PalimpsestCore
import PalimpsestMetrics

/// A completed run with that matrix R, the same untrained accuracy for every task, and the same numbers without noise.
func record(_ rows: [[Double]], untrained: Double = 0.1) -> RunRecord {
  var record = RunRecord(status: .completed, tasks: rows.indices.map { "task \($0)" })
  record.accuracy = AccuracyMatrix(rows)
  record.expectedAccuracy = record.accuracy
  record.accuracyBefore = rows.map { _ in untrained }
  record.expectedAccuracyBefore = record.accuracyBefore
  return record
}

/// Row i after learning task i, column j on task j: every published variant gives another value on it.
let example = record([[0.80, 0.20, 0.10], [0.90, 0.85, 0.30], [0.70, 0.60, 0.92]])

/// A run whose accuracies are drawn.
func drawn(tasks: Int, seed: Int) -> RunRecord {
  var rng = Seed(UInt64(seed)).stream("matrix", tasks)
  return record((0..<tasks).map { _ in (0..<tasks).map { _ in rng.uniform() } }, untrained: rng.uniform())
}

/// Truth with the cross-accuracies C[j, k] and the joint ceiling J*; the distances are not of interest here.
func truth(_ cross: [[Double]], ceiling: Double) -> ScenarioTruth {
  var distances = DriftDistances(inputs: cross, labels: cross, inputsOfLabels: cross)
  distances.twoSample = cross
  return ScenarioTruth(
    bayesAccuracy: cross.indices.map { cross[$0][$0] }, crossAccuracy: cross, totalVariation: cross, hellinger: cross,
    jointCeiling: ceiling, distances: distances)
}

/// Its number, NaN where it is undefined.
func number(_ metric: Metric, _ record: RunRecord, _ context: MetricContext = MetricContext()) -> Double {
  metric.value(of: record, kind: .sampled, context: context).number
}

func close(_ a: Double, _ b: Double, within tolerance: Double = 1e-12) -> Bool { abs(a - b) <= tolerance }
