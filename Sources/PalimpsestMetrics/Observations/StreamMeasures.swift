/// What runs through a stream observe: what predictions were worth that were made before their rows were learned.
public let streamMeasures: [Measure] =
  [
    .prequentialAccuracy, .prequentialLoss, .expectedPrequentialAccuracy, .prequentialRegret, .mixtureAccuracy,
    .prequentialRows,
    .prequentialMean, .prequentialLossMean, .expectedPrequentialMean, .regretMean,
    .prequentialKappa, .prequentialKappaM, .prequentialKappaTemporal, .prequentialKappaCombined,
    .prequentialBalancedAccuracy, .prequentialArea,
    .prequentialBrier, .prequentialCalibrationError, .prequentialFadingAccuracy, .prequentialFinalAccuracy,
    .majorityAccuracy, .repeatLastAccuracy,
    .kappaMean, .kappaMMean, .kappaTemporalMean, .kappaCombinedMean, .balancedAccuracyMean, .areaMean, .brierMean,
    .calibrationErrorMean,
    .prequentialFinalMean,
    .majorityMean, .repeatLastMean,
    .alarmCount, .alarmExample, .alarmKind, .boundaryCount, .boundaryExample, .taskExample,
  ] + changeMeasures + driftMeasures

extension MeasureAxis {
  /// What a drift detector said, in the order of time.
  public static let alarm = MeasureAxis("alarm", "Index of the alarm or warning of the drift detector")
  /// Ends of experiences that the learner was told of.
  public static let boundary = MeasureAxis("boundary", "Index of the boundary that the learner was told of")
}

/// A window holds `stream.window` rows; the last one of a run, which may be short, counts like the others.
extension Measure {
  static let prequentialAccuracy = Measure(
    .prequentialAccuracy, "Accuracy of predictions made before learning",
    definition: "share of right answers among the rows of the window, each answered before it was learned",
    direction: .higher, along: [.examplesSeen])

  static let prequentialLoss = Measure(
    .prequentialLoss, "Log-loss of predictions made before learning",
    definition: "mean of -ln p(label) over the rows of the window, each answered before it was learned",
    direction: .lower, along: [.examplesSeen])

  static let expectedPrequentialAccuracy = Measure(
    .expectedPrequentialAccuracy, "Noise-free accuracy of predictions made before learning",
    definition: "mean of p* of the answers over the rows of the window", direction: .higher, along: [.examplesSeen])

  static let prequentialRegret = Measure(
    .prequentialRegret, "What the best rule has more than the learner",
    definition: "mean of max(p*, 1 - p*) minus p* of the answer, over the rows of the window", direction: .lower,
    along: [.examplesSeen])

  static let mixtureAccuracy = Measure(
    .mixtureAccuracy, "Accuracy of the best rule that knows the concepts' shares and not which made a row",
    definition: "mean over the rows of the window of the largest sum_k s_k f_k p_k / sum_k s_k f_k",
    subject: .truth, along: [.examplesSeen])

  static let prequentialRows = Measure(
    .prequentialRows, "Rows of the window; -1: padding", definition: "stream.window; fewer in a run's last window",
    storage: .i32, along: [.examplesSeen])

  static let prequentialMean = Measure(
    .prequentialMean, "Mean prequential accuracy", definition: "mean of prequential_accuracy over the windows",
    direction: .higher)

  static let prequentialLossMean = Measure(
    .prequentialLossMean, "Mean prequential log-loss", definition: "mean of prequential_loss over the windows",
    direction: .lower)

  static let expectedPrequentialMean = Measure(
    .expectedPrequentialMean, "Mean noise-free prequential accuracy",
    definition: "mean of expected_prequential_accuracy over the windows", direction: .higher)

  static let regretMean = Measure(
    .regretMean, "Mean regret", definition: "mean of prequential_regret over the windows", direction: .lower)
}

/// Rows are counted from 0 through the whole stream.
extension Measure {
  static let alarmCount = Measure(
    .alarmCount, "Alarms of the drift detector", definition: "how many alarm_kind are 1; warnings do not count",
    storage: .i64)

  static let alarmExample = Measure(
    .alarmExample, "Row behind which the detector spoke; -1: padding",
    definition: "the row's number in the stream, from 0", storage: .i64, along: [.alarm])

  static let alarmKind = Measure(
    .alarmKind, "1 an alarm, 2 a warning; -1: padding", definition: "what the detector said", storage: .i8,
    along: [.alarm]
  ).with(flags: [Flag(1, "alarm"), Flag(2, "warning")])

  static let boundaryCount = Measure(
    .boundaryCount, "Ends of experiences that the learner was told of while the stream went on",
    definition: "how many boundary_example there are", storage: .i64)

  static let boundaryExample = Measure(
    .boundaryExample, "First row behind a boundary that the learner was told of; -1: padding",
    definition: "the row's number in the stream, from 0", storage: .i64, along: [.boundary])

  static let taskExample = Measure(
    .taskExample, "First row of each of the scenario's tasks in the stream; -1: padding",
    definition: "the row's number in the stream, from 0: where the world changes", subject: .truth, storage: .i64,
    along: [.task])
}

extension ObservationName {
  static let prequentialAccuracy: Self = "prequential_accuracy"
  static let prequentialLoss: Self = "prequential_loss"
  static let expectedPrequentialAccuracy: Self = "expected_prequential_accuracy"
  static let prequentialRegret: Self = "prequential_regret"
  static let mixtureAccuracy: Self = "mixture_accuracy"
  static let prequentialRows: Self = "prequential_rows"
  static let prequentialMean: Self = "prequential_mean"
  static let prequentialLossMean: Self = "prequential_loss_mean"
  static let expectedPrequentialMean: Self = "expected_prequential_mean"
  static let regretMean: Self = "regret_mean"
  static let alarmCount: Self = "alarm_count"
  static let alarmExample: Self = "alarm_example"
  static let alarmKind: Self = "alarm_kind"
  static let boundaryCount: Self = "boundary_count"
  static let boundaryExample: Self = "boundary_example"
  static let taskExample: Self = "task_example"
}

extension Metric {
  /// What is said of streams while they go on: as many as of runs through tasks.
  package static let streamStatus = metrics(.prequentialMean, .prequentialLossMean, .expectedPrequentialMean)

  /// What a report of streams shows, of what was observed. Where p* is known, numbers are without the noise of labels, and rules that
  /// look at labels alone are left out.
  public static func streamMetrics(observed: (ObservationName) -> Bool) -> [Metric] {
    guard observed(.prequentialMean) else { return [] }
    let worth =
      observed(.regretMean)
      ? metrics(.expectedPrequentialMean, .prequentialLossMean, .regretMean, .kappaTemporalMean)
      : metrics(.prequentialMean, .prequentialLossMean, .repeatLastMean, .majorityMean, .kappaTemporalMean)
    let changes = metrics(.recoveryFirst, .recoveryRecurring)
    let alarms = observed(.detectionF1) ? metrics(.alarmCount, .detectionDelay, .detectionF1, .dummyF1) : []
    let tests = observed(.curveTask) ? [Metric.averageAccuracy, .forgetting] : []
    return (worth + changes + alarms).filter { observed(ObservationName($0.name)) } + tests
  }

  private static func metrics(_ measures: Measure...) -> [Metric] { measures.map { Metric($0) } }
}
