/// Everything that runs of the toolkit observe, in the order of the results' datasets.
public let standardMeasures: [Measure] =
  tasksMeasures + streamMeasures + personalMeasures + probedMeasures + layerMeasures

/// Those of runs through tasks, and what all runs cost.
private let tasksMeasures: [Measure] = [
  .accuracy, .expectedAccuracy, .logLoss, .accuracyBefore, .expectedAccuracyBefore,
  .rmse, .mae, .averageRMSE, .averageMAE, .rmseForgetting,
  .curveAccuracy, .expectedCurveAccuracy, .curveLogLoss, .curveExamples, .curveTask,
  .bayesAccuracy, .crossAccuracy, .driftTV, .driftHellinger, .driftInputs, .driftLabels, .driftConditional,
  .driftTwoSample,
  .jointCeiling, .trackerAccuracy, .ambiguityGap, .dataDigest,
  .timeTotal, .timeTrain, .timeEvaluate, .timeTask, .steps, .examples, .examplesTask, .multiplyAdds, .multiplyAddsTask,
  .multiplyAddsEvaluation,
  .bytesModel, .bytesOptimizer, .bytesImportance, .bytesMemory, .multiplyAddsPart, .bytesPart, .costRevision,
]

/// What is evaluated. R[i, j] is the accuracy on task j after learning task i.
extension Measure {
  static let accuracy = Measure(
    .accuracy, "Accuracy on sampled labels after each task",
    definition: "R[i, j]: share of right answers on the test rows of task j after learning task i", subject: .outcome,
    direction: .higher, along: [.afterTask, .task], isAlwaysThere: true)

  static let expectedAccuracy = Measure(
    .expectedAccuracy, "Noise-free accuracy after each task",
    definition: "mean of p* of the answers given, on the test rows of task j after learning task i",
    direction: .higher, along: [.afterTask, .task])

  static let logLoss = Measure(
    .logLoss, "Mean of -ln p(label) after each task",
    definition: "mean of -ln p(label) on the test rows of task j after learning task i", subject: .outcome,
    direction: .lower, along: [.afterTask, .task], isAlwaysThere: true)

  static let accuracyBefore = Measure(
    .accuracyBefore, "Accuracy of the untrained network",
    definition: "share of right answers on the test rows of task j before any step", subject: .outcome,
    direction: .neither, along: [.task], isAlwaysThere: true)

  static let expectedAccuracyBefore = Measure(
    .expectedAccuracyBefore, "Noise-free accuracy of the untrained network",
    definition: "mean of p* of the answers given, on the test rows of task j before any step", along: [.task])

  static let rmse = Measure(
    .rmse, "Root mean square error after each task, in the values' own unit",
    definition:
      "S[i, j]: sqrt of the mean of (answer - value)^2 over test rows of task j and outputs, after learning task i",
    direction: .lower, along: [.afterTask, .task])

  static let mae = Measure(
    .mae, "Mean absolute error after each task, in the values' own unit",
    definition: "mean of |answer - value| over test rows of task j and outputs, after learning task i",
    direction: .lower, along: [.afterTask, .task])

  static let averageRMSE = Measure(
    .averageRMSE, "Average root mean square error", definition: "mean_j S[T-1, j]", direction: .lower)

  static let averageMAE = Measure(
    .averageMAE, "Average mean absolute error", definition: "mean_j of mae after the last task", direction: .lower)

  static let rmseForgetting = Measure(
    .rmseForgetting, "Rise of the root mean square error on earlier tasks",
    definition: "mean_{j<T-1} (S[T-1, j] - min_{j<=l<T-1} S[l, j])", direction: .lower)

  static let curveAccuracy = Measure(
    .curveAccuracy, "Accuracy within tasks",
    definition: "share of right answers on the test rows of task j at the evaluation; NaN for tasks not begun",
    direction: .higher, along: [.evaluation, .task])

  static let expectedCurveAccuracy = Measure(
    .expectedCurveAccuracy, "Noise-free accuracy within tasks",
    definition: "mean of p* of the answers given, on the test rows of task j at the evaluation", direction: .higher,
    along: [.evaluation, .task])

  static let curveLogLoss = Measure(
    .curveLogLoss, "Mean of -ln p(label) within tasks",
    definition: "mean of -ln p(label) on the test rows of task j at the evaluation; NaN for tasks not begun",
    direction: .lower, along: [.evaluation, .task], countedBy: .costRevision)

  static let curveExamples = Measure(
    .curveExamples, "Training rows seen at the evaluation; -1: padding",
    definition: "rows of the steps' batches so far, each pass counted", storage: .i64, along: [.evaluation])

  static let curveTask = Measure(
    .curveTask, "Task being learned at the evaluation; -1: padding", definition: "its index", storage: .i32,
    along: [.evaluation])
}

/// What a scenario knows of itself. C[j, k] is the accuracy on task k of the best rule for task j.
extension Measure {
  static let bayesAccuracy = Measure(
    .bayesAccuracy, "Accuracy of the best rule for each task", definition: "C[k, k]", subject: .truth, along: [.task])

  static let crossAccuracy = Measure(
    .crossAccuracy, "Accuracy on task_other of the best rule for task",
    definition: "C[j, k]: mean of p* of the answers of task j's best rule on the test rows of task k",
    subject: .truth, along: [.task, .otherTask])

  static let driftTV = Measure(
    .driftTV, "Total variation between task and task_other, over the inputs of task_other",
    definition: "mean of |p_j - p_k| over the inputs of task k", subject: .truth, along: [.task, .otherTask])

  static let driftHellinger = Measure(
    .driftHellinger, "Hellinger distance between task and task_other, over the inputs of task_other",
    definition: "mean Hellinger distance of p_j and p_k over the inputs of task k", subject: .truth,
    along: [.task, .otherTask])

  static let driftInputs = Measure(
    .driftInputs, "Hellinger distance between the inputs of task and task_other",
    definition: "of histograms of 20 equal bins of each column, the largest of all columns", subject: .truth,
    along: [.task, .otherTask])

  static let driftLabels = Measure(
    .driftLabels, "Total variation between the label rates of task and task_other",
    definition: "sum over labels of |P_j(y) - P_k(y)| / 2", subject: .truth, along: [.task, .otherTask])

  static let driftConditional = Measure(
    .driftConditional, "Hellinger distance between the inputs of a label in task and task_other",
    definition: "mean over labels, as often as they come in both, of drift_inputs of the rows with the label",
    subject: .truth, along: [.task, .otherTask])

  static let driftTwoSample = Measure(
    .driftTwoSample, "Accuracy of a classifier that tells inputs of task from inputs of task_other",
    definition:
      "share of right answers of a rule logistic in columns and squares to rows that it has not learned from, both tasks alike; 0.5: equal",
    subject: .truth, along: [.task, .otherTask])

  static let jointCeiling = Measure(
    .jointCeiling, "Best mean accuracy that one function of the inputs can have",
    definition: "J*: the best mean over all tasks, estimated from below", subject: .truth)

  static let trackerAccuracy = Measure(
    .trackerAccuracy, "Mean accuracy of the best rule for the last task, no other remembered",
    definition: "mean_k C[T-1, k]", subject: .truth)

  static let ambiguityGap = Measure(
    .ambiguityGap, "Mean of bayes_accuracy minus joint_ceiling: how hidden the context is",
    definition: "mean_k C[k, k] - J*", subject: .truth)
}

/// What a run cost. Times differ from run to run; the rest follows from the settings.
extension Measure {
  static let timeTotal = time(
    .timeTotal, "Wall time of the run, without making its data",
    "time_train + time_evaluate, and what lies between them")
  static let timeTrain = time(.timeTrain, "Wall time of training", "sum of time_task: steps and ends of tasks")
  static let timeEvaluate = time(
    .timeEvaluate, "Wall time of evaluation", "all evaluations: before the first task, within tasks and after each")
  static let timeTask = Measure(
    .timeTask, "Wall time of training on each task", unit: "s", definition: "steps and end of the task", subject: .cost,
    direction: .lower, along: [.afterTask], isRepeatable: false, isAlwaysThere: true)

  static let steps = count(.steps, "Training steps", "updates of the parameters, over all tasks")
  static let examples = count(
    .examples, "Training rows fed, each pass counted, without replayed ones",
    "rows of the steps' batches, as the experiment feeds them")
  static let examplesTask = perTask(
    .examplesTask, "Training rows fed in each task; -1: padding",
    "rows of the task's batches, as the experiment feeds them")
  static let multiplyAddsTask = perTask(
    .multiplyAddsTask, "Multiply-adds of each task; -1: padding",
    "multiply_adds at the task's end less those at the end before")
  static let multiplyAddsEvaluation = Measure(
    .multiplyAddsEvaluation, "Multiply-adds of evaluation",
    definition:
      "forward passes of the test rows: before the first task, after each, within tasks; what probes do is not counted",
    subject: .cost, direction: .lower, storage: .i64, countedBy: .costRevision)
  static let multiplyAdds = count(
    .multiplyAdds, "Multiply-adds of training, replay and what happens at the ends of tasks",
    "products of the passes: steps with replayed rows, Fisher passes, features and distances of core-sets; "
      + "neither evaluation nor work that is one operation a parameter", countedBy: .costRevision)
  static let bytesModel = memory(
    .bytesModel, "Memory of the network", "4 a parameter, heads and adapters included")
  static let bytesOptimizer = memory(
    .bytesOptimizer, "Memory of the optimiser's state", "4 for each number it keeps of a parameter")
  static let bytesImportance = memory(
    .bytesImportance, "Memory of importances and anchors",
    "4 for each number that parts keep of a parameter: importances, anchors, teachers")
  static let bytesMemory = memory(
    .bytesMemory, "Memory of stored rows",
    "4 (columns + 2) for each row that is kept: its inputs, label and task, and more with values, stored answers, an owner "
      + "or a time; joint keeps all rows so far")
  static let multiplyAddsPart = Measure(
    .multiplyAddsPart, "Multiply-adds by part; -1: padding",
    definition:
      "multiply_adds of what each part had done: the memory has the passes of rows that came back, a penalty its "
      + "Fisher passes, a loss its teachers' passes, a transform the gradients it asked for; the network has the rest",
    subject: .cost, direction: .lower, storage: .i64, along: [.part], countedBy: .costRevision)
  static let bytesPart = Measure(
    .bytesPart, "Memory by part; -1: padding", unit: "byte",
    definition:
      "bytes_model of the network, bytes_optimizer of the optimiser, of each part its share of bytes_importance "
      + "or bytes_memory", subject: .cost, direction: .lower, storage: .i64, along: [.part],
    countedBy: .costRevision)
  static let costRevision = Measure(
    .costRevision, "What multiply_adds and bytes count: they compare between runs of one revision",
    definition: "raised when other work or memory is counted", subject: .cost, direction: .neither, storage: .i32,
    isRepeatable: false, isAlwaysThere: true)

  private static func time(_ name: ObservationName, _ longName: String, _ definition: String) -> Measure {
    Measure(
      name, longName, unit: "s", definition: definition, subject: .cost, direction: .lower, isRepeatable: false,
      isAlwaysThere: true)
  }

  private static func perTask(_ name: ObservationName, _ longName: String, _ definition: String) -> Measure {
    Measure(
      name, longName, definition: definition, subject: .cost, direction: .lower, storage: .i64, along: [.afterTask],
      countedBy: .costRevision)
  }

  private static func count(
    _ name: ObservationName, _ longName: String, unit: String = "1", _ definition: String,
    countedBy: ObservationName? = nil
  ) -> Measure {
    Measure(
      name, longName, unit: unit, definition: definition, subject: .cost, direction: .lower, storage: .i64,
      countedBy: countedBy, isAlwaysThere: true)
  }

  private static func memory(_ name: ObservationName, _ longName: String, _ definition: String) -> Measure {
    count(name, longName, unit: "byte", definition, countedBy: .costRevision)
  }
}

extension Metric {
  /// What a report of runs that predict values shows.
  public static let errorMetrics: [Metric] = [.averageRMSE, .averageMAE, .rmseForgetting].map { (measure: Measure) in
    Metric(measure)
  }
}

/// The names of the toolkit's measures.
extension ObservationName {
  static let accuracy: Self = "accuracy"
  static let expectedAccuracy: Self = "expected_accuracy"
  static let logLoss: Self = "log_loss"
  static let accuracyBefore: Self = "accuracy_before"
  static let expectedAccuracyBefore: Self = "expected_accuracy_before"
  static let rmse: Self = "rmse"
  static let mae: Self = "mae"
  static let averageRMSE: Self = "average_rmse"
  static let averageMAE: Self = "average_mae"
  static let rmseForgetting: Self = "rmse_forgetting"
  static let curveAccuracy: Self = "curve_accuracy"
  static let expectedCurveAccuracy: Self = "expected_curve_accuracy"
  static let curveLogLoss: Self = "curve_log_loss"
  static let curveExamples: Self = "curve_examples"
  static let curveTask: Self = "curve_task"
  static let bayesAccuracy: Self = "bayes_accuracy"
  static let crossAccuracy: Self = "cross_accuracy"
  static let driftTV: Self = "drift_tv"
  static let driftHellinger: Self = "drift_hellinger"
  static let driftInputs: Self = "drift_inputs"
  static let driftLabels: Self = "drift_labels"
  static let driftConditional: Self = "drift_conditional"
  static let driftTwoSample: Self = "drift_two_sample"
  static let jointCeiling: Self = "joint_ceiling"
  static let trackerAccuracy: Self = "tracker_accuracy"
  static let ambiguityGap: Self = "ambiguity_gap"
  static let timeTotal: Self = "time_total"
  static let timeTrain: Self = "time_train"
  static let timeEvaluate: Self = "time_evaluate"
  static let timeTask: Self = "time_task"
  static let steps: Self = "steps"
  static let examples: Self = "examples"
  package static let examplesTask: Self = "examples_task"
  static let multiplyAddsTask: Self = "multiply_adds_task"
  static let multiplyAddsEvaluation: Self = "multiply_adds_evaluation"
  static let multiplyAdds: Self = "multiply_adds"
  static let bytesModel: Self = "bytes_model"
  static let bytesOptimizer: Self = "bytes_optimizer"
  static let bytesImportance: Self = "bytes_importance"
  static let bytesMemory: Self = "bytes_memory"
  static let multiplyAddsPart: Self = "multiply_adds_part"
  static let bytesPart: Self = "bytes_part"
  package static let costRevision: Self = "cost_revision"
}

/// What the rows are.
extension Measure {
  static let dataDigest = Measure(
    .dataDigest, "Digest of the rows that the scenario made",
    definition:
      "FNV-1a of 64 bits over 32-bit words: of each task inputs, labels and p* of its training rows, then of its test rows",
    subject: .truth, storage: .i64, countedBy: .dataDigest)
}

extension ObservationName {
  static let dataDigest: Self = "data_digest"
}

extension RunRecord {
  package mutating func observe(dataDigest: UInt64) {
    observe(Observation(.dataDigest, Int(truncatingIfNeeded: dataDigest)))
  }
}
