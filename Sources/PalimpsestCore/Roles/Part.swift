/// One labelled component of an experiment: a term of the learner's formula, or a scenario.
///
/// A part plays exactly one role (a protocol that refines this one). It is a plain value: its parameters are declared with
/// ``PalimpsestSettings/Parameter``, everything else it stores is state, and its `Codable` form is its checkpoint.
public protocol Part: Configurable {
  /// The name in experiment files: lower-case with dashes.
  static var name: String { get }
  /// One sentence: what it does.
  static var summary: String { get }
  /// The paper or code it follows, and any departure from it.
  static var source: String { get }
  /// Raised when a change of the algorithm changes results; it is hashed into every run's identity.
  static var revision: Int { get }
}

extension Part {
  public static var revision: Int { 1 }
}

/// A part of a composed learner. Both moments of a task's life default to nothing.
///
/// What it stores beside its parameters is saved with the run by its `Codable` form. State that could contradict itself says
/// so as ``PalimpsestSettings/CheckedState``: a damaged checkpoint is then refused with a ``PalimpsestSettings/StateError`` and stops nothing. The laws of its role
/// are functions of PalimpsestTesting that any test can call. A method that is no term of the formula is a ``WholeLearner``.
public protocol StrategyPart: Part {
  /// A task begins; the model already has the outputs and modules it needs.
  mutating func begin(_ experience: ExperienceInfo, _ model: MLP)
  /// A task has been learned: take importance, choose a core-set, move the anchor.
  mutating func consolidate(_ ended: EndedExperience, using rng: inout Random)
  /// Why this part cannot serve in a learner of that shape beside the other parts, in a sentence that says what to do; nil: it can.
  func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String?
  /// Memory held by the part's state, in bytes: what a device would have to keep.
  var bytes: Int { get }
  /// The same where parts of the state run along the parameter vector: without the gaps between its tensors, which are no
  /// parameters (``ParameterLayout/bytes(of:)``). Costs take this one; it is ``bytes`` where the part does not say.
  func bytes(in layout: ParameterLayout) -> Int
}

extension StrategyPart {
  public mutating func begin(_ experience: ExperienceInfo, _ model: MLP) {}
  public mutating func consolidate(_ ended: EndedExperience, using rng: inout Random) {}
  public func problem(in setup: LearnerSetup, beside parts: [any StrategyPart]) -> String? { nil }
  public var bytes: Int { 0 }
  public func bytes(in layout: ParameterLayout) -> Int { bytes }
}

/// A part that does nothing until an experience has ended: a penalty without an anchor, a memory that selects what it keeps
/// from all rows of an experience. In a stream of which no end is told it would be an empty name, so such files are refused.
public protocol ConsolidatingPart: StrategyPart {}

/// A part that is made of the ended experience's rows: it stays empty in a scenario that lets no rows be revisited.
public protocol RevisitingPart: ConsolidatingPart {}
