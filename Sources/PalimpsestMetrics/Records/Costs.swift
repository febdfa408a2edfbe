/// Every cost that reports can show, one number a run; all but ``Metric/bytesKept`` are columns of the results.
public let standardCosts: [Metric] = [
  .timeTotal, .timeTrain, .timeEvaluate, .steps, .examples, .multiplyAdds,
  .bytesModel, .bytesOptimizer, .bytesImportance, .bytesMemory, .bytesKept,
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

  /// What a device has to keep from one update to the next. Worked out by reports, from columns and settings.
  public static let bytesKept = bytesKept(of: [.bytesModel, .bytesImportance, .bytesMemory])

  /// The same of runs whose optimiser's state lives on from task to task.
  package static let bytesKeptWithOptimizer = bytesKept(
    of: [.bytesModel, .bytesImportance, .bytesMemory, .bytesOptimizer])

  private static func bytesKept(of measures: [Measure]) -> Metric {
    Metric(
      "bytes_kept", "Memory kept between updates",
      definition:
        "bytes_model + bytes_importance + bytes_memory, and bytes_optimizer with training.resetOptimizer false",
      sumOf: measures)
  }
}
