/// Spearman's rank correlation ρ of two lists of equal length: Pearson's correlation of their ranks, ties at their mean rank.
///
/// - Returns: nil for fewer than two pairs, lists of different length, or a list without two different values.
/// - Source: Spearman 1904; equals `scipy.stats.spearmanr`.
public func spearmanCorrelation(_ x: [Double], _ y: [Double]) -> Double? {
  guard x.count == y.count, x.count > 1 else { return nil }
  let a = midRanks(x)
  let b = midRanks(y)
  let middle = Double(x.count + 1) / 2
  let products = mean(0..<a.count) { (a[$0] - middle) * (b[$0] - middle) }
  let spread = mean(0..<a.count) { (a[$0] - middle) * (a[$0] - middle) }
  let otherSpread = mean(0..<b.count) { (b[$0] - middle) * (b[$0] - middle) }
  return spread > 0 && otherSpread > 0 ? products / (spread * otherSpread).squareRoot() : nil
}
