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

  public var status: RunRecord.Status
  public var error = ""
  /// Names of the scenario's tasks and the first row of each.
  public var tasks: [String]
  public var starts: [Int]
  public var windows: [Window] = []
  /// Rows seen at the right edge of each window.
  public var rightEdges: [Int] = []
  public var alarms: [Int] = []
  public var warnings: [Int] = []
  public var boundaries: [Int] = []
  /// A drift detector looked at the outcomes, whether or not it alarmed.
  public var hasDetector = false
  /// Rows behind a change in which an alarm still detects it.
  public var maxDelay = 1000
  /// What is known of the scenario.
  public var truth: ScenarioTruth?
  public var cost = RunCost()

  public init(status: RunRecord.Status, tasks: [String], starts: [Int]) {
    self.status = status
    self.tasks = tasks
    self.starts = starts
  }
}

extension RunRecord {
  /// The observations of a run through a stream.
  public init(_ stream: StreamRecord) {
    self.init(status: stream.status, tasks: stream.tasks, observations: [])
    error = stream.error
    observe(stream.windows)
    if !stream.rightEdges.isEmpty { ticks[MeasureAxis.examplesSeen.name] = .positions(stream.rightEdges) }
    observe(signalsOf: stream)
    observe(Observation(.boundaryCount, stream.boundaries.count))
    observe(.boundaryExample, .boundary, stream.boundaries)
    observe(.taskExample, .task, stream.starts)
    truth = stream.truth
    observe(eventsOf: stream)
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
