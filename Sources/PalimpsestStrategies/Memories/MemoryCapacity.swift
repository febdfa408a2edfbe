import PalimpsestCore

/// How much a memory may hold: the same choice for every memory.
///
/// A capacity that is said of a class or a task is that of each class (label) or each task: there are as many stores.
public struct MemoryCapacity: ParameterGroup {
  /// What the capacity counts.
  public enum Unit: String, ParameterChoice {
    case rows
    /// A row costs what `Batch.rowBytes` says: (columns + 2) × 4, and more where it has an owner, a time or answers.
    case bytes
  }

  /// What the capacity belongs to.
  public enum Scope: String, ParameterChoice {
    case total
    case perClass = "class"
    case perTask = "task"
  }

  @Parameter("How much the memory may hold, in rows or bytes.", .within(1...1_000_000_000_000))
  public var capacity: Int = 200
  @Parameter(
    "Whether capacity counts rows or bytes; a row takes (columns + 2) x 4 bytes, and more with what else it carries.")
  public var unit: Unit = .rows
  @Parameter("Whether capacity is meant in total, for each class (label) or for each task.")
  public var per: Scope = .total

  public init() {}

  /// The rows of so many bytes that one store may hold: never more than the capacity pays for, so it is 0 where a row does not fit.
  public func rows(of rowBytes: Int) -> Int {
    switch unit {
    case .rows: capacity
    case .bytes: capacity / rowBytes
    }
  }

  /// Why this capacity is of no use; nil where it is fine. Owners and times, which the setup does not know of, are left out.
  func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    let keepsAnswers = parts.contains { ($0 as? any OutputLoss)?.views.contains(.answers) ?? false }
    let row = setup.shape.rowBytes + (keepsAnswers ? 4 * setup.shape.outputs : 0)
    guard rows(of: row) == 0 else { return nil }
    func count(_ n: Int, _ word: String) -> String { "\(n) \(word)\(n == 1 ? "" : "s")" }
    let answers = keepsAnswers ? " with \(count(setup.shape.outputs, "stored answer"))" : ""
    return
      "capacity: \(capacity) bytes hold no row. A row of \(count(setup.shape.inputs, "column"))\(answers) takes \(row) bytes; "
      + "give at least \(row), or set \"unit\" to \"rows\"."
  }

  /// Which store a row of that task and label belongs to; all keys are equal where there is one store.
  func store(experience: Int32, label: Int32) -> Int32 {
    switch per {
    case .total: 0
    case .perClass: label
    case .perTask: experience
    }
  }
}

/// A memory with the shared capacity parameters, which is refused where it would hold no row.
package protocol SizedMemory: Memory {
  var limits: MemoryCapacity { get set }
}

extension SizedMemory {
  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? {
    limits.problem(in: setup, beside: parts)
  }
}

/// A memory that takes rows while they are learned, with the shared parameter of when.
package protocol StreamMemory: SizedMemory {
  var insertion: StreamInsertion { get set }
}

/// Which of a task's passes a stream memory listens to.
public struct StreamInsertion: ParameterGroup {
  /// Whether a row is offered once, or again in each pass.
  public enum Passes: String, ParameterChoice {
    case firstEpoch = "first-epoch"
    case everyEpoch = "every-epoch"
  }

  @Parameter("Whether rows are offered in a task's first pass alone or in every pass (a row may then be held twice).")
  public var insert: Passes = .firstEpoch

  public init() {}

  func takes(_ context: StepContext) -> Bool { insert == .everyEpoch || context.epoch == 0 }
}
