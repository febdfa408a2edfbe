/// Ranks from 1 for the smallest, ties at the mean of the ranks they fill.
func midRanks(_ values: [Double]) -> [Double] {
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
