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
    if held.last ?? buckets == buckets { addRow(buckets) }
    if count > 0 {
      let (n, deviation) = (Double(count), x - sum / Double(count))
      squares += deviation * deviation * (n / (n + 1))
    }
    (count, sum) = (count + 1, sum + x)
    AdaptiveWindow.insert(x, buckets, &held, &sums, &deviations)
  }

  /// Rows that there is room for at once: 2³² values.
  private static let rows = 32

  /// The last row is full: another stands ready for what two of its buckets become.
  private mutating func addRow(_ buckets: Int) {
    if held.capacity < AdaptiveWindow.rows {
      held.reserveCapacity(AdaptiveWindow.rows)
      sums.reserveCapacity(AdaptiveWindow.rows * (buckets + 1))
      deviations.reserveCapacity(AdaptiveWindow.rows * (buckets + 1))
    }
    held.append(0)
    for _ in 0...buckets {
      sums.append(0)
      deviations.append(0)
    }
  }

  /// Puts a value into the first row. Where a row has a bucket too many its two oldest, of 2^i values, become one of the next row:
  /// v = v₀ + v₁ + ½ · 2^i · (μ₀ − μ₁)².
  ///
  /// The arrays are lent: asking for each of them anew at every number takes longer than all the arithmetic.
  private static func insert(
    _ x: Double, _ buckets: Int, _ held: inout [Int], _ sums: inout [Double], _ deviations: inout [Double]
  ) {
    var held = held.mutableSpan
    var sums = sums.mutableSpan
    var deviations = deviations.mutableSpan
    var (bucket, row, first, size) = ((sum: x, deviation: 0.0), 0, 0, 1.0)
    while true {
      let place = first + held[row]
      sums[place] = bucket.sum
      deviations[place] = bucket.deviation
      held[row] += 1
      if held[row] <= buckets { return }
      let apart = (sums[first] - sums[first + 1]) / size
      bucket = (
        sums[first] + sums[first + 1], deviations[first] + deviations[first + 1] + size * apart * apart / 2
      )
      held[row] = buckets - 1
      for place in first..<(first + buckets - 1) {
        sums[place] = sums[place + 2]
        deviations[place] = deviations[place + 2]
      }
      (row, first, size) = (row + 1, first + buckets + 1, size * 2)
    }
  }

  mutating func removeAll() {
    (count, sum, squares) = (0, 0, 0)
    held.removeAll(keepingCapacity: true)
    sums.removeAll(keepingCapacity: true)
    deviations.removeAll(keepingCapacity: true)
  }

  // MARK: - Cuts

  /// The window without its oldest bucket, of n₀ values with mean μ₀ beside n₁ others with mean μ₁: the sum of squared
  /// deviations loses the bucket's own and n₀ · n₁ · (μ₀ − μ₁)² / (n₀ + n₁).
  mutating func dropOldest() {
    let room = sums.count / held.count
    while held[held.count - 1] == 0 { removeLastRow(room) }
    let row = held.count - 1
    let (size, sum, deviation) = (1 << row, sums[row * room], deviations[row * room])
    let left = count - size
    guard left > 0 else { return removeAll() }
    self.sum -= sum
    let apart = sum / Double(size) - self.sum / Double(left)
    squares = max(0, squares - deviation - Double(size) * Double(left) * apart * apart / Double(count))
    count = left
    held[row] -= 1
    for place in (row * room)..<(row * room + held[row]) {
      sums[place] = sums[place + 1]
      deviations[place] = deviations[place + 1]
    }
  }

  private mutating func removeLastRow(_ room: Int) {
    held.removeLast()
    sums.removeLast(room)
    deviations.removeLast(room)
  }

  /// Whether the means on the two sides of a split between buckets differ more than chance allows: with a = |μ₀ − μ₁| − ⅔ m δ′
  /// above 0, whether a² > 2 m (V/n) δ′, and |μ₀ − μ₁| = |u₀ n − u n₀| / (n₀ n₁) of sums u₀ and u.
  /// - Parameter least: values on either side of such a split.
  func hasCut(delta: Double, least: Int) -> Bool {
    guard count > 1 else { return false }
    let confidence = Elementary.log(2 * Elementary.log(Double(count)) / delta)
    let spread = 2 * squares / Double(count) * confidence
    let (n, least, room) = (Double(count), Double(least), sums.count / held.count)
    let (held, sums) = (held.span, sums.span)
    var (older, olderSum, size) = (0.0, 0.0, Double(1 << (held.count - 1)))
    for row in held.indices.reversed() {
      for place in (row * room)..<(row * room + held[row]) {
        older += size
        olderSum += sums[place]
        let newer = n - older
        if newer < least { return false }
        if older < least { continue }
        let m = (n - 2 * (least - 1)) / ((older - least + 1) * (newer - least + 1))
        let beyond = (olderSum * n - sum * older).magnitude / (older * newer) - 2 / 3 * m * confidence
        if beyond > 0 && beyond * beyond > spread * m { return true }
      }
      size /= 2
    }
    return false
  }

  /// What is no window with rows of so many buckets; nil: nothing.
  func problem(buckets: Int) -> String? {
    guard (1...1000).contains(buckets), held.count <= 48 else { return "\(held.count) rows of \(buckets) buckets" }
    let numbers = held.count * (buckets + 1)
    guard sums.count == numbers, deviations.count == numbers,
      held.allSatisfy({ (0...buckets).contains($0) }), held.isEmpty == (count == 0)
    else { return "\(held.count) rows of buckets with \(sums.count) and \(deviations.count) numbers" }
    let values = held.indices.reduce(0) { $0 + held[$1] << $1 }
    return values == count ? nil : "\(count) values in buckets of \(values)"
  }
}
