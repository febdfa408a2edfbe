import PalimpsestReport
import Testing

/// Axes: where numbers lie, which of them are named and how.
@Suite struct ScaleTests {
  static let samples: [[Double]] = [
    [0.5, 0.9], [0, 1], [-0.3, 0.002], [0.7], [0], [-5, -5], [1e-9, 3e-9], [-1e12, 2e12], [0.61, 0.6100001],
    [3, 1, .nan, 2, .infinity],
  ]

  @Test(arguments: samples, [(0.0, 300.0), (262, 12)])
  func `an axis contains all its numbers, with air at both ends`(numbers: [Double], ends: (Double, Double)) throws {
    let scale = try #require(Scale(holding: numbers, from: ends.0, to: ends.1))
    let places = numbers.filter(\.isFinite).map(scale.place)
    #expect(places.allSatisfy { $0 > min(ends.0, ends.1) && $0 < max(ends.0, ends.1) })
    #expect(scale.place(scale.low) == ends.0 && abs(scale.place(scale.high) - ends.1) < 1e-9)
  }

  @Test(arguments: [[1.0, 2], [4000, 900_000], [7], [1e-6, 1e9], [0, -3, 12]])
  func `a logarithmic axis contains all numbers above 0`(numbers: [Double]) throws {
    let scale = try #require(Scale(holding: numbers, from: 0, to: 300, kind: .log))
    let usable = numbers.filter { $0 > 0 }
    #expect(usable.allSatisfy { scale.place($0) > 0 && scale.place($0) < 300 })
    #expect(numbers.filter { $0 <= 0 }.allSatisfy { scale.place($0).isNaN })
  }

  @Test func `without a number that can be drawn there is no axis`() {
    #expect(Scale(holding: [], from: 0, to: 1) == nil)
    #expect(Scale(holding: [.nan, .infinity], from: 0, to: 1) == nil)
    #expect(Scale(holding: [0, -1], from: 0, to: 1, kind: .log) == nil)
  }

  @Test func `equal ratios are equally long on a logarithmic axis`() throws {
    let scale = try #require(Scale(holding: [1, 1000], from: 0, to: 300, kind: .log))
    let decades = [1.0, 10, 100, 1000].map(scale.place)
    let lengths = zip(decades.dropFirst(), decades).map { $0 - $1 }
    #expect(lengths.allSatisfy { abs($0 - lengths[0]) < 1e-9 })
  }

  @Test(arguments: samples, [3, 5, 6, 10])
  func `ticks are round, even, within the axis and about as many as asked`(numbers: [Double], count: Int) throws {
    let scale = try #require(Scale(holding: numbers, from: 0, to: 300))
    let ticks = scale.ticks(about: count)
    #expect(ticks.count >= 1 && ticks.count <= count + 1)
    #expect(ticks.allSatisfy { $0 >= scale.low - 1e-9 * abs(scale.low) && $0 <= scale.high + 1e-9 * abs(scale.high) })
    guard ticks.count > 1 else { return }
    let step = ticks[1] - ticks[0]
    #expect(zip(ticks.dropFirst(), ticks).allSatisfy { abs($0 - $1 - step) < 1e-6 * step })
    var digits = step
    while digits < 0.99 { digits *= 10 }
    while digits > 9.99 { digits /= 10 }
    #expect([1, 2, 5].contains { abs(digits - $0) < 1e-3 }, "a step of \(step)")
  }

  @Test(
    arguments: [
      ([1000.0, 100_000], [1000.0, 10_000, 100_000]), ([100, 300], [100, 200]), ([1e3, 1e9], [1e3, 1e5, 1e7, 1e9]),
    ])
  func `ticks of a logarithmic axis are decades, or halves and fifths of few`(numbers: [Double], ticks: [Double]) throws
  {
    let scale = try #require(Scale(holding: numbers, from: 0, to: 300, kind: .log))
    #expect(scale.ticks(about: 5) == ticks)
  }

  @Test(arguments: [[900.0, 950], [3000, 3000], [1.3, 1.4]])
  func `a short logarithmic axis has a number too`(numbers: [Double]) throws {
    let scale = try #require(Scale(holding: numbers, from: 0, to: 300, kind: .log))
    #expect(!scale.ticks(about: 5).isEmpty)
  }

  @Test(
    arguments: [
      ([0.5, 0.6], ["0.5", "0.6"]), ([0, 0.05, 0.1], ["0.00", "0.05", "0.10"]),
      ([-0.1, 0, 0.1], ["\u{2212}0.1", "0.0", "0.1"]), ([0, 5000, 10_000], ["0", "5k", "10k"]),
      ([0, 500, 1000], ["0", "500", "1000"]), ([0, 2_500_000], ["0.0", "2.5M"]), ([2e9, 4e9], ["2G", "4G"]),
      ([1000, 10_000, 100_000], ["1k", "10k", "100k"]), ([0.1, 1, 10], ["0.1", "1", "10"]), ([], []),
      ([0.6], ["0.6"]),
    ] as [([Double], [String])])
  func `numbers beside ticks are written alike`(ticks: [Double], texts: [String]) { #expect(tickTexts(ticks) == texts) }

  @Test(arguments: samples)
  func `ticks that differ are written differently`(numbers: [Double]) throws {
    let scale = try #require(Scale(holding: numbers, from: 0, to: 300))
    let texts = tickTexts(scale.ticks(about: 5))
    #expect(Set(texts).count == texts.count, "\(texts)")
  }

  @Test(
    arguments: [
      (0.1432, "+14.3"), (-0.1432, "\u{2212}14.3"), (0, "0.0"), (0.0004, "0.0"), (-0.0004, "0.0"), (.nan, "–"),
    ])
  func `a difference in points has its sign`(x: Double, text: String) { #expect(pointsText(x) == text) }

  @Test(
    arguments: [(0.0, 3, "0.000"), (-0.0004, 3, "0.000"), (-1.5, 0, "\u{2212}2"), (12.3456, 2, "12.35"), (2, 1, "2.0")])
  func `a number has a true minus sign and no negative zero`(x: Double, places: Int, text: String) {
    #expect(decimalText(x, places: places) == text)
  }
}

/// Labels pushed apart.
@Suite struct ApartTests {
  @Test(
    arguments: [
      [10, 50, 90], [10, 10, 10], [0, 1, 2, 3], [95, 99, 100], [-50, 300], [100, 100, 100, 100], [50], [], [.nan, 20],
    ] as [[Double]])
  func `the order and the gap are kept within the ends`(places: [Double]) {
    let moved = apart(places, by: 13, from: 0, to: 100)
    #expect(moved.count == places.count)
    #expect(zip(moved.dropFirst(), moved).allSatisfy { $0 - $1 >= 13 - 1e-9 })
    #expect(moved.allSatisfy { $0 >= 0 && $0 <= 100 }, "\(moved)")
  }

  @Test func `what is far enough apart stays`() {
    #expect(apart([3, 20, 60], by: 13, from: 0, to: 100) == [3, 20, 60])
  }

  @Test func `where there is no room the gap is kept, and not the ends`() {
    let moved = apart([50, 50, 50, 50], by: 13, from: 0, to: 26)
    #expect(zip(moved.dropFirst(), moved).allSatisfy { $0 - $1 >= 13 - 1e-9 })
  }
}
