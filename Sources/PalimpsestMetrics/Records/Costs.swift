/// Every cost of the results that is one number a run, in the order of their columns.
public let standardCosts: [Metric] = [
  .timeTotal, .timeTrain, .timeEvaluate, .steps, .examples, .multiplyAdds,
  .bytesModel, .bytesOptimizer, .bytesImportance, .bytesMemory,
]

/// What a run cost, for reports.
extension Metric {
  public static let timeTotal = Metric(Measure.timeTotal)
  public static let timeTrain = Metric(Measure.timeTrain)
  public static let timeEvaluate = Metric(Measure.timeEvaluate)
  public static let steps = Metric(Measure.steps)
  public static let examples = Metric(Measure.examples)
  public static let multiplyAdds = Metric(Measure.multiplyAdds)
  public static let bytesModel = Metric(Measure.bytesModel)
  public static let bytesOptimizer = Metric(Measure.bytesOptimizer)
  public static let bytesImportance = Metric(Measure.bytesImportance)
  public static let bytesMemory = Metric(Measure.bytesMemory)
}
