import PalimpsestCore

/// What was probed of a run through tasks beside its accuracies. What was not asked for is nil.
public struct ProbedRecord: Sendable, Equatable, Codable {
  public var calibration: CalibrationRecord?
  public var flips: FlipRecord?
  public var slices: SliceRecord?
  public var layers: LayerRecord?
  public var fresh: FreshRecord?

  public init() {}

  /// What cannot be of a run of so many tasks; nil: nothing.
  package func problem(tasks: Int) -> String? {
    var matrices: [AccuracyMatrix] = []
    if let calibration { matrices += calibration.matrices }
    if let layers, let problem = layers.problem(tasks: tasks) { return problem }
    if let fresh, !fresh.fits(tasks) { return "a fresh task was learned after other than \(tasks) tasks" }
    if let flips { matrices += [flips.negative, flips.positive, flips.churn] }
    let fits =
      matrices.allSatisfy { $0.isSquare && $0.tasks == tasks }
      && (calibration?.reliability.allSatisfy { $0.task >= 0 && $0.task < tasks && $0.bin >= 0 && $0.bin < 15 } ?? true)
    return fits ? nil : "what was probed is not of \(tasks) tasks"
  }
}

/// Entry [i, j] is of task j's test rows after learning task i.
public struct CalibrationRecord: Sendable, Equatable, Codable {
  /// One bin of the reliability diagram of a task, after the last.
  public struct Bin: Sendable, Equatable, Codable {
    public let task: Int
    public let bin: Int
    public let count: Int
    public let confidence: Double
    public let frequency: Double
  }

  public private(set) var brier: AccuracyMatrix
  public private(set) var error: AccuracyMatrix
  public private(set) var debiased: AccuracyMatrix
  /// mean |q − p*|; NaN where p* is not known.
  public private(set) var trueError: AccuracyMatrix
  public private(set) var reliability: [Bin] = []

  public init(tasks: Int) {
    brier = AccuracyMatrix(tasks: tasks)
    (error, debiased, trueError) = (brier, brier, brier)
  }

  var matrices: [AccuracyMatrix] { [brier, error, debiased, trueError] }

  public mutating func take(_ calibration: Calibration, trueError distance: Double, after task: Int, of other: Int) {
    brier[task, other] = calibration.brier
    error[task, other] = calibration.error
    debiased[task, other] = calibration.debiased
    trueError[task, other] = distance
    guard task == brier.tasks - 1 else { return }
    reliability += calibration.bins.enumerated().filter { $1.count > 0 }.map { bin, of in
      Bin(task: other, bin: bin, count: of.count, confidence: of.confidence, frequency: of.frequency)
    }
  }
}

/// Entry [i, j]: answers to task j's test rows after task i beside those after task i − 1; row 0 is NaN.
public struct FlipRecord: Sendable, Equatable, Codable {
  public private(set) var negative: AccuracyMatrix
  public private(set) var positive: AccuracyMatrix
  public private(set) var churn: AccuracyMatrix

  public init(tasks: Int) {
    negative = AccuracyMatrix(tasks: tasks)
    (positive, churn) = (negative, negative)
  }

  public mutating func take(_ flips: AnswerFlips, after task: Int, of other: Int) {
    negative[task, other] = flips.negative
    positive[task, other] = flips.positive
    churn[task, other] = flips.churn
  }

  /// Mean over switches of the mean negative flips on the tasks learned before; NaN of one task.
  public var rate: Double {
    mean(1..<max(1, negative.tasks)) { k in mean(0..<k) { j in negative[k, j] } }
  }
}

/// After the last task, over the test rows of all tasks.
public struct SliceRecord: Sendable, Equatable, Codable {
  /// By label.
  public var classes: [Slice] = []
  /// By the rows' owners, where rows carry them.
  public var users: [Slice] = []

  public init() {}
}
