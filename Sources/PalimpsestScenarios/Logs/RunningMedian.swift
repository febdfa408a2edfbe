/// The median of the values so far.
///
/// - Time: O(log n) a value. Memory: a number each.
package struct RunningMedian {
  /// The smaller half, negated: the largest of them first. It has as many values as the other half, or one more.
  private var low = LeastFirst()
  private var high = LeastFirst()

  package init() {}

  /// The middle value, of an even number the mean of the two in the middle; nil before the first.
  package var value: Float? {
    guard let below = low.least.map({ -$0 }) else { return nil }
    guard let above = high.least, high.count == low.count else { return below }
    return Float((Double(below) + Double(above)) / 2)
  }

  package mutating func add(_ value: Float) {
    if let above = high.least, value > above { high.add(value) } else { low.add(-value) }
    if low.count > high.count + 1 { high.add(-low.removeLeast()) }
    if high.count > low.count { low.add(-high.removeLeast()) }
  }
}

/// A binary heap.
private struct LeastFirst {
  private var values: [Float] = []

  var count: Int { values.count }
  var least: Float? { values.first }

  mutating func add(_ value: Float) {
    values.append(value)
    var place = values.count - 1
    while place > 0, values[place] < values[(place - 1) / 2] {
      values.swapAt(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  mutating func removeLeast() -> Float {
    values.swapAt(0, values.count - 1)
    let least = values.removeLast()
    var place = 0
    while true {
      let children = (2 * place + 1..<min(2 * place + 3, max(values.count, 2 * place + 1)))
      guard let child = children.min(by: { values[$0] < values[$1] }), values[child] < values[place] else { break }
      values.swapAt(place, child)
      place = child
    }
    return least
  }
}
