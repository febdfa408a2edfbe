import PalimpsestCore

/// Which values of a window are compared: the latest ones, and as many of the older.
///
/// - Memory: a byte a value of the window, and 4 for each older one once they are drawn.
struct AgeSample: Sendable, Codable {
  /// Of each value, the oldest first: 1 for one of the latest, −1 for an older one that was picked, 0 for the others.
  private(set) var sides: [Int8] = []
  /// The difference of counts from which on two such samples are of two distributions.
  private(set) var least = 0
  /// Ages of the older values, in the order of the latest draw.
  private var ages: [Int32] = []
  private var latest = 0

  var isEmpty: Bool { sides.isEmpty }
  var bytes: Int { 16 + sides.count + 4 * ages.count }

  init() {}

  /// Older values evenly spread: ⌊older · (i + ½) / latest⌋.
  init(window: Int, latest: Int, alpha: Double) {
    let older = window - latest
    self.latest = latest
    least = AgeSample.leastDifference(of: latest, alpha)
    sides = Array(repeating: 0, count: older) + Array(repeating: 1, count: latest)
    for i in 0..<latest { sides[(2 * i + 1) * older / (2 * latest)] = -1 }
  }

  /// Draws start from the order of time.
  mutating func startAfresh() {
    let older = sides.count - latest
    if ages.isEmpty { ages = Array(repeating: 0, count: older) }
    for age in 0..<older { ages[age] = Int32(age) }
  }

  /// Draws the older values anew.
  mutating func draw(using rng: inout Random) {
    for age in ages.indices { sides[age] = 0 }
    rng.sample(latest, of: &ages)
    for place in 0..<latest { sides[Int(ages[place])] = -1 }
  }

  /// The least difference d of counts that is above a tenth of n and whose chance is at most α, n + 1 where there is none.
  static func leastDifference(of n: Int, _ alpha: Double) -> Int {
    var (low, high) = (n / 10 + 1, n + 1)
    while low < high {
      let middle = (low + high) / 2
      if chance(of: middle, n) <= alpha { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The exact chance that two samples of n values of one distribution without ties differ by d or more:
  /// 2 Σⱼ (−1)^(j−1) C(2n, n − jd) / C(2n, n) over j ≥ 1 (Gnedenko & Korolyuk 1951). Ties make it smaller.
  static func chance(of d: Int, _ n: Int) -> Double {
    var (ratio, sum) = (1.0, 0.0)
    for k in 0..<n {
      ratio *= Double(n - k) / Double(n + k + 1)
      let (j, rest) = (k + 1).quotientAndRemainder(dividingBy: d)
      if rest == 0 { sum += j.isMultiple(of: 2) ? -ratio : ratio }
    }
    return 2 * sum
  }

  /// What is no such sample; nil: nothing.
  func problem(window: Int, latest: Int) -> String? {
    if sides.isEmpty && ages.isEmpty && self.latest == 0 { return nil }
    let drawn = Set(ages).count == ages.count && ages.allSatisfy { (0..<(window - latest)).contains(Int($0)) }
    guard sides.count == window, self.latest == latest, ages.isEmpty || (drawn && ages.count == window - latest),
      sides.allSatisfy({ (-1...1).contains($0) })
    else { return "\(self.latest) of \(sides.count) values, and \(ages.count) that are drawn from" }
    return nil
  }
}
