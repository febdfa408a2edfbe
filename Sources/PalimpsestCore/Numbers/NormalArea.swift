/// Areas under the standard normal density.
///
/// - Source: Hart 1968, algorithm 5666, in the form of West 2005; relative error below 1e-13 up to 7, 1e-9 beyond.
package enum NormalArea {
  /// Φ(−x) for x ≥ 0: small ones keep their digits.
  package static func beyond(_ x: Double) -> Double {
    let density = Elementary.exp(-x * x / 2)
    if x < 7.07106781186547 { return density * polynomial(x, top) / polynomial(x, bottom) }
    let fraction = x + 1 / (x + 2 / (x + 3 / (x + 4 / (x + 0.65))))
    return density / fraction / 2.506628274631
  }

  /// Φ(x).
  package static func below(_ x: Double) -> Double { x < 0 ? beyond(-x) : 1 - beyond(x) }

  /// Φ(high) − Φ(low), low ≤ high.
  package static func between(_ low: Double, _ high: Double) -> Double {
    if low >= 0 { return beyond(low) - beyond(high) }
    if high <= 0 { return beyond(-high) - beyond(-low) }
    return 1 - beyond(-low) - beyond(high)
  }

  /// Coefficients from the highest power down.
  private static func polynomial(_ x: Double, _ coefficients: [Double]) -> Double {
    coefficients.reduce(0) { $0 * x + $1 }
  }

  private static let top = [
    3.52624965998911e-02, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871, 221.213596169931,
    220.206867912376,
  ]
  private static let bottom = [
    8.83883476483184e-02, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831,
    793.826512519948, 440.413735824752,
  ]
}
