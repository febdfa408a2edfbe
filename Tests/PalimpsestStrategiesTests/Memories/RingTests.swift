import PalimpsestCore
import PalimpsestStrategies
import Testing

@Suite struct RingTests {
  @Test func `the latest rows are held`() {
    var ring = Ring()
    ring.limits.capacity = 4
    var rng = Random(key: 1)
    for (n, expected) in [(3, [0, 1, 2]), (4, [0, 1, 2, 3]), (6, [2, 3, 4, 5]), (11, [7, 8, 9, 10])] {
      let batches = Fixture.batches(Fixture.numbered(Array(repeating: 0, count: n)), of: 3)
      #expect(Fixture.held(ring, after: batches, using: &rng) == expected)
    }
  }

  @Test func `each class has a ring of its own`() {
    var ring = Ring()
    ring.limits.capacity = 2
    ring.limits.per = .perClass
    var rng = Random(key: 2)
    // Rows 0, 3, 5, 6 are of class 0; 1, 4 of class 1; 2 of class 2.
    ring.insert(Fixture.numbered([0, 1, 2, 0, 1, 0, 0]).batch, Fixture.context(), using: &rng)
    #expect(Fixture.numbers(ring) == [1, 2, 4, 5, 6])
  }

  @Test func `a capacity in bytes is kept to the byte`() {
    var ring = Ring()
    ring.limits.unit = .bytes
    ring.limits.capacity = 47
    var rng = Random(key: 3)
    ring.insert(Fixture.numbered([0, 1, 0, 1, 0]).batch, Fixture.context(), using: &rng)
    // A row of 1 column costs 12 bytes: 3 rows, 36 bytes.
    #expect(Fixture.numbers(ring) == [2, 3, 4] && ring.bytes == 36)
  }
}
