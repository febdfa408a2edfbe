import PalimpsestMetrics
import Testing

@Suite struct ParetoFrontTests {
  private func front(_ numbers: [(Double, Double)]) -> ParetoFront {
    ParetoFront(numbers.map { ParetoFront.Candidate(cost: $0.0, worth: $0.1) })
  }

  /// (1, .5) and (3, .9) stand; (2, .4) is beaten by the first alone; (4, .8) by the second and by no other with more worth; (3, .7) too.
  @Test func `the front is what none beats, and each other names its best`() {
    let front = front([(1, 0.5), (2, 0.4), (3, 0.9), (4, 0.8), (3, 0.7)])
    #expect(front.isOnFront == [true, false, true, false, false])
    #expect(front.beatenBy == [nil, 0, nil, 2, 2])
  }

  @Test func `equals stand together, and what is not a number takes no part`() {
    let front = front([(1, 0.5), (1, 0.5), (.nan, 0.9), (1, .nan)])
    #expect(front.isOnFront == [true, true, false, false])
    #expect(front.beatenBy == [nil, nil, nil, nil])
  }

  /// (3 - 1) · .5 + (5 - 3) · .9 = 1 + 1.8; of (1, .5) alone up to 5: 4 · .5 = 2; beyond the reference nothing.
  @Test func `the hypervolume is the area up to the reference`() {
    #expect(abs(front([(1, 0.5), (3, 0.9), (4, 0.8)]).hypervolume(cost: 5, worth: 0) - 2.8) < 1e-12)
    #expect(front([(1, 0.5)]).hypervolume(cost: 5, worth: 0) == 2)
    #expect(front([(6, 0.5), (1, -0.5)]).hypervolume(cost: 5, worth: 0) == 0)
    #expect(front([]).hypervolume(cost: 5, worth: 0) == 0)
  }
}
