/// Role: θ ← ρ(θ; h), when a task begins and after each update: what keeps a network able to learn.
///
/// Law: parameters that it did not name keep their bits, and so do those outside the mask; the same state gives the same result; at
/// rate 0 it is the identity.
public protocol Renewal: StrategyPart {
  /// True where it asks how active hidden units are.
  var observesActivity: Bool { get }
  /// True where the optimiser is to forget what it kept of the parameters named; small changes of all of them leave it alone.
  var forgets: Bool { get }
  /// True where it renews when tasks begin and at no other moment.
  var waitsForTasks: Bool { get }
  /// Gives parameters inside the mask other values.
  /// - Returns: the ranges of parameters that got other values, in order.
  mutating func renew(
    _ model: inout MLP, within mask: ParameterMask, _ moment: RenewalMoment, using rng: inout Random
  ) -> [Range<Int>]
}

extension Renewal {
  public var observesActivity: Bool { false }
  public var forgets: Bool { true }
  public var waitsForTasks: Bool { false }
}

/// When parameters are renewed.
public enum RenewalMoment: Sendable {
  /// A task begins, the first one apart; its modules are there.
  case task(ExperienceInfo)
  /// A step was taken.
  case step(StepContext, UnitActivity)
}

/// How active hidden units were in a step's own forward pass, on the rows that took the way of the task at hand; rows that came back
/// from memory are among them where all tasks take one way.
public struct UnitActivity: Sendable {
  /// The way that these rows take; nil where nobody asked, and before a task's first step.
  public private(set) var way: Program?
  /// For each of the way's ``Program/hiddenSlots`` the mean of |h| over the rows, one a unit.
  public internal(set) var means: [FloatBuffer] = []

  public init() {}

  public init(way: Program, means: [FloatBuffer]) {
    self.way = way
    self.means = means
  }

  /// Of units that have said nothing yet.
  init(of way: Program) { self.init(way: way, means: way.hiddenSlots.map { FloatBuffer(count: way.widths[$0]) }) }

  /// The slots of ``means``.
  var slots: [Int] { way?.hiddenSlots ?? [] }
}
