import PalimpsestJSON

/// What the programs of this package end with; the numbers are those of sysexits.h where it has one.
package enum ExitStatus: Int32, Sendable {
  case done = 0
  /// Some runs failed or diverged.
  case someFailed = 1
  case usage = 64
  case badFile = 65
  case notThere = 66
  /// Something needed is not installed.
  case unavailable = 69
  case cannotWrite = 73
  /// Runs are missing: run again. Of a worker: the task is to be started anew.
  case unfinished = 75
  case interrupted = 130
  /// The reader of standard output has gone: what a shell says of a program that SIGPIPE ended.
  case closedPipe = 141
  /// A worker that SIGTERM ended.
  case terminated = 143

  /// What a shell says of a program that a fault ended or somebody killed: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV.
  package static let killed = [4, 5, 6, 7, 8, 9, 11].map { 128 + $0 }

  /// Another worker would end no better.
  package var isLasting: Bool { [.usage, .badFile, .notThere, .cannotWrite].contains(self) }

  /// Of what a run, a worker or a launch throws.
  /// - Returns: nil for other errors.
  package init?(ofRuns error: any Error) {
    switch error {
    case let error as FileError: self = error.kind == .unwritable ? .cannotWrite : .notThere
    case let error as PreparationError: self = error.kind == .missing ? .notThere : .badFile
    case is Problems: self = .badFile
    case is BusyError, is OtherPlanError: self = .unfinished
    default: return nil
    }
  }
}
