import PalimpsestExperiments
import PalimpsestJSON
import PalimpsestRuns

/// Starts the workers of a launch somewhere, says how they are and stops them.
public protocol Launcher: Sendable {
  /// Hands a launch over.
  /// - Returns: its record with the jobs that the engine made of it, as it is kept in the results folder.
  /// - Throws: ``EngineError``; ``PalimpsestJSON/FileError`` where the record cannot be kept.
  func submit(_ work: SubmittedWork) async throws -> LaunchRecord

  /// What the engine says of the tasks that it still knows.
  func states(of record: LaunchRecord) async throws -> [TaskState]

  /// Stops a launch's workers. Each finishes or saves the run in hand; what is done is kept.
  func cancel(_ record: LaunchRecord) async throws
}

/// A launch that was prepared, and what its workers ask for.
public struct SubmittedWork: Sendable {
  public var folder: ResultsFolder
  /// As ``PalimpsestRuns/LaunchPlanner`` made it: no jobs yet.
  public var record: LaunchRecord
  public var settings: ExecutionSettings
  public var needs: TaskNeeds
  /// The experiment's name.
  public var experiment: String

  public init(
    folder: ResultsFolder, record: LaunchRecord, settings: ExecutionSettings, needs: TaskNeeds, experiment: String
  ) {
    self.folder = folder
    self.record = record
    self.settings = settings
    self.needs = needs
    self.experiment = experiment
  }
}

/// What one worker asks an engine for.
public struct TaskNeeds: Sendable, Equatable {
  public var cpus: Int
  public var megabytes: Int
  public var minutes: Int

  public init(cpus: Int, megabytes: Int, minutes: Int) {
    self.cpus = cpus
    self.megabytes = megabytes
    self.minutes = minutes
  }

  /// - Parameter bytes: what a worker with that many runs at a time is estimated to take.
  public init(_ settings: TaskSettings, estimatedBytes bytes: Int) {
    let estimate = 150 + Int((1.5 * Double(bytes) / 1_048_576).rounded(.up))
    self.init(
      cpus: settings.cpus, megabytes: MemoryAmount(settings.memory)?.megabytes ?? estimate,
      minutes: TimeLimit(settings.time)?.minutes ?? 240)
  }
}
