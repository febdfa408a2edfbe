import PalimpsestCore

/// What a run through a stream has observed, on its way to a record.
public struct StreamRecord: Sendable {
  /// One window of rows.
  public struct Window: Sendable, Equatable {
    public var rows: Int
    public var accuracy: Double
    public var logLoss: Double
    /// NaN where p* is not known.
    public var expectedAccuracy: Double
    public var regret: Double
    /// Against chance, the most frequent label so far, and the last one; NaN where that is always right.
    public var kappa = Double.nan
    public var kappaM = Double.nan
    public var kappaTemporal = Double.nan
    /// √ of the product of the parts above 0 of the first and the third.
    public var kappaCombined: Double {
      kappa.isNaN || kappaTemporal.isNaN ? .nan : (max(0, kappa) * max(0, kappaTemporal)).squareRoot()
    }
    public var balancedAccuracy = Double.nan
    /// Area under the ROC curve and mean squared error of p(1); NaN where there are more than two labels.
    public var area = Double.nan
    public var brier = Double.nan
    public var calibrationError = Double.nan
    /// At the window's right edge.
    public var fadingAccuracy = Double.nan
    public var majorityAccuracy = Double.nan
    public var repeatLastAccuracy = Double.nan

    public init(
      rows: Int, accuracy: Double, logLoss: Double, expectedAccuracy: Double = .nan, regret: Double = .nan
    ) {
      self.rows = rows
      self.accuracy = accuracy
      self.logLoss = logLoss
      self.expectedAccuracy = expectedAccuracy
      self.regret = regret
    }
  }

  /// What a change of the world cost.
  public struct Change: Sendable, Equatable {
    /// Rows until the learner had recovered; nil: it had not when the next change came.
    public var recovery: Int?
    /// Summed over the rows until the next change.
    public var regret: Double
    public var rows: Int

    public init(recovery: Int?, regret: Double, rows: Int) {
      (self.recovery, self.regret, self.rows) = (recovery, regret, rows)
    }
  }

  public var status: RunRecord.Status
  public var error = ""
  /// Names of the scenario's tasks and the first row of each.
  public var tasks: [String]
  public var starts: [Int]
  /// What the scenario says happened to the world, in the order of the first rows; nil: each task but the first begins with a
  /// change.
  public var declaredEvents: [DriftEvent]?
  public var windows: [Window] = []
  /// Rows seen at the right edge of each window.
  public var rightEdges: [Int] = []
  /// Of predictions made just before late labels arrived; nil: labels came at once.
  public var finalAccuracies: [Double]?
  /// Accuracies on the tasks' test rows; nil: the learner was not judged on them.
  public var tests: TaskRecord?
  /// Of all tasks but the first.
  public var changes: [Change] = []
  /// Of all blips: the mean regret of the rows soon behind it, less that of those soon before; NaN where there are no such rows.
  public var blipReactions: [Double] = []
  /// One a task: which concept is in force in it.
  public var concepts: [Int] = []
  public var alarms: [Int] = []
  public var warnings: [Int] = []
  public var boundaries: [Int] = []
  /// A drift detector looked at the outcomes, whether or not it alarmed.
  public var hasDetector = false
  /// Rows behind a change in which an alarm still detects it.
  public var maxDelay = 1000
  /// What the best rule has of each row that knows the concepts' shares alone; nil: not known, or each row's concept is.
  public var mixtureBest: [Double]?
  /// What is known of the scenario.
  public var truth: ScenarioTruth?
  public var cost = RunCost()

  public init(status: RunRecord.Status, tasks: [String], starts: [Int]) {
    self.status = status
    self.tasks = tasks
    self.starts = starts
  }

  /// What happened to the world.
  public var events: [DriftEvent] { declaredEvents ?? [DriftEvent](changesAt: starts) }
}

extension RunRecord {
  /// The observations of a run through a stream.
  public init(_ stream: StreamRecord) {
    self.init(status: stream.status, tasks: stream.tasks, observations: [])
    error = stream.error
    observe(stream.windows)
    observe(comparisonsOf: stream.windows)
    observe(mixtureOf: stream)
    if let finals = stream.finalAccuracies, !finals.isEmpty {
      observe(.prequentialFinalAccuracy, .prequentialFinalMean, finals)
    }
    if !stream.rightEdges.isEmpty { ticks[MeasureAxis.examplesSeen.name] = .positions(stream.rightEdges) }
    observe(signalsOf: stream)
    observe(Observation(.boundaryCount, stream.boundaries.count))
    observe(.boundaryExample, .boundary, stream.boundaries)
    observe(.taskExample, .task, stream.starts)
    if let tests = stream.tests { observe(tests) }
    truth = stream.truth
    observe(regretsOf: stream)
    observe(eventsOf: stream)
    observe(changesOf: stream)
    observe(blipsOf: stream)
    observe(detectionsOf: stream)
    cost = stream.cost
  }

  private mutating func observe(_ windows: [StreamRecord.Window]) {
    if windows.isEmpty { return }
    observe(.prequentialAccuracy, .prequentialMean, windows.map(\.accuracy))
    observe(.prequentialLoss, .prequentialLossMean, windows.map(\.logLoss))
    if windows.contains(where: { !$0.expectedAccuracy.isNaN }) {
      observe(.expectedPrequentialAccuracy, .expectedPrequentialMean, windows.map(\.expectedAccuracy))
      observe(.prequentialRegret, .regretMean, windows.map(\.regret))
    }
    observe(.prequentialRows, .examplesSeen, windows.map(\.rows))
  }

  /// Means over the windows.
  private mutating func observe(mixtureOf stream: StreamRecord) {
    guard let best = stream.mixtureBest, let last = stream.rightEdges.last, last <= best.count else { return }
    let means = zip([0] + stream.rightEdges, stream.rightEdges).map { left, right in
      best[left..<right].reduce(0, +) / Double(right - left)
    }
    observe(Observation(.mixtureAccuracy, along: [Axis(MeasureAxis.examplesSeen.name, means.count)], .numbers(means)))
  }

  /// What answers are worth beside rules that look at labels alone.
  private mutating func observe(comparisonsOf windows: [StreamRecord.Window]) {
    if windows.allSatisfy({ $0.repeatLastAccuracy.isNaN }) { return }
    observe(.prequentialKappa, meanOfKnown: .kappaMean, windows.map(\.kappa))
    observe(.prequentialKappaM, meanOfKnown: .kappaMMean, windows.map(\.kappaM))
    observe(.prequentialKappaTemporal, meanOfKnown: .kappaTemporalMean, windows.map(\.kappaTemporal))
    observe(.prequentialKappaCombined, meanOfKnown: .kappaCombinedMean, windows.map(\.kappaCombined))
    observe(.prequentialBalancedAccuracy, meanOfKnown: .balancedAccuracyMean, windows.map(\.balancedAccuracy))
    observe(.majorityAccuracy, meanOfKnown: .majorityMean, windows.map(\.majorityAccuracy))
    observe(.repeatLastAccuracy, meanOfKnown: .repeatLastMean, windows.map(\.repeatLastAccuracy))
    let axis = [Axis(MeasureAxis.examplesSeen.name, windows.count)]
    observe(Observation(.prequentialFadingAccuracy, along: axis, .numbers(windows.map(\.fadingAccuracy))))
    observe(.prequentialCalibrationError, meanOfKnown: .calibrationErrorMean, windows.map(\.calibrationError))
    if windows.allSatisfy({ $0.brier.isNaN }) { return }
    observe(.prequentialArea, meanOfKnown: .areaMean, windows.map(\.area))
    observe(.prequentialBrier, meanOfKnown: .brierMean, windows.map(\.brier))
  }

  /// One number a window, and the mean of those that there are.
  private mutating func observe(_ name: ObservationName, meanOfKnown mean: ObservationName, _ values: [Double]) {
    observe(Observation(name, along: [Axis(MeasureAxis.examplesSeen.name, values.count)], .numbers(values)))
    let known = values.filter { !$0.isNaN }
    if !known.isEmpty { observe(Observation(mean, known.reduce(0, +) / Double(known.count))) }
  }

  /// One number a window, and their mean.
  private mutating func observe(_ name: ObservationName, _ mean: ObservationName, _ values: [Double]) {
    observe(Observation(name, along: [Axis(MeasureAxis.examplesSeen.name, values.count)], .numbers(values)))
    observe(Observation(mean, values.reduce(0, +) / Double(values.count)))
  }

  /// Alarms and warnings in the order of time.
  private mutating func observe(signalsOf stream: StreamRecord) {
    let signals = (stream.alarms.map { ($0, 1) } + stream.warnings.map { ($0, 2) }).sorted { $0 < $1 }
    observe(Observation(.alarmCount, stream.alarms.count))
    observe(.alarmExample, .alarm, signals.map(\.0))
    observe(.alarmKind, .alarm, signals.map(\.1))
  }

  mutating func observe(_ name: ObservationName, _ axis: MeasureAxis, _ integers: [Int]) {
    if integers.isEmpty { return }
    observe(Observation(name, along: [Axis(axis.name, integers.count)], .integers(integers)))
  }

  /// True of a run through a stream.
  public var isStream: Bool { self[.prequentialRows] != nil }
}
