import PalimpsestCore

/// What a run that goes through tasks has measured so far: what such a run keeps while it goes on, and its checkpoints hold.
/// ``RunRecord`` makes observations of it.
public struct TaskRecord: Sendable, Equatable, Codable {
  public var status: RunRecord.Status
  /// Why, where it did not complete.
  public var error = ""
  /// Names of the tasks, in order.
  public var tasks: [String]
  /// R[i, j]: share of right answers on task j's test rows after learning task i. Full: j > i is zero-shot.
  public var accuracy: AccuracyMatrix
  /// The same without the noise of labels, where p* is known: mean of p* of the answers given.
  public var expectedAccuracy: AccuracyMatrix?
  /// Mean −ln p(label).
  public var logLoss: AccuracyMatrix
  /// Errors where values are to be predicted, as ``accuracy`` stands.
  public var errors: ErrorMatrices?
  /// One a task: accuracy of the untrained network.
  @Measured public var accuracyBefore: [Double]
  @Measured public var expectedAccuracyBefore: [Double]?
  /// Why the entries j > i are NaN, where the protocol leaves them out: `future classes are masked`.
  public var zeroShotUnmeasured: String?
  /// Evaluations within tasks, where they were asked for.
  public var curve: [CurvePoint] = []
  /// What is known of the scenario.
  public var truth: ScenarioTruth?
  public var cost = RunCost()

  public init(status: RunRecord.Status, tasks: [String]) {
    self.status = status
    self.tasks = tasks
    accuracy = AccuracyMatrix(tasks: tasks.count)
    logLoss = accuracy
    accuracyBefore = [Double](repeating: .nan, count: tasks.count)
    expectedAccuracyBefore = nil
  }
}

/// What answers are off by, where values are to be predicted: entry [i, j] on task j's test rows after learning task i, over rows and
/// outputs, in the values' own unit.
public struct ErrorMatrices: Sendable, Equatable, Codable {
  public var rootMeanSquare: AccuracyMatrix
  public var meanMagnitude: AccuracyMatrix

  public init(tasks: Int) {
    rootMeanSquare = AccuracyMatrix(tasks: tasks)
    meanMagnitude = rootMeanSquare
  }
}

/// One evaluation within a task.
public struct CurvePoint: Sendable, Equatable, Codable {
  /// Task being learned.
  public var task: Int
  /// Training rows seen so far in the whole run, each pass counted.
  public var examples: Int
  /// One a task; NaN where it was not measured.
  @Measured public var accuracy: [Double]
  /// One a task, where p* is known.
  @Measured public var expectedAccuracy: [Double]?
  /// One a task: mean −ln p(label).
  @Measured public var logLoss: [Double]?

  public init(
    task: Int, examples: Int, accuracy: [Double], expectedAccuracy: [Double]?, logLoss: [Double]? = nil
  ) {
    self.logLoss = logLoss
    self.task = task
    self.examples = examples
    self.accuracy = accuracy
    self.expectedAccuracy = expectedAccuracy
  }
}

/// What a run cost. Times are wall-clock seconds and the only numbers here that differ from run to run.
public struct RunCost: Sendable, Equatable, Codable {
  /// Raised when other work or memory is counted: bytes and multiply-adds of two revisions do not compare.
  /// 2: Fisher passes and the choice of core-sets count, so do the rows that `joint` keeps; gaps between tensors do not.
  public static let currentRevision = 2

  /// How ``learner`` was counted.
  public var revision = RunCost.currentRevision
  public var timeTotal = 0.0
  public var timeTrain = 0.0
  public var timeEvaluate = 0.0
  /// One a task, training alone.
  public var timeTask: [Double] = []
  public var steps = 0
  /// Training rows fed, each pass counted, without replayed ones.
  public var examples = 0
  public var learner = LearnerCost()
  /// Training rows fed in each task that has ended, and the multiply-adds of each; nil: not counted.
  public var examplesTask: [Int]?
  public var multiplyAddsTask: [Int]?
  /// Of the forward passes of evaluation; nil: not counted.
  public var multiplyAddsEvaluation: Int?

  public init() {}

  /// From now on tasks and evaluation are counted too.
  package mutating func startCounting() { (examplesTask, multiplyAddsTask, multiplyAddsEvaluation) = ([], [], 0) }

  /// A task is over.
  /// - Parameter total: multiply-adds so far.
  package mutating func endTask(multiplyAdds total: Int) {
    examplesTask.map { examplesTask = $0 + [examples - $0.reduce(0, +)] }
    multiplyAddsTask.map { multiplyAddsTask = $0 + [total - $0.reduce(0, +)] }
  }
}
