import PalimpsestCore

/// A model whose answers a safeguard may look at.
public enum Expert: String, ParameterChoice {
  /// The model as it was shipped: it never changes.
  case population
  /// The personal model that is in use.
  case personal
  /// One trained on the rows of a window alone.
  case window = "personal-window"
  /// The personal model that was in use before the latest deployment.
  case snapshot
  /// An update's result that is not in use (yet).
  case candidate
}

/// What an expert said of a row, once the outcome is known.
public struct ExpertAnswer: Sendable, Equatable {
  /// p of what happened, in [0, 1].
  public let likelihood: Double
  /// The likelier answer was what happened.
  public let isRight: Bool

  public init(likelihood: Double, isRight: Bool) {
    self.likelihood = likelihood
    self.isRight = isRight
  }
}

/// What becomes of a model, and why.
public struct Verdict: Sendable, Equatable {
  public enum Decision: String, Sendable, Codable, CaseIterable {
    /// The candidate is the personal model from now on; the one before it is the snapshot.
    case deploy
    /// The candidate is dropped.
    case keep
    /// The candidate goes on predicting where nobody sees it.
    case shadow
    /// The snapshot is the personal model again.
    case rollBack = "roll-back"
  }

  public let decision: Decision
  /// The number that was decided by: a mean paired loss, a wealth. NaN where there was none.
  public let evidence: Double

  public init(_ decision: Decision, evidence: Double = .nan) {
    self.decision = decision
    self.evidence = evidence
  }
}

/// An update's result beside the model in use, on the person's rows that were kept from training: the latest last, as many of one as of
/// the other.
public struct Trial: Sendable {
  public let current: [ExpertAnswer]
  public let candidate: [ExpertAnswer]

  public init(current: [ExpertAnswer], candidate: [ExpertAnswer]) {
    precondition(current.count == candidate.count, "\(current.count) and \(candidate.count) answers")
    self.current = current
    self.candidate = candidate
  }
}

/// Role: stands between a personal model and the person. What she gets is Σ w·q over experts' probabilities q.
///
/// Law: weights are nowhere negative and add up to 1; they depend on outcomes that are known, and on nothing else. A value whose `Codable`
/// form is its state: saved and restored anywhere in a life, the same weights and verdicts follow.
public protocol Safeguard: Part {
  /// The models whose answers it looks at: each once, at least one. An expert that is not there yet answers as the personal model does,
  /// that one as the population's.
  var experts: [Expert] { get }
  /// What each expert's answer counts in what the person gets, in their order.
  var weights: [Double] { get }
  /// Every so-manyth row is kept from training for ``judge(_:)``; nil: none is.
  var heldOutEvery: Int? { get }
  /// Why its settings contradict one another, in a sentence that begins with the one to change; nil: they do not.
  var problem: String? { get }
  /// The outcome of a row is known.
  /// - Parameter answers: of the experts, in their order, made before it was.
  /// - Returns: what becomes of a candidate in the dark, or of the model in use; nil: nothing.
  mutating func observe(_ answers: [ExpertAnswer]) -> Verdict?
  /// An update has ended.
  /// - Returns: what becomes of its result: deploy, keep or shadow.
  mutating func judge(_ trial: Trial) -> Verdict
}

extension Safeguard {
  public var heldOutEvery: Int? { nil }
  public var problem: String? { nil }
  public mutating func observe(_ answers: [ExpertAnswer]) -> Verdict? { nil }
  public mutating func judge(_ trial: Trial) -> Verdict { Verdict(.deploy) }
}
