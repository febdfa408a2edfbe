import PalimpsestCore
import PalimpsestMetrics

/// A run's record as JSON, for the journal: numbers in shortest round-trip form, NaN as null.
extension JSONValue {
  init(_ record: RunRecord) {
    var object = JSONObject([
      ("status", JSONValue(record.status.rawValue)),
      ("tasks", JSONValue(record.tasks.map { JSONValue($0) })),
      ("accuracy", JSONValue(record.accuracy.rows)),
      ("log_loss", JSONValue(record.logLoss.rows)),
      ("accuracy_before", JSONValue(record.accuracyBefore)),
      ("cost", JSONValue(JSONObject(record.cost))),
    ])
    if !record.error.isEmpty { object["error"] = JSONValue(record.error) }
    object["zero_shot_unmeasured"] = record.zeroShotUnmeasured.map { JSONValue($0) }
    object["expected_accuracy"] = record.expectedAccuracy.map { JSONValue($0.rows) }
    object["expected_accuracy_before"] = record.expectedAccuracyBefore.map { JSONValue($0) }
    if !record.curve.isEmpty { object["curve"] = JSONValue(record.curve.map { JSONValue(JSONObject($0)) }) }
    object["truth"] = record.truth.map { JSONValue(JSONObject($0)) }
    self.init(object)
  }

  fileprivate init(_ row: [Double]) { self.init(row.map { JSONValue($0) }) }
  fileprivate init(_ rows: [[Double]]) { self.init(rows.map { JSONValue($0) }) }

  fileprivate var doubles: [Double]? { array?.map { $0.double ?? .nan } }
  fileprivate var matrix: [[Double]]? { array?.map { $0.doubles ?? [] } }
}

extension RunRecord {
  /// - Returns: nil where the JSON is no record.
  init?(_ json: JSONValue) {
    guard let status = json["status"]?.string.flatMap(Status.init(rawValue:)),
      let tasks = json["tasks"]?.array?.compactMap(\.string), let accuracy = json["accuracy"]?.matrix,
      let logLoss = json["log_loss"]?.matrix, let before = json["accuracy_before"]?.doubles,
      let cost = json["cost"].map(RunCost.init)
    else { return nil }
    self.init(status: status, tasks: tasks)
    error = json["error"]?.string ?? ""
    self.accuracy = AccuracyMatrix(accuracy)
    self.logLoss = AccuracyMatrix(logLoss)
    accuracyBefore = before
    self.cost = cost
    zeroShotUnmeasured = json["zero_shot_unmeasured"]?.string
    expectedAccuracy = json["expected_accuracy"]?.matrix.map { AccuracyMatrix($0) }
    expectedAccuracyBefore = json["expected_accuracy_before"]?.doubles
    curve = json["curve"]?.array?.compactMap(CurvePoint.init) ?? []
    truth = json["truth"].flatMap(ScenarioTruth.init)
  }
}

extension JSONObject {
  fileprivate init(_ cost: RunCost) {
    self.init([
      ("time_total", JSONValue(cost.timeTotal)), ("time_train", JSONValue(cost.timeTrain)),
      ("time_evaluate", JSONValue(cost.timeEvaluate)), ("time_task", JSONValue(cost.timeTask)),
      ("steps", JSONValue(cost.steps)), ("examples", JSONValue(cost.examples)),
      ("multiply_adds", JSONValue(cost.learner.multiplyAdds)),
      ("bytes_model", JSONValue(cost.learner.bytesModel)), ("bytes_optimizer", JSONValue(cost.learner.bytesOptimizer)),
      ("bytes_importance", JSONValue(cost.learner.bytesImportance)),
      ("bytes_memory", JSONValue(cost.learner.bytesMemory)),
    ])
  }

  fileprivate init(_ point: CurvePoint) {
    self.init([
      ("task", JSONValue(point.task)), ("examples", JSONValue(point.examples)),
      ("accuracy", JSONValue(point.accuracy)),
    ])
    self["expected_accuracy"] = point.expectedAccuracy.map { JSONValue($0) }
  }

  fileprivate init(_ truth: ScenarioTruth) {
    self.init([
      ("bayes_accuracy", JSONValue(truth.bayesAccuracy)), ("cross_accuracy", JSONValue(truth.crossAccuracy)),
      ("total_variation", JSONValue(truth.totalVariation)), ("hellinger", JSONValue(truth.hellinger)),
      ("joint_ceiling", JSONValue(truth.jointCeiling)),
    ])
  }
}

extension RunCost {
  fileprivate init(_ json: JSONValue) {
    self.init()
    timeTotal = json["time_total"]?.double ?? .nan
    timeTrain = json["time_train"]?.double ?? .nan
    timeEvaluate = json["time_evaluate"]?.double ?? .nan
    timeTask = json["time_task"]?.doubles ?? []
    steps = json["steps"]?.int ?? 0
    examples = json["examples"]?.int ?? 0
    learner.multiplyAdds = json["multiply_adds"]?.int ?? 0
    learner.bytesModel = json["bytes_model"]?.int ?? 0
    learner.bytesOptimizer = json["bytes_optimizer"]?.int ?? 0
    learner.bytesImportance = json["bytes_importance"]?.int ?? 0
    learner.bytesMemory = json["bytes_memory"]?.int ?? 0
  }
}

extension CurvePoint {
  fileprivate init?(_ json: JSONValue) {
    guard let task = json["task"]?.int, let examples = json["examples"]?.int, let accuracy = json["accuracy"]?.doubles
    else { return nil }
    self.init(
      task: task, examples: examples, accuracy: accuracy, expectedAccuracy: json["expected_accuracy"]?.doubles)
  }
}

extension ScenarioTruth {
  fileprivate init?(_ json: JSONValue) {
    guard let bayes = json["bayes_accuracy"]?.doubles, let cross = json["cross_accuracy"]?.matrix,
      let variation = json["total_variation"]?.matrix, let hellinger = json["hellinger"]?.matrix
    else { return nil }
    self.init(
      bayesAccuracy: bayes, crossAccuracy: cross, totalVariation: variation, hellinger: hellinger,
      jointCeiling: json["joint_ceiling"]?.double ?? .nan)
  }
}
