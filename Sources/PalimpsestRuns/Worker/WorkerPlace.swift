/// Which part of a launch a process is.
public struct WorkerPlace: Sendable, Equatable {
  public var launch: Int
  public var task: Int
  /// Runs at a time.
  public var jobs: Int
  /// The engine's id of the task's array; empty where the engine has none.
  public var job: String
  /// How often the engine has started the task anew.
  public var restart: Int
  /// How often the task's own script has started it anew since.
  public var attempt: Int

  /// A task that was started anew more often is not to go on: something ends it each time.
  public static let mostRestarts = 20

  public init(launch: Int, task: Int, jobs: Int = 1, job: String = "", restart: Int = 0, attempt: Int = 0) {
    (self.launch, self.task, self.jobs, self.job) = (launch, task, jobs, job)
    (self.restart, self.attempt) = (restart, attempt)
  }

  /// Grows with each start of the task, whoever starts it anew.
  var start: Int { restart &* (WorkerPlace.mostRestarts + 1) &+ min(max(0, attempt), WorkerPlace.mostRestarts) }
}

/// How a worker has ended.
public struct WorkerEnd: Sendable, Equatable {
  /// Runs that this worker has journalled.
  public var runs = 0
  /// Of these, runs that failed or diverged.
  public var failed = 0
  /// Blocks that it has finished.
  public var blocks = 0
  /// Who asked it to end; nil: nothing was left to take.
  public var stopped: WorkerStop.Reason?
  /// Every block of the launch is finished.
  public var isLaunchDone = false
}
