import PalimpsestCore
import PalimpsestStrategies
import Testing

@Suite struct CoreSetTests {
  @Test func `quotas share a capacity evenly and never exceed it`() {
    #expect(Quotas.even(10, among: [9, 9, 9]) == [4, 3, 3])
    #expect(Quotas.even(2, among: [9, 9, 9]) == [1, 1, 0])
    // 4, 3, 3 are offered, the first set has 1 row; the 3 left over become 2 and 1.
    #expect(Quotas.even(10, among: [1, 100, 100]) == [1, 5, 4])
    #expect(Quotas.even(10, among: [1, 2]) == [1, 2])
    #expect(Quotas.even(0, among: [3]) == [0])
    #expect(Quotas.even(5, among: []) == [])
    #expect(Quotas.even(.max, among: [3, 0, 4]) == [3, 0, 4])
  }

  @Test func `nothing is held before a task has ended, nor where nothing may be revisited`() {
    var rng = Random(key: 1)
    var memory = Herding()
    memory.insert(Fixture.numbered([0, 1]).batch, Fixture.context(), using: &rng)
    #expect(memory.count == 0 && memory.bytes == 0)
    memory.consolidate(Fixture.ended(Fixture.numbered([]), task: 0), using: &rng)
    #expect(memory.count == 0)
    memory.consolidate(Fixture.ended(Fixture.numbered([0, 1]), task: 1), using: &rng)
    memory.consolidate(Fixture.ended(Fixture.numbered([], task: 2), task: 2), using: &rng)
    #expect(memory.count == 2)
  }

  @Test func `a set that shrinks keeps its best rows`() throws {
    var rng = Random(key: 2)
    var memory = try KCentre(settings: ["capacity": .number("8"), "space": .string("input")])
    // Two classes of six rows: 0–5 and 6–11, interleaved; four rows each at first.
    let first = Rows(
      Matrix([[0], [6], [1], [7], [2], [8], [3], [9], [4], [10], [5], [11]]),
      labels: [0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1], experience: 0)
    memory.consolidate(Fixture.ended(first, task: 0), using: &rng)
    // Class 0: mean 2.5, row 2 is first (a tie with 3); then 5 (distance 3), 0 (2), then 1 (rows 1, 3, 4 are at 1).
    // Class 1 in the same way.
    #expect(Fixture.numbers(memory) == [0, 1, 2, 5, 6, 7, 8, 11])
    memory.consolidate(Fixture.ended(Fixture.numbered([0, 0, 0, 1, 1, 1], task: 1, first: 20), task: 1), using: &rng)
    // Two rows each: the first two of each order. Of 20, 21, 22 those are 21 and 20, of 23, 24, 25 they are 24 and 23.
    #expect(Fixture.numbers(memory) == [2, 5, 8, 11, 20, 21, 23, 24])
    memory.consolidate(Fixture.ended(Fixture.numbered([2], task: 2, first: 30), task: 2), using: &rng)
    // Five sets share 8 rows: 2, 2, 2, 1, 1.
    #expect(Fixture.numbers(memory) == [2, 5, 8, 11, 20, 21, 24, 30])
  }

  @Test func `a capacity for each task or class is shared within it`() throws {
    let tasks = [
      Fixture.numbered([0, 0, 0, 0, 1, 1, 1, 1], task: 0), Fixture.numbered([0, 0, 0, 2], task: 1, first: 10),
    ]
    for (per, expected) in [
      // Task 0: 2 and 1 rows. Task 1: class 2 has one row, so class 0 has 2.
      ("task", [0: [0, 0, 1], 1: [0, 0, 2]]),
      // Class 0 is shared by two tasks, 2 and 1 rows; class 1 has 3, class 2 has its one.
      ("class", [0: [0, 0, 1, 1, 1], 1: [0, 2]]),
    ] as [(String, [Int32: [Int32]])] {
      var rng = Random(key: 3)
      var memory = try Herding(settings: ["capacity": .number("3"), "per": .string(per)])
      for (index, task) in tasks.enumerated() { memory.consolidate(Fixture.ended(task, task: index), using: &rng) }
      let held = Fixture.content(memory, columns: 1)
      for (task, labels) in expected {
        let mine = (0..<held.count).filter { held.experiences[$0] == task }.map { held.labels[$0] }.sorted()
        #expect(mine == labels, "per \(per), task \(task)")
      }
    }
  }

  @Test func `a task that ends again is chosen anew`() throws {
    var rng = Random(key: 4)
    var memory = try KCentre(settings: ["capacity": .number("3"), "space": .string("input")])
    memory.consolidate(Fixture.ended(Fixture.numbered([0, 0, 0, 0]), task: 0), using: &rng)
    memory.consolidate(Fixture.ended(Fixture.numbered([0, 1], first: 50), task: 0), using: &rng)
    #expect(Fixture.numbers(memory) == [50, 51])
  }
}
