import PalimpsestCore
import PalimpsestStrategies
import Testing

@Suite struct ReservoirTests {
  private static let streams = 20_000

  @Test(arguments: [1, 7, 50])
  func `each of n rows is held with probability M over n`(batchSize: Int) {
    let (m, n) = (5, 50)
    let batches = Fixture.batches(Fixture.numbered(Array(repeating: 0, count: n)), of: batchSize)
    let counts = inclusions(n) { rng in Fixture.held(reservoir(m), after: batches, using: &rng) }
    #expect(ChiSquare.inclusion(counts, sizes: sizes(m)) < ChiSquare.limit(n - 1))
  }

  @Test func `each set of M rows is equally likely`() {
    // 3 of 7: 35 sets, so every pair and every triple is covered.
    let batches = Fixture.batches(Fixture.numbered(Array(repeating: 0, count: 7)), of: 3)
    var rng = Random(key: 11)
    var counts: [[Int]: Int] = [:]
    for _ in 0..<Self.streams { counts[Fixture.held(reservoir(3), after: batches, using: &rng), default: 0] += 1 }
    #expect(counts.count == 35)
    #expect(ChiSquare.statistic(Array(counts.values), expected: Double(Self.streams) / 35) < ChiSquare.limit(34))
  }

  @Test func `each pair is held with probability M(M − 1) over n(n − 1)`() {
    let (m, n) = (5, 20)
    let batches = Fixture.batches(Fixture.numbered(Array(repeating: 0, count: n)), of: 6)
    var rng = Random(key: 12)
    var counts = Array(repeating: 0, count: n * n)
    for _ in 0..<Self.streams {
      let held = Fixture.held(reservoir(m), after: batches, using: &rng)
      for a in held { for b in held where a < b { counts[a * n + b] += 1 } }
    }
    // p = 5 · 4 / (20 · 19) = 1/19; of 190 pairs one exceeds 4.7 standard deviations in 2,000 such tests.
    let p = 1.0 / 19
    let deviation = (Double(Self.streams) * p * (1 - p)).squareRoot()
    for a in 0..<n {
      for b in (a + 1)..<n { #expect(abs(Double(counts[a * n + b]) - Double(Self.streams) * p) < 4.7 * deviation) }
    }
  }

  @Test(arguments: PublishedReservoir.allCases)
  func `the test of the law tells published variants apart`(variant: PublishedReservoir) {
    let (m, n) = (5, 50)
    let counts = inclusions(n) { rng in variant.held(m, n, batch: 10, using: &rng) }
    let statistic = ChiSquare.inclusion(counts, sizes: sizes(m))
    #expect((statistic < ChiSquare.limit(n - 1)) == (variant == .exact))
  }

  @Test func `each class or task has a reservoir of its own`() {
    let labels: [Int32] = (0..<40).map { $0 % 4 == 0 ? 1 : 0 }
    let batch = Fixture.numbered(labels).batch
    var rng = Random(key: 13)
    var perClass = reservoir(6)
    perClass.limits.per = .perClass
    perClass.insert(batch, Fixture.context(), using: &rng)
    #expect(Fixture.content(perClass, columns: 1).labels.sorted() == [0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1])

    var perTask = reservoir(6)
    perTask.limits.per = .perTask
    perTask.insert(batch, Fixture.context(), using: &rng)
    perTask.insert(Fixture.numbered([0, 1, 0], task: 1, first: 40).batch, Fixture.context(task: 1), using: &rng)
    #expect(perTask.count == 9 && Fixture.numbers(perTask).suffix(3) == [40, 41, 42])
  }

  @Test func `rows of later passes are offered where that is asked for`() {
    let batch = Fixture.numbered([0, 1, 0]).batch
    var rng = Random(key: 14)
    var memory = reservoir(10)
    memory.insert(batch, Fixture.context(epoch: 0), using: &rng)
    memory.insert(batch, Fixture.context(epoch: 1), using: &rng)
    #expect(Fixture.numbers(memory) == [0, 1, 2])
    memory.insertion.insert = .everyEpoch
    memory.insert(batch, Fixture.context(epoch: 1), using: &rng)
    #expect(Fixture.numbers(memory) == [0, 0, 1, 1, 2, 2])
  }

  @Test func `draws are uniform and without replacement, from one step to the next`() {
    var memory = reservoir(5)
    var rng = Random(key: 15)
    memory.insert(Fixture.numbered([0, 0, 0, 0, 0]).batch, Fixture.context(), using: &rng)
    var counts = Array(repeating: 0, count: 25)
    var batch = Batch(columns: 1)
    for _ in 0..<Self.streams {
      batch.removeAll()
      memory.draw(2, into: &batch, using: &rng)
      counts[Int(batch.inputs[0, 0]) * 5 + Int(batch.inputs[1, 0])] += 1
    }
    let pairs = counts.filter { $0 > 0 }
    #expect(pairs.count == 20, "20 ordered pairs of 5")
    #expect(ChiSquare.statistic(pairs, expected: Double(Self.streams) / 20) < ChiSquare.limit(19))
  }

  @Test func `rows keep label, experience and weight`() {
    var batch = Fixture.numbered([1, 0, 1], task: 4, first: 7).batch
    batch.weights = [0.5, 2, 3]
    var rng = Random(key: 16)
    var memory = reservoir(3)
    memory.insert(batch, Fixture.context(), using: &rng)
    let held = Fixture.content(memory, columns: 1)
    for row in 0..<3 {
      let origin = Int(held.inputs[row, 0]) - 7
      #expect(held.labels[row] == batch.labels[origin] && held.weights[row] == batch.weights[origin])
      #expect(held.experiences[row] == 4)
    }
  }

  private func reservoir(_ capacity: Int) -> Reservoir {
    var memory = Reservoir()
    memory.limits.capacity = capacity
    return memory
  }

  private func sizes(_ m: Int) -> [Int] { Array(repeating: m, count: Self.streams) }

  /// How often each of n rows was held, over all streams.
  private func inclusions(_ n: Int, _ held: (inout Random) -> [Int]) -> [Int] {
    var rng = Random(key: 10)
    var counts = Array(repeating: 0, count: n)
    for _ in 0..<Self.streams { for row in held(&rng) { counts[row] += 1 } }
    return counts
  }
}

/// Algorithm R and the mistakes found in public toolkits.
enum PublishedReservoir: CaseIterable {
  case exact
  /// Row n + 1 is drawn among n values.
  case oneFewer
  /// Row n is drawn among n + 1 values.
  case oneMore
  /// All rows of a batch are drawn among the rows before it, and the last writer of a slot wins.
  case wholeBatch

  func held(_ m: Int, _ n: Int, batch: Int, using rng: inout Random) -> [Int] {
    var slots = Array(0..<m)
    for row in m..<n {
      let range =
        switch self {
        case .exact: row + 1
        case .oneFewer: row
        case .oneMore: row + 2
        case .wholeBatch: max(m, row / batch * batch)
        }
      let j = rng.index(below: range)
      if j < m { slots[j] = row }
    }
    return slots
  }
}
