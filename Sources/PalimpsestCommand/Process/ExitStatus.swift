import HDF5
import Palimpsest
import PalimpsestCube
import PalimpsestLaunch

/// What the process ends with; the numbers are those of sysexits.h where it has one.
enum ExitStatus: Int32 {
  case done = 0
  /// Some runs failed or diverged.
  case someFailed = 1
  case usage = 64
  case badFile = 65
  case notThere = 66
  /// Something needed is not installed.
  case unavailable = 69
  case cannotWrite = 73
  /// Runs are missing: run again.
  case unfinished = 75
  case interrupted = 130
  /// The reader of standard output has gone: what a shell says of a program that SIGPIPE ended.
  case closedPipe = 141
  /// A worker that SIGTERM ended.
  case terminated = 143

  /// - Returns: nil for an error of the argument parser, which knows its own.
  init?(_ error: any Error) {
    switch error {
    case let error as FileError: self = error.kind == .unwritable ? .cannotWrite : .notThere
    case let error as DatasetError: self = error.kind == .missing ? .notThere : .badFile
    case let error as PreparationError: self = error.kind == .missing ? .notThere : .badFile
    case is Problems, is ScenarioError, is CompositionError, is ParameterError, is SelectError, is DuplicateError,
      is StateFileError, is MergeError:
      self = .badFile
    case let error as CubeError: self = error.kind == .missing ? .notThere : .badFile
    case let error as ComparisonError: self = error.kind == .unknown ? .usage : .badFile
    case is LostRunsError: self = .cannotWrite
    case is HDF5Error, is EngineError: self = .unavailable
    case is UsageError: self = .usage
    case let error as LocalWorkers.Failure: self = ExitStatus(rawValue: Int32(error.status)) ?? .unfinished
    case is BusyError, is OtherPlanError: self = .unfinished
    default: return nil
    }
  }
}

/// Ends a command that has said all there is to say.
struct End: Error {
  let status: ExitStatus

  init(_ status: ExitStatus) { self.status = status }
}

/// Something about the arguments or the environment that the argument parser cannot know.
struct UsageError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
