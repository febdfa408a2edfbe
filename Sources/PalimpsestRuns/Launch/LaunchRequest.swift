import PalimpsestExperiments
import PalimpsestJSON

/// What somebody asks of a launch.
public struct LaunchRequest: Sendable {
  /// `local`, `slurm`, `script`.
  public var engine: String
  /// What the engine calls the launch, where that is known before it is made.
  public var job: String?
  public var tasks: Int
  /// Runs at a time of each task.
  public var jobs = 1
  /// Estimated work of a block at most, in seconds.
  public var blockSeconds = LaunchRequest.standardBlockSeconds
  /// What a run takes, in seconds; nil: not known, and blocks are cut by number alone.
  public var secondsPerRun: Double?
  /// The program that workers run, which is pinned.
  public var program: String
  /// As `--checkpoint-every` takes it.
  public var checkpointEvery: String?
  /// The command line.
  public var command: String
  public var retryFailed = false
  public var selection = RunSelection.all
  public var resources = JSONValue.null
  /// Seconds without a sign of life after which a block is another worker's.
  public var patience = LaunchRecord.standardPatience

  public static let standardBlockSeconds = 120.0

  public init(engine: String, tasks: Int, program: String, command: String = "") {
    (self.engine, self.tasks, self.program, self.command) = (engine, tasks, program, command)
  }
}

/// What came of a request.
public enum LaunchPreparation: Sendable, Equatable {
  /// Files and folders are there: it can be submitted.
  case launch(LaunchRecord)
  case nothing(NothingToSubmit)
}

/// Why there is nothing to submit.
public struct NothingToSubmit: Sendable, Equatable, CustomStringConvertible {
  /// Runs that were asked for.
  public let planned: Int
  /// Of these, runs that other launches have in hand; the others are done.
  public let inHand: Int
  /// The engine's ids of those launches.
  public let jobs: [String]

  public init(planned: Int, inHand: Int, jobs: [String]) {
    (self.planned, self.inHand, self.jobs) = (planned, inHand, jobs)
  }

  public var description: String {
    func runs(_ count: Int) -> String { "\(grouped(count)) \(count == 1 ? "run is" : "runs are")" }
    if inHand == 0 { return "nothing to submit: \(planned == 1 ? "the run is" : "all \(runs(planned))") done" }
    let owner = jobs.isEmpty ? "another launch" : "job \(jobs.joined(separator: ", "))"
    return "nothing to submit: \(runs(inHand)) in hand of \(owner)"
  }
}
