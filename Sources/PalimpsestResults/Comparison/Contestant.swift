import PalimpsestJSON
import PalimpsestMetrics
import PalimpsestRuns

/// The runs of one strategy in one scenario.
package struct Contestant: Sendable {
  package let label: String
  /// Without settings.
  let strategy: String
  /// The metric by seed, of the completed runs that have it.
  package let values: [Int: Double]
  /// Seeds of all runs that have ended, in order.
  package let seeds: [Int]
  /// Seeds of those that completed.
  let completed: Set<Int>
  let diverged: Int
  let failed: Int
  let kind: AccuracyKind
  /// All settings; null where they are not known.
  let record: @Sendable () -> JSONValue

  /// - Parameter place: of the metric among those of the runs.
  init(
    _ strategy: SweptLabel, _ runs: [MeasuredRuns.Run], _ record: @escaping @Sendable () -> JSONValue, metric place: Int
  ) {
    label = strategy.text
    self.strategy = strategy.label
    self.record = record
    let done = runs.filter { $0.status == .completed }
    let kind: AccuracyKind = !done.isEmpty && done.allSatisfy { $0.kind == .expected } ? .expected : .sampled
    self.kind = kind
    let measured = done.filter { $0.kind == kind && $0.values[place].isFinite }
    values = Dictionary(measured.map { ($0.seed, $0.values[place]) }, uniquingKeysWith: { first, _ in first })
    seeds = Set(runs.map(\.seed)).sorted()
    completed = Set(done.map(\.seed))
    diverged = runs.count { $0.status == .diverged }
    failed = runs.count - done.count - diverged
  }

  /// Over all seeds that have a value; nil of none.
  var mean: Double? { Interval(values.sorted { $0.key < $1.key }.map(\.value))?.mean }
}

/// Who is compared with whom.
struct Match {
  let a: Contestant
  let b: Contestant

  /// Whether or not the runs of it completed.
  var sharesSeed: Bool { !Set(a.seeds).isDisjoint(with: b.seeds) }
}

/// All of one scenario.
struct ScenarioMatches {
  let scenario: SweptLabel
  let contestants: [Contestant]
  let pairs: [Match]
  var reference: Contestant?

  var name: String { scenario.text }

  /// Noise-free where all know p*.
  var kind: AccuracyKind { contestants.allSatisfy { $0.kind == .expected } ? .expected : .sampled }
}

/// Two contestants, seed by seed.
package struct Pair: Sendable {
  package let a: Contestant
  package let b: Contestant
  /// Seeds on which both have a value, in order.
  package let seeds: [Int]
  package let valuesOfA: [Double]
  package let valuesOfB: [Double]
  /// a − b; nil where there are no pairs.
  package let difference: PairedDifference?
  /// That a run of a is better than one of b, over all pairs of runs.
  package let probability: Double?
  /// Of the sign-flip test by itself, and adjusted; nil of too few pairs.
  package private(set) var p: Double?
  package private(set) var adjusted: Double?

  init(_ a: Contestant, _ b: Contestant, _ metric: Metric) {
    self.a = a
    self.b = b
    seeds = a.kind == b.kind ? a.values.keys.filter { b.values[$0] != nil }.sorted() : []
    let (x, y) = (seeds.compactMap { a.values[$0] }, seeds.compactMap { b.values[$0] })
    let isLowerBetter = metric.direction == .lower
    (valuesOfA, valuesOfB) = (x, y)
    difference = PairedDifference(x, y, isLowerBetter: isLowerBetter)
    probability = isLowerBetter ? improvementProbability(y, over: x) : improvementProbability(x, over: y)
  }

  func with(_ test: (p: Double, adjusted: Double)?) -> Pair {
    var pair = self
    (pair.p, pair.adjusted) = (test?.p, test?.adjusted)
    return pair
  }

  /// The least difference that so many pairs show with probability .8, one comparison by itself at .05.
  package var detectable: Double? {
    guard let deviation = difference?.interval.deviation, deviation > 0 else { return nil }
    return DetectableEffect.of(pairs: seeds.count) * deviation
  }

  /// Seeds that it takes to show a difference with probability .8; nil where differences do not vary.
  package func seeds(toSee wanted: Double) -> Int? {
    guard let deviation = difference?.interval.deviation, deviation > 0 else { return nil }
    let pairs = PairedPower.pairs(for: wanted / deviation)
    return pairs < 1e9 ? Int(pairs.rounded(.up)) : nil
  }

  /// False without a margin.
  package func isEquivalent(within margin: Double?) -> Bool {
    margin.map { difference?.isEquivalent(within: $0) ?? false } ?? false
  }
}
