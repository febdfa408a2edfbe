import Foundation
import PalimpsestCore
import Testing

@Suite struct RandomTests {
  /// The generator with that state: its JSON is its four words.
  func generator(_ s0: UInt64, _ s1: UInt64, _ s2: UInt64, _ s3: UInt64) throws -> Random {
    let text = "{\"s0\":\(s0),\"s1\":\(s1),\"s2\":\(s2),\"s3\":\(s3)}"
    return try JSONDecoder().decode(Random.self, from: Data(text.utf8))
  }

  /// χ² of counts against equal ones, as a distance from its mean in standard deviations (mean k, variance 2k).
  func deviation(_ counts: [Int]) -> Double {
    let expected = Double(counts.reduce(0, +)) / Double(counts.count)
    let chiSquare = counts.reduce(0) { $0 + (Double($1) - expected) * (Double($1) - expected) / expected }
    let degrees = Double(counts.count - 1)
    return (chiSquare - degrees) / (2 * degrees).squareRoot()
  }

  /// The sequence of the authors' C code from the state 1, 2, 3, 4.
  @Test func `the sequence is that of the published generator`() throws {
    var rng = try generator(1, 2, 3, 4)
    let published: [UInt64] = [
      41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386, 9_228_616_714_210_784_205,
      9_973_669_472_204_895_162, 14_011_001_112_246_962_877, 12_406_186_145_184_390_807, 15_849_039_046_786_891_736,
      10_450_023_813_501_588_000,
    ]
    for value in published { #expect(rng.next() == value) }
  }

  /// By hand from the state 1, 2, 3, 4: rotl(1 + 4, 23) + 1 = 5 · 2²³ + 1.
  @Test func `the first number by hand`() throws {
    var rng = try generator(1, 2, 3, 4)
    #expect(rng.next() == (5 << 23) + 1)
  }

  /// SplitMix64 started at 1234567 gives 6457827717110365317 first: the published test value.
  @Test func `the state is filled by SplitMix64's finaliser`() throws {
    let data = try JSONEncoder().encode(Random(key: 1_234_567))
    let words = try JSONDecoder().decode([String: UInt64].self, from: data)
    #expect(words["s0"] == 6_457_827_717_110_365_317)
  }

  @Test func `a generator comes back from a checkpoint in the middle`() throws {
    var rng = Seed(3).stream("x")
    for _ in 0..<10 { _ = rng.next() }
    var again = try JSONDecoder().decode(Random.self, from: JSONEncoder().encode(rng))
    #expect(again == rng)
    #expect((0..<5).map { _ in again.next() } == (0..<5).map { _ in rng.next() })
  }

  @Test(arguments: [2, 3, 7, 100, 1000])
  func `an index is uniform below its bound`(bound: Int) {
    var rng = Seed(4).stream("index", bound)
    var counts = [Int](repeating: 0, count: bound)
    for _ in 0..<(1000 * bound).clamped(to: 20_000...400_000) { counts[rng.index(below: bound)] += 1 }
    #expect(abs(deviation(counts)) < 4.5)
  }

  /// Of the 2⁶⁴ words 8/3 fall on each value below 3 · 2⁶¹. A remainder would give the lower two thirds 3 words each and the
  /// upper third 2; a widening multiply that rejects nothing would give 3, 3 and 2 to the values of one residue modulo 3.
  @Test func `an index is unbiased even at huge bounds`() {
    var rng = Seed(5).stream("huge")
    let third = 1 << 61
    var byThird = [0, 0, 0]
    var byResidue = byThird
    for _ in 0..<60_000 {
      let index = rng.index(below: 3 * third)
      byThird[index / third] += 1
      byResidue[index % 3] += 1
    }
    #expect(abs(deviation(byThird)) < 4.5)
    #expect(abs(deviation(byResidue)) < 4.5)
  }

  @Test func `uniforms lie in their range and fill it evenly`() {
    var rng = Seed(6).stream("uniform")
    var counts = [Int](repeating: 0, count: 64)
    var floats = counts
    for _ in 0..<64_000 {
      let x = rng.uniform()
      let y = rng.uniformFloat()
      #expect(x >= 0 && x < 1 && y >= 0 && y < 1)
      counts[Int(x * 64)] += 1
      floats[Int(y * 64)] += 1
    }
    #expect(abs(deviation(counts)) < 4.5)
    #expect(abs(deviation(floats)) < 4.5)
  }

  /// Moments of 200,000 standard normals, each within 4.5 of its standard deviations, and the share within one deviation.
  @Test func `normals have the moments of the normal distribution`() {
    var rng = Seed(7).stream("normal")
    let n = 200_000.0
    var moments = [0.0, 0.0, 0.0, 0.0]
    var inside = 0.0
    for _ in 0..<Int(n) {
      let x = rng.normal()
      for (k, power) in [x, x * x, x * x * x, x * x * x * x].enumerated() { moments[k] += power / n }
      inside += abs(x) < 1 ? 1 / n : 0
    }
    // Variances of xᵏ: 1, 2, 15, 96.
    for (moment, (mean, variance)) in zip(moments, [(0.0, 1.0), (1, 2), (0, 15), (3, 96)]) {
      #expect(abs(moment - mean) < 4.5 * (variance / n).squareRoot())
    }
    #expect(abs(inside - 0.6826894921370859) < 4.5 * (0.6827 * 0.3173 / n).squareRoot())
  }

  /// All 24 orders of four values are equally likely; the naive exchange with any place would miss this by far.
  @Test func `every order is equally likely`() {
    var rng = Seed(8).stream("shuffle")
    var counts: [[Int]: Int] = [:]
    for _ in 0..<48_000 {
      var values = [0, 1, 2, 3]
      rng.shuffle(&values)
      counts[values, default: 0] += 1
    }
    #expect(counts.count == 24)
    #expect(abs(deviation(Array(counts.values))) < 4.5)
  }

  @Test func `the first places are a uniform sample without replacement in random order`() {
    var rng = Seed(9).stream("sample")
    var counts: [[Int]: Int] = [:]
    for _ in 0..<40_000 {
      var values = [0, 1, 2, 3, 4]
      rng.shuffle(&values, first: 2)
      #expect(values.sorted() == [0, 1, 2, 3, 4])
      counts[Array(values[..<2]), default: 0] += 1
    }
    #expect(counts.count == 20)
    #expect(abs(deviation(Array(counts.values))) < 4.5)
  }

  @Test func `shuffles of nothing, of one value and of no places change nothing`() {
    var rng = Seed(10).stream("edge")
    var empty: [Int] = []
    var one = [7]
    var three = [1, 2, 3]
    rng.shuffle(&empty)
    rng.shuffle(&one)
    rng.shuffle(&three, first: 0)
    #expect(empty.isEmpty && one == [7] && three == [1, 2, 3])
    #expect(rng == Seed(10).stream("edge"))
  }

  @Test func `a stream depends on seed, name and index, and on nothing else`() {
    func first(_ seed: Seed, _ name: String, _ index: Int = 0) -> [UInt64] {
      var rng = seed.stream(name, index)
      return (0..<4).map { _ in rng.next() }
    }
    let seed = Seed(11)
    #expect(first(seed, "reservoir") == first(Seed(11), "reservoir"))
    let others = [
      first(seed, "reservoir"), first(seed, "init"), first(seed, "reservoir", 1), first(seed, "reservoir", -1),
      first(Seed(12), "reservoir"), first(seed, "reservori"), first(seed, "reservoi"), first(seed, ""),
      first(seed.derived("reservoir"), ""),
    ]
    #expect(Set(others).count == others.count)
  }

  /// 64,000 pairs of one number from each of two streams: independent if the 8 × 8 table of their octants is even.
  @Test(arguments: [("data", 0, "order", 0), ("user", 0, "user", 1), ("a", 0, "b", 0)])
  func `streams of different names or indices are independent`(a: String, i: Int, b: String, j: Int) {
    var x = Seed(13).stream(a, i)
    var y = Seed(13).stream(b, j)
    var counts = [Int](repeating: 0, count: 64)
    for _ in 0..<64_000 { counts[x.index(below: 8) * 8 + y.index(below: 8)] += 1 }
    #expect(abs(deviation(counts)) < 4.5)
  }

  /// The first number of the streams of 64,000 successive seeds, and of 64,000 successive indices.
  @Test func `first numbers over successive seeds and indices are even`() {
    var bySeed = [Int](repeating: 0, count: 64)
    var byIndex = bySeed
    for k in 0..<64_000 {
      var x = Seed(UInt64(k)).stream("data")
      var y = Seed(14).stream("data", k)
      bySeed[x.index(below: 64)] += 1
      byIndex[y.index(below: 64)] += 1
    }
    #expect(abs(deviation(bySeed)) < 4.5)
    #expect(abs(deviation(byIndex)) < 4.5)
  }

  @Test func `numbers by coordinates are even in each of the three and do not repeat`() {
    let seed = Seed(15)
    for axis in 0..<3 {
      var counts = [Int](repeating: 0, count: 64)
      for k in 0..<64_000 {
        let at = [axis == 0 ? k : 5, axis == 1 ? k : 6, axis == 2 ? k : 7]
        counts[Int(seed.uniform(at[0], at[1], at[2]) * 64)] += 1
      }
      #expect(abs(deviation(counts)) < 4.5)
    }
    var seen: Set<UInt64> = []
    for a in -16..<16 { for b in -16..<16 { for c in -16..<16 { seen.insert(seed.bits(a, b, c)) } } }
    #expect(seen.count == 32 * 32 * 32)
    #expect(seed.bits(1, 2, 3) == Seed(15).bits(1, 2, 3))
    #expect(seed.bits(1, 2, 3) != Seed(16).bits(1, 2, 3))
  }
}

extension Int {
  fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
    Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
  }
}
