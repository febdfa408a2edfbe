import PalimpsestCore

/// A law that makes rows under concepts: p(x), and p(y | x) with its exact probabilities.
///
/// One file of a generator and one of a ``GeneratorScenario`` make a scenario: rows, tasks, schedules and the truth of the rows
/// follow.
public protocol ConceptGenerator: Sendable {
  /// What the columns are called.
  var columns: [String] { get }
  /// What the labels are called; two of them are a yes or no.
  var labels: [String] { get }
  /// What the concepts are called, in the order in which they come; one may come again.
  var concepts: [String] { get }
  /// How the columns are scaled before a learner sees them; none: they are not.
  var scales: [InputScaling] { get }
  /// What is known of the concepts.
  var truth: GeneratorTruth { get }
  /// Draws one row.
  /// - Parameters:
  ///   - draws: the only source of chance: a row follows from seed and number.
  ///   - moment: the concept in force, and when.
  ///   - inputs: one a column, to be written.
  /// - Returns: the label.
  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int
  /// p*(label | x), one a label; nil where the row does not tell.
  /// - Parameter inputs: as drawn, not scaled.
  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]?
  /// ln p(x) under the moment's concept but for a term that all concepts share: by it concepts weigh in a mixture. Nil, which is
  /// the default: not known.
  /// - Parameter inputs: as drawn, not scaled.
  func logDensity(_ inputs: [Float], _ moment: ConceptMoment) -> Double?
  /// Labels that a concept has, by default all: fewer where classes arrive one after the other.
  func outputs(of concept: Int) -> Range<Int>
  /// What happens to the world where each task's rows are its own concept's. Nil, which is the default: each task but the first begins with a
  /// change.
  var events: [DriftEvent]? { get }
  /// Whose rows a concept's are, counted from 0: a user, a machine. Nil, which is the default: nobody's.
  func owner(_ moment: ConceptMoment) -> Int?
  /// When a training row arose, in seconds from the stream's beginning. Nil, which is the default: nothing is known.
  func time(_ moment: ConceptMoment) -> Int?
}

extension ConceptGenerator {
  public var scales: [InputScaling] { [] }
  public var labels: [String] { ["0", "1"] }
  public func logDensity(_ inputs: [Float], _ moment: ConceptMoment) -> Double? { nil }
  public func outputs(of concept: Int) -> Range<Int> { 0..<shape.outputs }
  public var events: [DriftEvent]? { nil }
  public func owner(_ moment: ConceptMoment) -> Int? { nil }
  public func time(_ moment: ConceptMoment) -> Int? { nil }

  /// What the rows look like.
  public var shape: TaskShape { TaskShape(inputs: columns.count, outputs: labels.count == 2 ? 1 : labels.count) }
}

extension ConceptGenerator {
  /// p of the labels of a row whose concept is not told, but the shares s of the concepts: Σ s f p* / Σ s f, f the density of the row
  /// under a concept. What a row shows tells of its concept as far as densities differ.
  /// - Returns: nil where p* or densities are not known.
  func mixed(_ inputs: [Float], _ parts: [ConceptPart]) -> [Double]? {
    if parts.count == 1 { return probabilities(inputs, parts[0].moment) }
    let laws = parts.compactMap { probabilities(inputs, $0.moment) }
    let logs = parts.compactMap { part in logDensity(inputs, part.moment).map { $0 + Elementary.log(part.share) } }
    guard laws.count == parts.count, logs.count == parts.count else { return nil }
    let weights = PalimpsestScenarios.shares(ofLogs: logs)
    return laws[0].indices.map { label in zip(weights, laws).reduce(0) { $0 + $1.0 * $1.1[label] } }
  }
}

/// Where what is known of a generator's concepts comes from.
public enum GeneratorTruth: Sendable {
  /// The laws' own numbers, the same for any rows.
  case ofLaw(ScenarioTruth)
  /// To be worked out on the test rows by the probabilities of the laws.
  case ofTestRows
  /// To be worked out at points that all tasks share, whatever the seed: of one law under an operator.
  case ofPoints
  /// There is none.
  case unknown
}

/// The concept that makes a row, and when it does.
public struct ConceptMoment: Sendable, Equatable {
  /// A place in ``ConceptGenerator/concepts``.
  public let concept: Int
  /// Rows of the stream before: what concepts that move by themselves depend on.
  public let row: Int
  /// How far the concept's parameters are still another's; nil: they are its own. Where nothing stands between concepts
  /// (``GeneratorScenario/obstacleToBlending``) there is none.
  public let blend: ConceptBlend?

  public init(concept: Int, row: Int, blend: ConceptBlend? = nil) {
    self.concept = concept
    self.row = row
    self.blend = blend
  }

  /// A parameter of the moment, between those of two concepts.
  /// - Parameter parameter: of the concept at a place.
  public func blended(_ parameter: (_ concept: Int) -> Double) -> Double {
    guard let blend else { return parameter(concept) }
    return (1 - blend.share) * parameter(concept) + blend.share * parameter(blend.concept)
  }
}

/// What of a moment's parameters is another concept's.
public struct ConceptBlend: Sendable, Equatable {
  /// A place in ``ConceptGenerator/concepts``.
  public let concept: Int
  /// In (0, 1].
  public let share: Double

  public init(concept: Int, share: Double) {
    (self.concept, self.share) = (concept, share)
  }
}

/// The random numbers of one row. They depend on the seed, the row's number and what they are for alone: rows can be made in any
/// order, and a setting moves nothing but what it governs.
public struct RowDraws: Sendable {
  /// What a number is for.
  public enum Purpose: Int, Sendable {
    case inputs, label, noise, concept
    /// Whether an operator takes the row, and the label that it gives it.
    case acceptance, answer
  }

  private enum Source: Sendable {
    case seed(Seed, row: Int)
    case lattice([Double])
  }

  private let source: Source

  public init(_ seed: Seed, row: Int) { source = .seed(seed, row: row) }

  /// Point `index` of a Kronecker sequence in place of random inputs, for means over p(x): its error shrinks faster than
  /// chance's. What is not for inputs is ½.
  /// - Parameter steps: ``kroneckerSteps(_:)``.
  init(latticePoint index: Int, steps: [Double]) {
    source = .lattice(steps.map { fraction(0.5 + Double(index + 1) * $0) })
  }

  /// The numbers of another attempt to draw the row; those of attempt 0 are these.
  public func attempt(_ attempt: Int) -> RowDraws {
    guard attempt > 0, case .seed(let seed, let row) = source else { return self }
    return RowDraws(seed.derived("attempt", attempt), row: row)
  }

  /// Uniform in [0, 1).
  public func uniform(_ purpose: Purpose, _ index: Int = 0) -> Double {
    switch source {
    case .seed(let seed, let row): seed.uniform(row, purpose.rawValue, index)
    case .lattice(let point): purpose == .inputs ? point[index] : 0.5
    }
  }

  /// Uniform in 0..<bound, up to 2⁻⁵³ · bound.
  public func index(below bound: Int, _ purpose: Purpose, _ index: Int = 0) -> Int {
    min(bound - 1, Int(uniform(purpose, index) * Double(bound)))
  }

  /// Standard normal.
  public func normal(_ purpose: Purpose, _ index: Int = 0) -> Double { Quantile.normal(uniform(purpose, index)) }

  /// φ⁻¹, φ⁻², … with φ^(d+1) = φ + 1, the generalised golden ratio.
  static func kroneckerSteps(_ dimensions: Int) -> [Double] {
    var ratio = 1.5
    for _ in 0..<80 { ratio = Elementary.power(1 + ratio, 1 / Double(dimensions + 1)) }
    var steps = [1 / ratio]
    while steps.count < dimensions { steps.append(steps[steps.count - 1] / ratio) }
    return steps
  }
}

private func fraction(_ x: Double) -> Double { x - x.rounded(.down) }
