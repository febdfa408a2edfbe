import HDF5
import Palimpsest
import PalimpsestCube
import PalimpsestLaunch

extension ExitStatus {
  /// Of whatever a command throws.
  /// - Returns: nil for an error of the argument parser, which knows its own.
  init?(_ error: any Error) {
    switch error {
    case let error as DatasetError: self = error.kind == .missing ? .notThere : .badFile
    case is ScenarioError, is CompositionError, is ParameterError, is SelectError, is DuplicateError,
      is StateFileError, is MergeError:
      self = .badFile
    case let error as CubeError: self = error.kind == .missing ? .notThere : .badFile
    case let error as ComparisonError: self = error.kind == .unknown ? .usage : .badFile
    case is LostRunsError: self = .cannotWrite
    case is HDF5Error, is EngineError: self = .unavailable
    case is UsageError: self = .usage
    case let error as LocalWorkers.Failure: self = ExitStatus(rawValue: Int32(error.status)) ?? .unfinished
    default: self.init(ofRuns: error)
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
