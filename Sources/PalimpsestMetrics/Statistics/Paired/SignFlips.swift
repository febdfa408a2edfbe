import PalimpsestCore

/// The exact sign-flip test of paired differences: of one list, and of several at once with step-down max-T.
///
/// Under the null a seed's difference is as likely to have either sign. That assumes differences that are symmetric about 0, and pairs that
/// are independent of each other. All lists of a family hold the same seeds in the same order, so that a flip turns the same seed in each.
///
/// - Cost: 2ⁿ⁻¹ × lists additions up to 20 pairs, else 100,000 × n × lists.
/// - Source: Fisher 1935; Westfall & Young 1993, algorithm 4.1, with signs for permutations.
public struct SignFlips: Sendable {
  /// Pairs up to which all sign vectors are gone through.
  public static let mostExact = 20
  /// Sign vectors drawn beyond.
  public static let drawn = 100_000

  /// Whether all sign vectors were gone through.
  public let isExact: Bool
  /// One a list: P(|Σ ±d| ≥ |Σ d|), each list by itself.
  public let p: [Double]
  /// One a list: adjusted over all lists by step-down max-T. The chance of any false claim among them is then no more than the level.
  public let adjusted: [Double]

  /// - Parameters:
  ///   - differences: lists × pairs, finite.
  ///   - seed: of the drawn sign vectors; a test of up to 20 pairs draws none.
  /// - Returns: nil without lists or pairs, or where lists differ in length or hold what is no number.
  public init?(_ differences: [[Double]], seed: Seed = Seed(0)) {
    guard let n = differences.first?.count, n > 0,
      differences.allSatisfy({ $0.count == n && $0.allSatisfy(\.isFinite) })
    else { return nil }
    var tally = FlipTally(differences)
    isExact = n <= SignFlips.mostExact
    if isExact { tally.visitAll() } else { tally.visit(SignFlips.drawn, using: seed.stream("sign-flips")) }
    (p, adjusted) = (tally.p, tally.adjusted)
  }

  /// The least p that so many pairs can give, 2¹⁻ⁿ, 1 of none: .25 of three, .0625 of five, .00195 of ten.
  public static func leastP(pairs n: Int) -> Double {
    n > mostExact ? 1 / Double(drawn + 1) : 1 / Double(1 << max(n - 1, 0))
  }
}

/// What is counted over the sign vectors.
private struct FlipTally {
  /// Pairs × lists: a flip touches the neighbours of one row.
  private let differences: [[Double]]
  /// 1 / √Σd² of each list; 0 where all differences are 0.
  private let scales: [Double]
  /// |Σ d| / √Σd², as observed.
  private let observed: [Double]
  /// The lists, largest observed first.
  private let order: [Int]
  private var reached: [Int]
  private var reachedByMaximum: [Int]
  private var visited = 0
  /// 1 where the observed signs count among drawn ones.
  private var added = 0

  init(_ lists: [[Double]]) {
    let scales = lists.map { list in
      let squares = list.reduce(0) { $0 + $1 * $1 }
      return squares > 0 ? 1 / squares.squareRoot() : 0
    }
    let observed = zip(lists, scales).map { list, scale in abs(list.reduce(0, +)) * scale }
    differences = lists[0].indices.map { pair in lists.map { $0[pair] } }
    order = lists.indices.sorted { (-observed[$0], $0) < (-observed[$1], $1) }
    (self.scales, self.observed) = (scales, observed)
    reached = lists.map { _ in 0 }
    reachedByMaximum = reached
  }

  /// All sign vectors but for the sign of the whole: the first pair keeps its sign. Gray codes flip one sign at a time, and sums are made
  /// anew every 1,024 vectors, lest rounding adds up.
  mutating func visitAll() {
    let free = differences.count - 1
    var signs = [Double](repeating: 1, count: differences.count)
    var sums: [Double] = []
    for code in 0..<(1 << free) {
      if code > 0 {
        let pair = code.trailingZeroBitCount + 1
        signs[pair] = -signs[pair]
        for list in sums.indices { sums[list] += 2 * signs[pair] * differences[pair][list] }
      }
      if code & 1023 == 0 { sums = self.sums(signs) }
      count(sums)
    }
  }

  mutating func visit(_ vectors: Int, using stream: Random) {
    var stream = stream
    var signs = [Double](repeating: 1, count: differences.count)
    for _ in 0..<vectors {
      for pair in signs.indices { signs[pair] = stream.next() >> 63 == 0 ? 1 : -1 }
      count(sums(signs))
    }
    added = 1
  }

  private func sums(_ signs: [Double]) -> [Double] {
    zip(signs, differences).reduce(into: scales.map { _ in 0.0 }) { sums, pair in
      for list in sums.indices { sums[list] += pair.0 * pair.1[list] }
    }
  }

  private mutating func count(_ sums: [Double]) {
    visited += 1
    var largest = 0.0
    for list in order.reversed() {
      let u = abs(sums[list]) * scales[list]
      largest = max(largest, u)
      // Ties within rounding count: they are the same differences in another order.
      let bar = observed[list] - 1e-12 * max(1, observed[list])
      if u >= bar { reached[list] += 1 }
      if largest >= bar { reachedByMaximum[list] += 1 }
    }
  }

  var p: [Double] { reached.map(share) }

  var adjusted: [Double] {
    var least = 0.0
    return order.reduce(into: p) { p, list in
      least = max(least, share(reachedByMaximum[list]))
      p[list] = least
    }
  }

  private func share(_ count: Int) -> Double { Double(count + added) / Double(visited + added) }
}
