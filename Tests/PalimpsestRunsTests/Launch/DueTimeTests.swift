import PalimpsestRuns
import Testing

/// When a worker looks after its leases.
struct DueTimeTests {
  @Test func `it is time at first, after so long, and at once after a stop`() {
    let due = DueTime(every: .seconds(9.5))
    let start = ContinuousClock.now
    let asked = [0.0, 1, 9, 9.5, 10, 18.9, 19, 109, 110, 118.4, 118.5]
    let answers = asked.map { due.isDue(at: start + .seconds($0)) }
    #expect(answers == [true, false, false, true, false, false, true, true, false, false, true])
  }
}
