import PalimpsestCore
import PalimpsestExperiments
import PalimpsestRuns
import Testing

/// Runs counted by key, beside a dictionary.
struct RunNumbersTests {
  /// Keys that differ in few bits too: low ones, high ones, one half alone.
  private func keys(_ count: Int) -> [RunKey] {
    var rng = Random(key: 7)
    return (0..<count).map { place in
      switch place % 4 {
      case 0: RunKey(high: rng.next(), low: rng.next())
      case 1: RunKey(high: 0, low: UInt64(place))
      case 2: RunKey(high: UInt64(place) << 40, low: 5)
      default: RunKey(high: 3, low: UInt64(place) << 32)
      }
    }
  }

  @Test(arguments: [0, 1, 100, 5000]) func `numbers are those of the order in which runs come first`(capacity: Int) {
    var numbers = RunNumbers(minimumCapacity: capacity)
    var known: [RunKey: Int] = [:]
    let keys = keys(3000)
    for key in keys + keys.reversed() + keys.prefix(10) {
      let (number, isNew) = numbers.number(key)
      #expect(isNew == (known[key] == nil) && number == known[key, default: known.count])
      known[key] = number
    }
    #expect(numbers.count == 3000 && numbers.keys == keys)
  }

  /// In their order, in even steps forwards and backwards, by chance, and among some that never came.
  @Test func `a run is found in whatever order it is asked for`() {
    var numbers = RunNumbers(minimumCapacity: 16)
    let keys = keys(1001)
    for key in keys.prefix(900) { _ = numbers.number(key) }
    let steps = [1, 7, 1000, 500, 0].flatMap { step in (0..<2000).map { $0 * step % 1001 } }
    var rng = Random(key: 3)
    for place in steps + (0..<2000).map({ _ in Int(rng.next() % 1001) }) {
      #expect(numbers.known(keys[place]) == (place < 900 ? place : nil))
    }
  }
}
