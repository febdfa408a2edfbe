/// Every cost of the results that is one number a run, in the order of their columns.
public let standardCosts: [Metric] = [
  .timeTotal, .timeTrain, .timeEvaluate, .steps, .examples, .multiplyAdds,
  .bytesModel, .bytesOptimizer, .bytesImportance, .bytesMemory,
]

/// What a run cost. Times differ from run to run; the rest follows from the settings.
extension Metric {
  public static let timeTotal = Metric(
    cost: "time_total", "Wall time of the run, without making its data", unit: "s",
    definition: "time_train + time_evaluate, and what lies between them"
  ) { $0.timeTotal }

  public static let timeTrain = Metric(
    cost: "time_train", "Wall time of training", unit: "s", definition: "sum of time_task: steps and ends of tasks"
  ) { $0.timeTrain }

  public static let timeEvaluate = Metric(
    cost: "time_evaluate", "Wall time of evaluation", unit: "s",
    definition: "all evaluations: before the first task, within tasks and after each"
  ) { $0.timeEvaluate }

  public static let steps = Metric(
    cost: "steps", "Training steps", definition: "updates of the parameters, over all tasks"
  ) { Double($0.steps) }

  public static let examples = Metric(
    cost: "examples", "Training rows fed, each pass counted, without replayed ones",
    definition: "rows of the steps' batches, as the experiment feeds them"
  ) { Double($0.examples) }

  public static let multiplyAdds = Metric(
    cost: "multiply_adds", "Multiply-adds of training, replay and what happens at the ends of tasks",
    definition: "products of the passes: steps with replayed rows, Fisher passes, features and distances of core-sets; "
      + "neither evaluation nor work that is one operation a parameter"
  ) { Double($0.learner.multiplyAdds) }

  public static let bytesModel = Metric(
    cost: "bytes_model", "Memory of the network", unit: "byte", definition: "4 a parameter, heads and adapters included"
  ) { Double($0.learner.bytesModel) }

  public static let bytesOptimizer = Metric(
    cost: "bytes_optimizer", "Memory of the optimiser's state", unit: "byte",
    definition: "4 for each number it keeps of a parameter"
  ) { Double($0.learner.bytesOptimizer) }

  public static let bytesImportance = Metric(
    cost: "bytes_importance", "Memory of importances and anchors", unit: "byte",
    definition: "4 for each number that penalties keep of a parameter"
  ) { Double($0.learner.bytesImportance) }

  public static let bytesMemory = Metric(
    cost: "bytes_memory", "Memory of stored rows", unit: "byte",
    definition: "4 (columns + 2) for each row that is kept: its inputs, label and task; joint keeps all rows so far"
  ) { Double($0.learner.bytesMemory) }
}
