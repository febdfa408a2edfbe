/// P of Wilcoxon's signed-rank test, exact, two-sided: differences of 0 are left out, ties have their mean rank.
///
/// - Returns: nil where all differences are 0, or one is no number.
/// - Cost: O(n³) for n differences.
/// - Source: Wilcoxon 1945; equals `scipy.stats.wilcoxon(d, method="exact")` where no two differences are equally large.
public func wilcoxonP(_ differences: [Double]) -> Double? {
  let differences = differences.filter { $0 != 0 }
  guard !differences.isEmpty, differences.allSatisfy(\.isFinite) else { return nil }
  // Doubled, for mean ranks are halves.
  let doubled = midRanks(differences.map(abs)).map { Int(2 * $0) }
  let positive = zip(differences, doubled).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
  let whole = doubled.reduce(0, +)
  /// P of each sum of the ranks that have a plus.
  var chances = [Double](repeating: 0, count: whole + 1)
  chances[0] = 1
  for rank in doubled {
    for sum in stride(from: whole, through: 0, by: -1) {
      chances[sum] = 0.5 * (chances[sum] + (sum >= rank ? chances[sum - rank] : 0))
    }
  }
  return min(1, 2 * chances[...min(positive, whole - positive)].reduce(0, +))
}
