import PalimpsestMetrics
import Synchronization

/// The sign-flip tests of all pairs that are printed together.
///
/// A flip turns all differences of a seed, whatever the scenario: seeds are what was drawn. A pair that lacks a seed has a
/// difference of 0 there: its sum is the same whatever the sign, so its p, and the least that it can have, are those of the
/// seeds that it has. Pairs with fewer seeds than any test needs take no part.
struct FlipFamily {
  /// One a pair; nil of those that take no part.
  let results: [(p: Double, adjusted: Double)?]

  init(_ pairs: [Pair], _ adjustment: Adjustment) {
    let tested = pairs.indices.filter { pairs[$0].seeds.count >= Comparison.leastPairs }
    let seeds = Set(tested.flatMap { pairs[$0].seeds }).sorted()
    let lists = tested.map { place in
      let differences = zip(pairs[place].seeds, pairs[place].difference?.differences ?? [])
      let bySeed = Dictionary(differences.map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
      return seeds.map { bySeed[$0] ?? 0 }
    }
    var results = pairs.map { _ in (p: Double, adjusted: Double)?.none }
    if let test = SignFlips(lists) {
      for (place, numbers) in zip(tested, zip(test.p, adjustment.adjusted(test))) { results[place] = numbers }
    }
    self.results = results
  }
}

/// Effects that can be seen, by the number of pairs: one takes milliseconds, and all pairs of a table have the same few.
enum DetectableEffect {
  private static let known = Mutex<[Int: Double]>([:])

  static func of(pairs: Int) -> Double {
    if let effect = known.withLock({ $0[pairs] }) { return effect }
    let effect = PairedPower.detectable(pairs: pairs)
    known.withLock { $0[pairs] = effect }
    return effect
  }
}
