import PalimpsestCore
import PalimpsestJSON
import PalimpsestMetrics

/// A run's record as JSON, for the journal: numbers in shortest round-trip form, NaN as null.
extension JSONBytes {
  package mutating func append(_ record: RunRecord) { append(record) { $0.append($1) } }

  /// - Parameter truth: appends the scenario's truth.
  mutating func append(_ record: RunRecord, truth: (inout JSONBytes, ScenarioTruth) -> Void) {
    append(json: "{\"status\":")
    append(record.status.rawValue)
    key("tasks")
    append(record.tasks) { $0.append($1) }
    key("accuracy")
    append(record.accuracy)
    key("log_loss")
    append(record.logLoss)
    key("accuracy_before")
    append(record.accuracyBefore)
    key("cost")
    append(record.cost)
    appendRest(of: record)
    member("truth", record.truth, truth)
    append(json: "}")
  }

  /// What only some records have, but for the truth.
  private mutating func appendRest(of record: RunRecord) {
    if !record.error.isEmpty { member("error", record.error) { $0.append($1) } }
    member("zero_shot_unmeasured", record.zeroShotUnmeasured) { $0.append($1) }
    member("expected_accuracy", record.expectedAccuracy) { $0.append($1) }
    member("expected_accuracy_before", record.expectedAccuracyBefore) { $0.append($1) }
    if !record.curve.isEmpty { member("curve", record.curve) { $0.append($1) { $0.append($1) } } }
  }

  private mutating func member<Value>(_ name: String, _ value: Value?, _ append: (inout JSONBytes, Value) -> Void) {
    guard let value else { return }
    key(name)
    append(&self, value)
  }

  private mutating func append(_ matrix: AccuracyMatrix) {
    guard matrix.isSquare else { return append(matrix.rows) }
    append(0..<matrix.tasks) { json, row in json.append(0..<matrix.tasks) { $0.append(matrix[row, $1]) } }
  }

  private mutating func append(_ cost: RunCost) {
    append(json: "{")
    member("time_total", cost.timeTotal) { $0.append($1) }
    member("time_train", cost.timeTrain) { $0.append($1) }
    member("time_evaluate", cost.timeEvaluate) { $0.append($1) }
    member("time_task", cost.timeTask) { $0.append($1) }
    member("steps", cost.steps) { $0.append($1) }
    member("examples", cost.examples) { $0.append($1) }
    member("multiply_adds", cost.learner.multiplyAdds) { $0.append($1) }
    member("bytes_model", cost.learner.bytesModel) { $0.append($1) }
    member("bytes_optimizer", cost.learner.bytesOptimizer) { $0.append($1) }
    member("bytes_importance", cost.learner.bytesImportance) { $0.append($1) }
    member("bytes_memory", cost.learner.bytesMemory) { $0.append($1) }
    if cost.revision != 1 { member("revision", cost.revision) { $0.append($1) } }
    append(json: "}")
  }

  private mutating func append(_ point: CurvePoint) {
    append(json: "{")
    member("task", point.task) { $0.append($1) }
    member("examples", point.examples) { $0.append($1) }
    member("accuracy", point.accuracy) { $0.append($1) }
    member("expected_accuracy", point.expectedAccuracy) { $0.append($1) }
    append(json: "}")
  }

  mutating func append(_ truth: ScenarioTruth) {
    append(json: "{")
    member("bayes_accuracy", truth.bayesAccuracy) { $0.append($1) }
    member("cross_accuracy", truth.crossAccuracy) { $0.append($1) }
    member("total_variation", truth.totalVariation) { $0.append($1) }
    member("hellinger", truth.hellinger) { $0.append($1) }
    member("joint_ceiling", truth.jointCeiling) { $0.append($1) }
    append(json: "}")
  }
}

// MARK: - From a tree

extension JSONValue {
  fileprivate var doubles: [Double]? { array?.map { $0.double ?? .nan } }
  fileprivate var matrix: [[Double]]? { array?.map { $0.doubles ?? [] } }
}

/// The general way, for lines that ``EntryScanner`` does not know.
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
