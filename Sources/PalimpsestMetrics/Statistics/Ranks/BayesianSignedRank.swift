import PalimpsestCore

/// How probable it is that one method is better, that both are practically equal, or that the other is better: the Bayesian signed-rank
/// test with a region of practical equivalence.
///
/// - Cost: 50,000 draws × n² / 2 for n differences.
/// - Source: Benavoli et al. 2017; `baycomp.SignedRankTest`, with its prior of one observation at 0.
public struct BayesianSignedRank: Sendable, Equatable {
  public static let draws = 50_000

  /// P that differences lie below −rope, within, and above.
  public let below: Double
  public let within: Double
  public let above: Double

  /// - Parameters:
  ///   - differences: finite, a − b, one a scenario.
  ///   - rope: differences up to it are practically none.
  ///   - seed: of the draws.
  /// - Returns: nil without differences.
  public init?(_ differences: [Double], rope: Double = 0.01, draws: Int = BayesianSignedRank.draws, seed: Seed) {
    guard !differences.isEmpty, draws > 0 else { return nil }
    let signs = BayesianSignedRank.signs([0] + differences, rope)
    var stream = seed.stream("signed-rank")
    var counts = [0.0, 0.0, 0.0]
    for _ in 0..<draws {
      let masses = BayesianSignedRank.masses(signs, using: &stream)
      let most = masses.max() ?? 0
      let winners = masses.indices.filter { masses[$0] == most }
      for winner in winners { counts[winner] += 1 / Double(winners.count) }
    }
    (below, within, above) = (counts[0] / Double(draws), counts[1] / Double(draws), counts[2] / Double(draws))
  }

  /// For each pair (i, j ≥ i) where its mean lies: 0 below, 1 within, 2 above.
  private static func signs(_ values: [Double], _ rope: Double) -> [[Int]] {
    values.indices.map { i in
      values[i...].map { other in
        let mean = (values[i] + other) / 2
        return mean < -rope ? 0 : mean > rope ? 2 : 1
      }
    }
  }

  /// What weight the pairs of each kind have under weights drawn from Dirichlet(1, …, 1).
  private static func masses(_ signs: [[Int]], using stream: inout Random) -> [Double] {
    let weights = signs.map { _ in -Elementary.log(1 - stream.uniform()) }
    var masses = [0.0, 0.0, 0.0]
    for i in signs.indices {
      for j in signs[i].indices { masses[signs[i][j]] += weights[i] * weights[i + j] * (j == 0 ? 1 : 2) }
    }
    return masses
  }
}
