/// Spearman's rank correlation ρ of two lists of equal length: Pearson's correlation of their ranks, ties at their mean rank.
///
/// - Returns: nil for fewer than two pairs, lists of different length, or a list without two different values.
/// - Source: Spearman 1904; equals `scipy.stats.spearmanr`.
public func spearmanCorrelation(_ x: [Double], _ y: [Double]) -> Double? {
  guard x.count == y.count, x.count > 1 else { return nil }
  let a = ranks(x)
  let b = ranks(y)
  let middle = Double(x.count + 1) / 2
  let products = mean(0..<a.count) { (a[$0] - middle) * (b[$0] - middle) }
  let spread = mean(0..<a.count) { (a[$0] - middle) * (a[$0] - middle) }
  let otherSpread = mean(0..<b.count) { (b[$0] - middle) * (b[$0] - middle) }
  return spread > 0 && otherSpread > 0 ? products / (spread * otherSpread).squareRoot() : nil
}

/// Ranks from 1, ties at the mean of the ranks they fill.
private func ranks(_ values: [Double]) -> [Double] {
  let order = values.indices.sorted { values[$0] < values[$1] }
  var ranks = [Double](repeating: 0, count: values.count)
  var start = 0
  while start < order.count {
    let end = order[start...].firstIndex { values[$0] != values[order[start]] } ?? order.count
    for place in start..<end { ranks[order[place]] = Double(start + end + 1) / 2 }
    start = max(end, start + 1)
  }
  return ranks
}
