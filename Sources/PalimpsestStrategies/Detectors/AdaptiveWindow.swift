import PalimpsestCore

/// An exponential histogram: the values of a window in buckets of 1, 2, 4 … of them, the newest in the smallest ones.
///
/// Row i holds buckets of 2^i values, the oldest first. When it holds more than it may, its two oldest become one of the next
/// row. So the window's n values take O(log n) numbers, and any split between two buckets can be weighed.
struct AdaptiveWindow: Sendable, Codable {
  /// Values in the window.
  private(set) var count = 0
  private var sum = 0.0
  /// Sum of the squared deviations from the mean.
  private var squares = 0.0
  /// Buckets that each row holds.
  private var held: [Int] = []
  /// Of each bucket, its values' sum and sum of squared deviations; a row has room for one bucket more than it may hold.
  private var sums: [Double] = []
  private var deviations: [Double] = []

  var bytes: Int { 24 + 8 * (held.count + sums.count + deviations.count) }

  /// Adds a value as the newest.
  /// - Parameter buckets: that a row may hold; the same in every call.
  mutating func add(_ x: Double, buckets: Int) {
    if held.capacity < AdaptiveWindow.rows { makeRoom(buckets) }
    if count > 0 {
      let deviation = x - sum / Double(count)
      squares += Double(count) * deviation * deviation / Double(count + 1)
    }
    (count, sum) = (count + 1, sum + x)
    append(x, 0, to: 0, buckets + 1)
    var row = 0
    while held[row] > buckets {
      mergeOldest(of: row, buckets + 1)
      row += 1
    }
  }

  /// Rows that there is room for at once: 2³² values.
  private static let rows = 32

  private mutating func makeRoom(_ buckets: Int) {
    held.reserveCapacity(AdaptiveWindow.rows)
    sums.reserveCapacity(AdaptiveWindow.rows * (buckets + 1))
    deviations.reserveCapacity(AdaptiveWindow.rows * (buckets + 1))
  }

  mutating func removeAll() {
    (count, sum, squares) = (0, 0, 0)
    held.removeAll(keepingCapacity: true)
    sums.removeAll(keepingCapacity: true)
    deviations.removeAll(keepingCapacity: true)
  }

  // MARK: - Buckets

  private mutating func append(_ sum: Double, _ deviation: Double, to row: Int, _ room: Int) {
    if row == held.count {
      held.append(0)
      for _ in 0..<room {
        sums.append(0)
        deviations.append(0)
      }
    }
    let place = row * room + held[row]
    (sums[place], deviations[place]) = (sum, deviation)
    held[row] += 1
  }

  /// Two buckets of 2^i values become one: v = v₀ + v₁ + ½ · 2^i · (μ₀ − μ₁)².
  private mutating func mergeOldest(of row: Int, _ room: Int) {
    let (first, size) = (row * room, Double(1 << row))
    let apart = (sums[first] - sums[first + 1]) / size
    let merged = (
      sum: sums[first] + sums[first + 1],
      deviation: deviations[first] + deviations[first + 1] + size * apart * apart / 2
    )
    removeOldest(2, of: row, room)
    append(merged.sum, merged.deviation, to: row + 1, room)
  }

  private mutating func removeOldest(_ gone: Int, of row: Int, _ room: Int) {
    let (first, left) = (row * room, held[row] - gone)
    for place in first..<(first + left) {
      sums[place] = sums[place + gone]
      deviations[place] = deviations[place + gone]
    }
    held[row] = left
  }

  /// The window without its oldest bucket, of n₀ values with mean μ₀ beside n₁ others with mean μ₁: the sum of squared
  /// deviations loses the bucket's own and n₀ · n₁ · (μ₀ − μ₁)² / (n₀ + n₁).
  mutating func dropOldest() {
    let (row, room) = (held.count - 1, sums.count / held.count)
    let (size, sum) = (1 << row, sums[row * room])
    let left = count - size
    guard left > 0 else { return removeAll() }
    self.sum -= sum
    let apart = sum / Double(size) - self.sum / Double(left)
    let between = Double(size) * Double(left) * apart * apart / Double(count)
    squares = max(0, squares - deviations[row * room] - between)
    count = left
    removeOldest(1, of: row, room)
    while held[held.count - 1] == 0 {
      held.removeLast()
      sums.removeLast(room)
      deviations.removeLast(room)
    }
  }

  // MARK: - Cuts

  /// Whether the means on the two sides of a split between buckets differ more than chance allows.
  /// - Parameter least: values on either side of such a split.
  func hasCut(delta: Double, least: Int) -> Bool {
    guard count > 1 else { return false }
    let confidence = Elementary.log(2 * Elementary.log(Double(count)) / delta)
    let spread = 2 * squares / Double(count) * confidence
    let room = sums.count / held.count
    var (older, olderSum) = (0, 0.0)
    for row in held.indices.reversed() {
      for place in (row * room)..<(row * room + held[row]) {
        older += 1 << row
        olderSum += sums[place]
        let newer = count - older
        if newer < least { return false }
        if older < least { continue }
        let m = 1 / Double(older - least + 1) + 1 / Double(newer - least + 1)
        let apart = (olderSum / Double(older) - (sum - olderSum) / Double(newer)).magnitude
        if apart > (spread * m).squareRoot() + 2 / 3 * m * confidence { return true }
      }
    }
    return false
  }

  /// What is no window with rows of so many buckets; nil: nothing.
  func problem(buckets: Int) -> String? {
    guard (1...1000).contains(buckets), held.count <= 48 else { return "\(held.count) rows of \(buckets) buckets" }
    let numbers = held.count * (buckets + 1)
    guard sums.count == numbers, deviations.count == numbers,
      held.allSatisfy({ (0...buckets).contains($0) }), held.last != 0
    else { return "\(held.count) rows of buckets with \(sums.count) and \(deviations.count) numbers" }
    let values = held.indices.reduce(0) { $0 + held[$1] << $1 }
    return values == count ? nil : "\(count) values in buckets of \(values)"
  }
}
