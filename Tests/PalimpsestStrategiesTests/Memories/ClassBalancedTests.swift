import PalimpsestCore
import PalimpsestStrategies
import Testing

@Suite struct ClassBalancedTests {
  @Test func `classes are as even as the stream allows`() {
    var labels: [Int32] =
      Array(repeating: 0, count: 100) + Array(repeating: 1, count: 3) + Array(repeating: 2, count: 40)
    for key: UInt64 in 0..<50 {
      var rng = Random(key: key)
      rng.shuffle(&labels)
      let held = memory(30, after: labels, using: &rng)
      // Class 1 is held in full; the others share 27 slots.
      let counts = (0..<3).map { label in held.filter { labels[$0] == label }.count }
      #expect(counts[1] == 3 && counts[0] + counts[2] == 27 && abs(counts[0] - counts[2]) == 1)
    }
  }

  @Test func `a class that arrives last takes its share`() {
    var rng = Random(key: 1)
    let held = memory(10, after: Array(repeating: 0, count: 200) + Array(repeating: 1, count: 5), using: &rng)
    #expect(held.filter { $0 >= 200 } == [200, 201, 202, 203, 204])
  }

  @Test func `within a class each row is held with equal probability`() {
    // 60 rows, 10 slots: class 1 (every fourth row) is held in full at first and grows full later.
    let labels: [Int32] = (0..<60).map { $0 % 4 == 1 ? 1 : 0 }
    var rng = Random(key: 2)
    var counts = Array(repeating: 0, count: 60)
    var sizes: [[Int]] = [[], []]
    for _ in 0..<20_000 {
      let held = memory(10, after: labels, using: &rng)
      for row in held { counts[row] += 1 }
      for label in 0..<2 { sizes[label].append(held.filter { labels[$0] == label }.count) }
    }
    for label in 0..<2 {
      let mine = counts.indices.filter { labels[$0] == label }.map { counts[$0] }
      #expect(ChiSquare.inclusion(mine, sizes: sizes[label]) < ChiSquare.limit(mine.count - 1), "class \(label)")
    }
  }

  @Test func `one class alone is a plain reservoir`() {
    var rng = Random(key: 3)
    var counts = Array(repeating: 0, count: 30)
    for _ in 0..<20_000 {
      for row in memory(4, after: Array(repeating: 0, count: 30), using: &rng) { counts[row] += 1 }
    }
    #expect(ChiSquare.inclusion(counts, sizes: Array(repeating: 4, count: 20_000)) < ChiSquare.limit(29))
  }

  @Test func `one slot follows the rule by hand`() {
    // Row 0 (class 0) fills the slot: class 0 is full. Row 1 (class 1) is of no full class and takes it. Row 2 (class 0)
    // is of a full class with m/n = 0/2 and is left out.
    var rng = Random(key: 4)
    #expect(memory(1, after: [0, 1, 0], using: &rng) == [1])
  }

  @Test(arguments: [2, 3])
  func `of several largest classes each gives a row equally often`(classes: Int) {
    // One row of each class fills the memory; a row of one class more takes the place of any of them.
    var (rng, given) = (Random(key: 6), Array(repeating: 0, count: classes))
    for _ in 0..<20_000 {
      let held = memory(classes, after: (0...Int32(classes)).map { $0 }, using: &rng)
      #expect(held.last == classes && held.count == classes)
      for row in 0..<classes where !held.contains(row) { given[row] += 1 }
    }
    #expect(ChiSquare.statistic(given, expected: 20_000 / Double(classes)) < ChiSquare.limit(classes - 1))
  }

  @Test func `more classes than slots leave one row each`() {
    var rng = Random(key: 5)
    let labels: [Int32] = (0..<80).map { $0 % 8 }
    let held = memory(3, after: labels, using: &rng)
    #expect(held.count == 3 && Set(held.map { labels[$0] }).count == 3)
  }

  private func memory(_ capacity: Int, after labels: [Int32], using rng: inout Random) -> [Int] {
    var memory = ClassBalanced()
    memory.limits.capacity = capacity
    return Fixture.held(memory, after: Fixture.batches(Fixture.numbered(labels), of: 9), using: &rng)
  }
}
