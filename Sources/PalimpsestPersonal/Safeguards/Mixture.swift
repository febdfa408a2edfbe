import PalimpsestCore

/// A mixture of experts whose weights follow what each of them was worth.
///
/// What the person gets is q = Σ wᵢqᵢ over the experts' probabilities qᵢ. Once the outcome y is known, vᵢ ∝ wᵢqᵢ(y) and
/// wᵢ ← (1 − α)vᵢ + α/N, with N experts, all of them 1/N at first.
///
/// **Law**, exact for every sequence and every way in which the experts learn: against any path of experts with m switches over T rows,
/// in nats, L_mixture ≤ L_path + ln N + m ln(N/α) − (T − 1 − m) ln(1 − α + α/N). Never to leave the population's model is such a path: for
/// N = 2, α = .01 and T = 180 the person is at most 1.59 nats worse off by half a year's end than with the model as it was shipped.
///
/// What no probability is has a defined outcome, too:
/// - likelihood 0: the expert's weight is α/N from the next row on (0 for ever where the share is 0);
/// - all likelihoods 0: nobody is preferred, v = w (the mixture's loss is infinite, and so is every path's);
/// - NaN: the expert sleeps. It keeps its weight before the share, the others divide theirs among themselves (Freund et al. 1997). The law holds
///   with the likelihood of the others' mixture in its place;
/// - below 0 or above 1: counts as 0 or 1.
///
/// - Memory: a number an expert. Time: O(experts) a row, without allocations once the first outcome is known.
public struct Mixture: Safeguard {
  public static let name = "mixture"
  public static let summary =
    "The person gets a mixture of models, weighed by their log-loss so far: never much worse than the best of them."
  public static let source =
    "Herbster & Warmuth, \"Tracking the best expert\", Machine Learning 1998, fixed share for log-loss, with the share "
    + "divided among all experts, the one that loses it included."

  @Parameter(
    "Share α of the weight that is divided among all experts with each row; 0: no expert comes back.", .within(0...1))
  public var share: Double = 0.01
  @Parameter(
    "The models in the mixture: \"population\", \"personal\", \"personal-window\", \"snapshot\".",
    Bounds.any.count(atLeast: 1))
  public var experts: [Expert] = [.population, .personal]

  /// One an expert; none before the first outcome.
  private var known: [Double] = []

  public init() {}

  public var weights: [Double] {
    known.isEmpty ? [Double](repeating: 1 / Double(experts.count), count: experts.count) : known
  }

  public var problem: String? {
    if experts.contains(.candidate) { return "experts: a \"candidate\" is not in use and cannot be mixed." }
    let twice = experts.indices.first { experts[..<$0].contains(experts[$0]) }
    return twice.map { "experts: \"\(experts[$0].rawValue)\" stands there twice; once is right." }
  }

  public mutating func observe(_ answers: [ExpertAnswer]) -> Verdict? {
    precondition(answers.count == experts.count, "\(answers.count) answers of \(experts.count) experts")
    if known.isEmpty { known = weights }
    let (likelihood, awake) = outcome(answers)
    for i in known.indices {
      let q = answers[i].likelihood
      let v = q.isNaN || likelihood == 0 ? known[i] : known[i] * clamped(q) / likelihood * awake
      known[i] = (1 - share) * v + share / Double(known.count)
    }
    return nil
  }

  /// Σ wq over the experts that answered, and their weight.
  private func outcome(_ answers: [ExpertAnswer]) -> (likelihood: Double, awake: Double) {
    var (likelihood, awake) = (0.0, 1.0)
    for i in known.indices {
      let q = answers[i].likelihood
      if q.isNaN { awake -= known[i] } else { likelihood += known[i] * clamped(q) }
    }
    return (likelihood, max(0, awake))
  }

  private func clamped(_ likelihood: Double) -> Double { min(1, max(0, likelihood)) }
}

extension Mixture: CheckedState {
  public func problem(within limits: StateLimits) -> String? {
    if let problem { return problem }
    if known.isEmpty { return nil }
    guard known.count == experts.count else { return "\(known.count) weights of \(experts.count) experts" }
    guard known.allSatisfy({ $0 >= 0 }), abs(known.reduce(0, +) - 1) < 1e-6 else { return "weights \(known)" }
    return nil
  }
}
