import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics

/// Records of the first form, in which every number had a place of its own: written before there were observations.
extension RunRecord {
  /// - Returns: nil where the JSON is no such record.
  init?(firstForm json: JSONValue) {
    guard let status = json["status"]?.string.flatMap(Status.init(rawValue:)),
      let tasks = json["tasks"]?.array?.compactMap(\.string), let accuracy = json["accuracy"]?.matrix,
      let logLoss = json["log_loss"]?.matrix, let before = json["accuracy_before"]?.doubles,
      let cost = json["cost"].map(RunCost.init)
    else { return nil }
    var record = TaskRecord(status: status, tasks: tasks)
    record.error = json["error"]?.string ?? ""
    record.accuracy = AccuracyMatrix(accuracy)
    record.logLoss = AccuracyMatrix(logLoss)
    record.accuracyBefore = before
    record.cost = cost
    record.zeroShotUnmeasured = json["zero_shot_unmeasured"]?.string
    record.expectedAccuracy = json["expected_accuracy"]?.matrix.map { AccuracyMatrix($0) }
    record.expectedAccuracyBefore = json["expected_accuracy_before"]?.doubles
    record.curve = json["curve"]?.array?.compactMap(CurvePoint.init) ?? []
    record.truth = json["truth"].flatMap(ScenarioTruth.init)
    self.init(record)
  }
}

extension JSONValue {
  fileprivate var doubles: [Double]? { array?.map { $0.double ?? .nan } }
  fileprivate var matrix: [[Double]]? { array?.map { $0.doubles ?? [] } }
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
    revision = json["revision"]?.int ?? 1
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
