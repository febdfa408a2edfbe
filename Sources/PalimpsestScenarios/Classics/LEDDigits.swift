import PalimpsestCore

/// The digit on a display of seven segments, each of them wrong with one probability, among seventeen columns that mean nothing;
/// between concepts segments change places with those.
///
/// - Rows: 24 columns of 0 and 1. Under concept d, for each i < d, the segment (i + r₁) mod 7 changes places with the irrelevant
///   column (i + r₂) mod 17. The seed draws r₁ and r₂ once, so concepts of one seed share what they exchange.
/// - Truth: exact, over the 128 patterns: p* ∝ (1 − η)^agreeing η^differing. B is the same for all seeds and concepts; what lies between two
///   concepts depends on r₁, for some segments tell more than others. With T concepts J* takes T · 10 · 2^(7 + most d) products.
public struct LEDDigits: GeneratorScenario {
  /// 1 began each exchange with the first segment and the first irrelevant column.
  public static let revision = 2
  public static let drawsConcepts = true
  public static let name = "led"
  public static let summary =
    "LED: ten digits by seven noisy segments, some of which change places with irrelevant columns."
  public static let source = """
    Breiman et al. 1984; drift as in MOA's LEDGeneratorDrift. Of a noise of .1 every bit has .1 (River flips .09 of them).
    """

  @Parameter(
    "How many segments stand elsewhere in each task; one may come again.", Bounds.within(0...7).count(atLeast: 1))
  public var concepts: [Int] = [1, 3, 5, 7]
  @Parameter("Probability that a segment is shown wrong.", .within(0...0.5)) public var noise: Double = 0.1
  public var rows = GeneratorSettings()

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (concepts.count, 24) }
  public func generator(seed: Seed) -> any ConceptGenerator {
    LEDLaw(exchanged: concepts, noise: noise, exchange: LEDExchange(seed))
  }
}

/// Which segments change places with which irrelevant columns, in what order: the i-th pair from where the seed begins.
struct LEDExchange: Equatable {
  /// r₁, below 7.
  let firstSegment: Int
  /// r₂, below 17.
  let firstIdle: Int

  init(firstSegment: Int, firstIdle: Int) { (self.firstSegment, self.firstIdle) = (firstSegment, firstIdle) }

  init(_ seed: Seed) {
    var rng = seed.stream("led-exchange")
    firstSegment = rng.index(below: 7)
    firstIdle = rng.index(below: 17)
  }

  /// Segment and irrelevant column of a pair.
  func pair(_ i: Int) -> (segment: Int, idle: Int) { ((i + firstSegment) % 7, (i + firstIdle) % 17) }
  /// The number of a segment's pair.
  func pair(ofSegment segment: Int) -> Int { (segment - firstSegment + 7) % 7 }
  /// The number of an irrelevant column's pair; from 7 on it has none.
  func pair(ofIdle idle: Int) -> Int { (idle - firstIdle + 17) % 17 }
}

struct LEDLaw: ConceptGenerator {
  /// Segments that stand elsewhere, one a concept.
  let exchanged: [Int]
  let noise: Double
  let exchange: LEDExchange
  /// p*(digit | pattern): 128 × 10.
  let posteriors: [[Double]]
  /// P(pattern).
  private let rates: [Double]

  /// Segments of the digits: top, upper left, upper right, middle, lower left, lower right, bottom; the first is the highest bit.
  private static let digits = [
    0b111_0111, 0b001_0010, 0b101_1101, 0b101_1011, 0b011_1010, 0b110_1011, 0b110_1111, 0b101_0010, 0b111_1111,
    0b111_1011,
  ]

  init(exchanged: [Int], noise: Double, exchange: LEDExchange) {
    self.exchanged = exchanged
    self.noise = noise
    self.exchange = exchange
    rates = (0..<128).map { pattern in (0..<10).reduce(0) { $0 + LEDLaw.chance(of: pattern, showing: $1, noise) / 10 } }
    posteriors = (0..<128).map { pattern in
      let weights = (0..<10).map { LEDLaw.chance(of: pattern, showing: $0, noise) }
      let sum = weights.reduce(0, +)
      return weights.map { sum > 0 ? $0 / sum : 0.1 }
    }
  }

  let columns = (1...24).map { "bit\($0)" }
  let labels = (0..<10).map { String($0) }
  var concepts: [String] { exchanged.map { "\($0) exchanged" } }

  /// Where a segment is shown.
  func column(ofSegment segment: Int, concept: Int) -> Int {
    let pair = exchange.pair(ofSegment: segment)
    return pair < exchanged[concept] ? 7 + exchange.pair(pair).idle : segment
  }

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let digit = draws.index(below: 10, .label)
    for column in 0..<24 {
      let (segment, idle) = source(of: column, moment.concept)
      let bit = segment.map { LEDLaw.shows(digit, $0) != (draws.uniform(.noise, $0) < noise) }
      inputs[column] = bit ?? (draws.uniform(.inputs, idle) < 0.5) ? 1 : 0
    }
    return digit
  }

  /// What a column shows: a segment, or the irrelevant bit of a number.
  private func source(of column: Int, _ concept: Int) -> (segment: Int?, idle: Int) {
    let pair = column < 7 ? exchange.pair(ofSegment: column) : exchange.pair(ofIdle: column - 7)
    let (segment, idle) = exchange.pair(pair)
    if column < 7 { return pair < exchanged[concept] ? (nil, idle) : (column, 0) }
    return pair < exchanged[concept] ? (segment, 0) : (nil, column - 7)
  }

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    posteriors[pattern { inputs[column(ofSegment: $0, concept: moment.concept)] == 1 }]
  }

  /// Patterns differ; the other columns are coins under all concepts.
  func logDensity(_ inputs: [Float], _ moment: ConceptMoment) -> Double? {
    Elementary.log(rates[pattern { inputs[column(ofSegment: $0, concept: moment.concept)] == 1 }])
  }

  static func shows(_ digit: Int, _ segment: Int) -> Bool { digits[digit] >> (6 - segment) & 1 == 1 }

  /// P(pattern | digit).
  static func chance(of pattern: Int, showing digit: Int, _ noise: Double) -> Double {
    let wrong = (pattern ^ digits[digit]).nonzeroBitCount
    return (0..<7).reduce(1) { product, i in product * (i < wrong ? noise : 1 - noise) }
  }

  private func pattern(_ isOn: (Int) -> Bool) -> Int {
    (0..<7).reduce(0) { $0 << 1 | (isOn($1) ? 1 : 0) }
  }
}

// MARK: - Truth

extension LEDLaw {
  var truth: GeneratorTruth {
    let pairs = LEDPairs(posteriors)
    let tasks = exchanged.indices
    var known = ScenarioTruth(
      bayesAccuracy: [], crossAccuracy: [], totalVariation: [], hellinger: [], jointCeiling: jointCeiling)
    for j in tasks {
      let means = tasks.map { pairs.means(weights, misread: misread(j, $0)) }
      known.crossAccuracy.append(means.map(\.accuracy))
      known.totalVariation.append(means.map(\.variation))
      known.hellinger.append(means.map(\.hellinger))
    }
    known.bayesAccuracy = tasks.map { known.crossAccuracy[$0][$0] }
    return .ofLaw(known)
  }

  /// P(pattern) × p*, 128 × 10: the joint law of pattern and digit.
  private var weights: [[Double]] {
    (0..<128).map { pattern in (0..<10).map { LEDLaw.chance(of: pattern, showing: $0, noise) / 10 } }
  }

  /// The segments in whose columns under concept k rule j finds a fair coin: bits of a pattern.
  private func misread(_ j: Int, _ k: Int) -> Int {
    pattern { column(ofSegment: $0, concept: j) != column(ofSegment: $0, concept: k) }
  }

  /// Σ_x max_y mean_k P_k(x, y) over the columns that any concept shows a segment in; the others are coins under all.
  private var jointCeiling: Double {
    let kinds = Set(exchanged).sorted()
    let most = exchanged.max() ?? 0
    let (weights, width) = (weights, 7 + most)
    let shares = kinds.map { kind in Double(exchanged.count { $0 == kind }) / Double(exchanged.count) }
    var sum = 0.0
    for bits in 0..<(1 << width) {
      var best = [Double](repeating: 0, count: 10)
      for (kind, share) in zip(kinds, shares) {
        let shown = weights[
          pattern { segment in
            let pair = exchange.pair(ofSegment: segment)
            return bits >> (pair < kind ? 7 + pair : segment) & 1 == 1
          }]
        for digit in 0..<10 { best[digit] += share * shown[digit] }
      }
      sum += best.max() ?? 0
    }
    return sum / Double(1 << most)
  }
}

/// How far p* of any two patterns lie apart.
private struct LEDPairs {
  private let posteriors: [[Double]]
  private let best: [Int]
  private let variation: [Double]
  private let hellinger: [Double]

  struct Means {
    var accuracy = 0.0
    var variation = 0.0
    var hellinger = 0.0
  }

  init(_ posteriors: [[Double]]) {
    self.posteriors = posteriors
    best = posteriors.map(bestLabel)
    variation = posteriors.flatMap { p in posteriors.map { Distance.totalVariation(p, $0) } }
    hellinger = posteriors.flatMap { p in posteriors.map { Distance.hellinger(p, $0) } }
  }

  /// Means over the law of patterns of what a rule scores that reads coins in some of its segments.
  func means(_ weights: [[Double]], misread: Int) -> Means {
    var means = Means()
    let readings = subsets(of: misread)
    let share = 1 / Double(readings.count)
    for pattern in 0..<128 {
      let weight = weights[pattern].reduce(0, +) * share
      for coins in readings {
        let read = pattern & ~misread | coins
        means.accuracy += share * weights[pattern][best[read]]
        means.variation += weight * variation[128 * pattern + read]
        means.hellinger += weight * hellinger[128 * pattern + read]
      }
    }
    return means
  }

  private func subsets(of mask: Int) -> [Int] { (0..<128).filter { $0 & ~mask == 0 } }
}
