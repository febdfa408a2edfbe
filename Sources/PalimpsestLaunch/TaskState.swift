/// What an engine says of one task of a launch.
public struct TaskState: Sendable, Equatable {
  /// How far a task is, whatever the engine calls it.
  public enum Phase: String, Sendable, CaseIterable {
    /// It has not begun, or begins again.
    case waiting
    case running
    /// It is being ended.
    case ending
    case ended
  }

  /// Its number in the launch, counted from 0 over all arrays.
  public var task: Int
  /// What the engine calls it, in the form that cancels it: `35_2`.
  public var job: String
  public var phase: Phase
  /// The engine's own word: `PENDING`, `NODE_FAIL`.
  public var word: String
  /// Why it waits or has ended, in the engine's words; empty where it says nothing.
  public var reason: String
  /// Where it runs; empty where it does not.
  public var host: String

  public init(task: Int, job: String, phase: Phase, word: String, reason: String = "", host: String = "") {
    self.task = task
    self.job = job
    self.phase = phase
    self.word = word
    self.reason = reason
    self.host = host
  }
}
