import PalimpsestCore

/// The law of another generator under a pure operator.
///
/// | operator | a row of task k | p* |
/// |---|---|---|
/// | concept | inputs of the one law, a label by concept k's p* of them | concept k's |
/// | covariate | rows of the one law, each accepted with probability σ(s_k z), z its column in deviations from the mean | the law's p |
/// | prior π′ | rows of the one law, accepted with a probability ∝ r₁ = π′/π or r₀ = (1 − π′)/(1 − π) by their label | p r₁ / (p r₁ + (1 − p) r₀) |
///
/// What is refused is drawn anew from numbers of the row and the attempt: a row depends on seed and number alone. Attempt 0 is the
/// row as it is without an operator. After 100,000 refusals the last row is taken; where a thousandth is accepted that is less than
/// once in 10⁴³ rows.
///
/// Parameters that move (``ConceptMoment/blend``) are strengths and priors.
struct ShiftedLaw: ConceptGenerator {
  private let base: any ConceptGenerator
  private let settings: ShiftSettings
  private let points: InputPoints
  /// Of the one law: the place of the column, and its mean and deviation.
  private let column: Int
  private let mean: Double
  private let deviation: Double
  /// π of the one law: exact where the base is a rule whose rates are, else a mean over the points.
  private let rate: Double
  private let drawsConcepts: Bool

  private static let mostAttempts = 100_000

  /// - Parameters:
  ///   - settings: with an operator, and checked but for what is accepted.
  ///   - drawsConcepts: every seed draws a base of its own.
  init(_ base: any ConceptGenerator, _ settings: ShiftSettings, drawsConcepts: Bool = false) {
    (self.base, self.settings, self.drawsConcepts) = (base, settings, drawsConcepts)
    let moment = ConceptMoment(concept: settings.law ?? 0, row: 0)
    points = InputPoints(base, moment)
    column = settings.column.flatMap { base.columns.firstIndex(of: $0) } ?? 0
    (mean, deviation) = points.moments(ofColumn: column)
    rate = points.mean { base.probabilities($0, moment)?[1] ?? .nan }
    if settings.operator != .concept { accepted = (0..<(settings.tasks ?? 0)).map { shareAccepted(in: $0) } }
  }

  /// Of the tasks the share of rows that they accept.
  private var accepted: [Double] = []

  var columns: [String] { base.columns }
  var labels: [String] { base.labels }
  var scales: [InputScaling] { base.scales }

  var concepts: [String] {
    switch settings.operator {
    case nil, .concept: base.concepts
    case .covariate: settings.strengths.map { "\(columns[column]) tilted \($0.parameterValue.numberText)" }
    case .prior: settings.priors.map { "prior \($0.parameterValue.numberText)" }
    }
  }

  /// Of a rule whose concepts share their inputs nothing changes under `concept`.
  var truth: GeneratorTruth {
    if settings.operator == .concept && base is any RuleGenerator { return base.truth }
    return drawsConcepts ? .ofTestRows : .ofPoints
  }

  // MARK: - Rows

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let own = law(moment)
    guard settings.operator != .concept else {
      _ = base.draw(draws, own, into: &inputs)
      return ShiftedLaw.label(base.probabilities(inputs, moment) ?? [1], drawing: draws.uniform(.answer))
    }
    var label = 0
    for attempt in 0..<ShiftedLaw.mostAttempts {
      let draws = draws.attempt(attempt)
      label = base.draw(draws, own, into: &inputs)
      if draws.uniform(.acceptance) < chance(inputs, label, moment) { break }
    }
    return label
  }

  /// The moment of the one law.
  private func law(_ moment: ConceptMoment) -> ConceptMoment {
    ConceptMoment(concept: settings.law ?? 0, row: moment.row)
  }

  private static func label(_ p: [Double], drawing u: Double) -> Int {
    var sum = 0.0
    for label in p.indices.reversed() {
      sum += p[label]
      if u < sum { return label }
    }
    return p.firstIndex { $0 > 0 } ?? 0
  }

  /// That a row is accepted.
  private func chance(_ inputs: [Float], _ label: Int, _ moment: ConceptMoment) -> Double {
    if settings.operator == .covariate { return tilt(inputs, moment) }
    let (no, yes) = ratios(moment)
    return (label == 1 ? yes : no) / max(no, yes)
  }

  /// σ(s z).
  private func tilt(_ inputs: [Float], _ moment: ConceptMoment) -> Double {
    let z = deviation > 0 ? (Double(inputs[column]) - mean) / deviation : 0
    return Elementary.logistic(moment.blended { settings.strengths[$0] } * z)
  }

  /// r₀ and r₁.
  private func ratios(_ moment: ConceptMoment) -> (no: Double, yes: Double) {
    let prior = moment.blended { settings.priors[$0] }
    return ((1 - prior) / (1 - rate), prior / rate)
  }

  /// The least share of rows that a task accepts, and the task.
  var leastAccepted: (task: Int, share: Double)? {
    accepted.enumerated().min { $0.element < $1.element }.map { ($0.offset, $0.element) }
  }

  /// The share of rows that a task accepts.
  private func shareAccepted(in task: Int) -> Double {
    let moment = ConceptMoment(concept: task, row: 0)
    if settings.operator == .covariate { return points.mean { tilt($0, moment) } }
    let (no, yes) = ratios(moment)
    return 1 / max(no, yes)
  }

  // MARK: - What is known of them

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    switch settings.operator {
    case nil, .concept: return base.probabilities(inputs, moment)
    case .covariate: return base.probabilities(inputs, law(moment))
    case .prior:
      guard let p = base.probabilities(inputs, law(moment)) else { return nil }
      let (no, yes) = ratios(moment)
      let (zero, one) = (p[0] * no, p[1] * yes)
      return [zero / (zero + one), one / (zero + one)]
    }
  }

  func logDensity(_ inputs: [Float], _ moment: ConceptMoment) -> Double? {
    switch settings.operator {
    case nil, .concept: 0
    case .covariate: Elementary.log(tilt(inputs, moment) / accepted[moment.concept])
    case .prior: Elementary.log(odds(inputs, moment))
    }
  }

  func owner(_ moment: ConceptMoment) -> Int? { base.owner(law(moment)) }
  func time(_ moment: ConceptMoment) -> Int? { base.time(law(moment)) }

  /// Points of the one law with the weights that tasks give them: dp_k(x) / dp(x), for `covariate` up to a factor.
  func points(at moment: ConceptMoment) -> InputPoints {
    switch settings.operator {
    case nil, .concept: points
    case .covariate: points.weighed { tilt($0, moment) }
    case .prior: points.weighed { odds($0, moment) }
    }
  }

  private func odds(_ inputs: [Float], _ moment: ConceptMoment) -> Double {
    guard let p = base.probabilities(inputs, law(moment)) else { return .nan }
    let (no, yes) = ratios(moment)
    return p[0] * no + p[1] * yes
  }
}
