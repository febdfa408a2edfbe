import PalimpsestCore

/// Scores of four methods in three scenarios, ten seeds: .60 + .03m + .02s + .10·u, four decimals, u by SplitMix64's finaliser.
enum MadeScores {
  static func score(method m: Int, scenario s: Int, seed k: Int) -> Double {
    let u = uniform(UInt64(100 + 10 * s + m), UInt64(k))
    return ((0.60 + 0.03 * Double(m) + 0.02 * Double(s) + 0.10 * u) * 1e4).rounded() / 1e4
  }

  private static func uniform(_ stream: UInt64, _ index: UInt64) -> Double {
    var z = stream &* 0xD134_2543_DE82_EF95 &+ (index + 1) &* 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    return Double(z >> 11) * 0x1p-53
  }

  static func runs(_ m: Int, _ s: Int) -> [Double] { (0..<10).map { score(method: m, scenario: s, seed: $0) } }
  static func strata(_ m: Int) -> [[Double]] { (0..<3).map { runs(m, $0) } }
  static func all(_ m: Int) -> [Double] { strata(m).flatMap { $0 } }
  static func difference(_ a: Int, _ b: Int, _ s: Int) -> [Double] { zip(runs(a, s), runs(b, s)).map { $0 - $1 } }
}
