import PalimpsestMetrics

/// How far a plan is.
public struct RunProgress: Sendable, Equatable {
  /// Runs of the plan that this call is about.
  public let planned: Int
  /// Runs the journal held before this call, and those that need no run of their own.
  public let doneBefore: Int
  /// Runs whose settings are, under another label, those of a run that this call is about: one run serves them all.
  public let repeated: Int
  /// The generation of the plan that this call is about.
  public let generation: Int
  /// Runs that a limit keeps this call from.
  public let left: Int
  /// Runs that other processes have ended since.
  public internal(set) var doneElsewhere = 0
  public private(set) var completed = 0
  public private(set) var failed = 0
  public private(set) var diverged = 0

  init(planned: Int, done: Int, repeated: Int = 0, left: Int = 0, generation: Int = 0) {
    self.planned = planned
    self.generation = generation
    self.left = left
    doneBefore = done
    self.repeated = repeated
  }

  /// Runs ended by this call.
  public var ended: Int { completed + failed + diverged }

  /// Runs that the journal holds now. Others may have done runs that are none of this call's.
  public var done: Int { min(planned, doneBefore + doneElsewhere + ended) }

  mutating func add(_ status: RunRecord.Status) {
    switch status {
    case .completed: completed += 1
    case .diverged: diverged += 1
    case .failed, .cancelled: failed += 1
    }
  }
}
