import PalimpsestCore

/// The latest values, in their order of time and in that of their size.
///
/// - Memory: 12 bytes a value, all at once with the first one. Time: O(values) for one more.
struct SortedRing: Sendable, Codable {
  private var values: [Double] = []
  /// The place of the next value; the oldest one's in a full ring.
  private var next = 0
  /// Places, the one with the smallest value first.
  private var order: [Int32] = []

  var isFull: Bool { !values.isEmpty && order.count == values.count }
  var bytes: Int { 8 + 8 * values.count + 4 * order.count }

  /// Adds the latest value, in the place of the oldest where there is no room.
  /// - Parameter room: values that the ring holds; the same in every call.
  mutating func add(_ x: Double, room: Int) {
    if values.isEmpty {
      values = Array(repeating: 0, count: room)
      order.reserveCapacity(room)
    }
    if isFull, let oldest = order.firstIndex(of: Int32(next)) { order.remove(at: oldest) }
    values[next] = x
    order.insert(Int32(next), at: rank(of: x))
    next = next + 1 == values.count ? 0 : next + 1
  }

  /// How many values are at most x.
  private func rank(of x: Double) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if values[Int(order[middle])] <= x { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Keeps its room.
  mutating func removeAll() {
    next = 0
    order.removeAll(keepingCapacity: true)
  }

  /// The largest difference, at any x, between how many of two samples are at most x; of a full ring.
  /// - Parameter sides: of each value, the oldest first, 1 for the one sample, −1 for the other, 0 for neither.
  func distance(_ sides: [Int8]) -> Int {
    var (sum, largest, latest) = (0, 0, -Double.infinity)
    for place in order {
      let x = values[Int(place)]
      if x > latest { (largest, latest) = (max(largest, abs(sum)), x) }
      let age = Int(place) - next
      sum += Int(sides[age < 0 ? age + values.count : age])
    }
    return max(largest, abs(sum))
  }

  /// What is no ring with that room; nil: nothing.
  func problem(room: Int) -> String? {
    let isOrder = Set(order).count == order.count && order.allSatisfy { (0..<values.count).contains(Int($0)) }
    guard values.isEmpty || values.count == room, isOrder, (0..<max(1, values.count)).contains(next),
      order.count == values.count || (next == order.count && order.allSatisfy { $0 < next })
    else { return "\(order.count) values in order, in a ring of \(values.count), not \(room)" }
    return nil
  }
}
