import PalimpsestMetrics
import Testing

/// Probed figures worked by hand.
@Suite struct CalibrationTests {
  /// Two bins of five rows: 5 mod 2 = 1, so the first has 3. Sorted q: .1 .2 .3 | .6 .8, y: 0 1 0 | 1 1.
  /// q̄ = .2, .7; ȳ = 1/3, 1; gaps 2/15, 3/10. ECE = .6·2/15 + .4·.3 = .08 + .12 = .2.
  /// L2 = √(.6·4/225 + .4·.09) = √(.0106667 + .036) = √.0466667.
  /// Excess of bin 1: (1/3)(2/3)/2 = 1/9, of bin 2: 0. Debiased: .0466667 − .6/9 = −.02 → −√.02.
  /// Brier: (.01 + .64 + .09 + .16 + .04)/5 = .188.
  @Test func `bins of equal mass have these errors`() throws {
    let result = try #require(Calibration([0.8, 0.1, 0.3, 0.2, 0.6], [1, 0, 0, 1, 1], bins: 2))
    #expect(result.bins.map(\.count) == [3, 2])
    #expect(abs(result.error - 0.2) < 1e-12)
    #expect(abs(result.rootMeanSquare - (0.7 / 15).squareRoot()) < 1e-12)
    #expect(abs(result.debiased + 0.02.squareRoot()) < 1e-12)
    #expect(abs(result.brier - 0.188) < 1e-12)
  }

  /// All q are .5 and lie in the order given: bins {1, 1} and {0, 0} have gaps of a half each.
  @Test func `rows of equal probability stay in their order`() throws {
    let result = try #require(Calibration([0.5, 0.5, 0.5, 0.5], [1, 1, 0, 0], bins: 2))
    #expect(result.bins.map(\.frequency) == [1, 0] && result.error == 0.5)
  }

  /// 101 rows, 40 different q on both sides of 0 and far apart: the bins of a comparing sort.
  @Test func `bins are those of a stable sort`() throws {
    let q = (0..<101).map { (row: Int) -> Double in
      let size = row % 3 == 0 ? 1e-9 : 1e3
      return Double((row * 37) % 40 - 11) * size
    }
    let y = q.indices.map { Double($0 * 7 % 5 / 3) }
    let order = q.indices.sorted { (q[$0], $0) < (q[$1], $1) }
    let result = try #require(Calibration(q, y, bins: 4))
    func mean(_ numbers: [Double], _ rows: ArraySlice<Int>) -> Double {
      var sum = 0.0
      for row in rows { sum += numbers[row] }
      return sum / Double(rows.count)
    }
    for (bin, rows) in [order[..<26], order[26..<51], order[51..<76], order[76...]].enumerated() {
      #expect(result.bins[bin].confidence == mean(q, rows) && result.bins[bin].frequency == mean(y, rows))
    }
  }

  /// q = .5 + row mod 7 · 2⁻⁵⁰, all of which have one nearest 32-bit float: they are told apart, and equal ones keep their order.
  @Test func `probabilities that share a float are in order`() throws {
    let q = (0..<35).map { 0.5 + Double(($0 * 5) % 7) * 0x1p-50 }
    let y = q.indices.map { Double($0 % 2) }
    let order = q.indices.sorted { (q[$0], $0) < (q[$1], $1) }
    let result = try #require(Calibration(q, y, bins: 7))
    for bin in 0..<7 {
      let rows = order[(bin * 5)..<(bin * 5 + 5)]
      #expect(result.bins[bin].confidence == 0.5 + Double(bin) * 0x1p-50)
      #expect(result.bins[bin].frequency == rows.reduce(0) { $0 + y[$1] } / 5)
    }
  }

  /// Widths of a half: {.1, .4} with y 0 0 has the gap .25, {.5} with y 1 the gap .5: 2/3·.25 + 1/3·.5 = 1/3.
  @Test func `bins of equal width hold what lies in them`() throws {
    let result = try #require(Calibration([0.5, 0.1, 0.4], [1, 0, 0], bins: 2, .equalWidth))
    #expect(result.bins.map(\.count) == [2, 1] && abs(result.error - 1.0 / 3) < 1e-12)
  }

  @Test func `fewer rows than bins leave bins empty, and what is no number is refused`() throws {
    let result = try #require(Calibration([0.25, 0.75], [0, 1]))
    #expect(result.bins.map(\.count) == [1, 1] + [Int](repeating: 0, count: 13))
    #expect(result.error == 0.25 && result.debiased.isNaN && result.bins[2].confidence.isNaN)
    #expect(Calibration([], []) == nil && Calibration([.nan], [1]) == nil)
  }

  /// Labels 0 1 1 2; before 0 1 0 0, now 1 1 1 1: row 0 is lost, row 2 gained, row 3 wrong otherwise.
  @Test func `flips are counted among all rows`() throws {
    let flips = try #require(AnswerFlips(before: [0, 1, 0, 0], now: [1, 1, 1, 1], labels: [0, 1, 1, 2]))
    #expect(flips.negative == 0.25 && flips.positive == 0.25 && flips.churn == 0.75)
  }

  /// Negative flips of three tasks: [1, 0] .2; [2, 0] .1, [2, 1] .5, what stands at and above the diagonal does not count:
  /// (.2 + (.1 + .5)/2)/2 = .25.
  @Test func `the rate is of tasks learned before`() {
    var record = FlipRecord(tasks: 3)
    for (k, j, lost) in [(1, 0, 2), (1, 1, 9), (2, 0, 1), (2, 1, 5), (2, 2, 9)] {
      let now = (0..<10).map { Int32($0 < lost ? 1 : 0) }
      let zeros = [Int32](repeating: 0, count: 10)
      if let flips = AnswerFlips(before: zeros, now: now, labels: zeros) { record.take(flips, after: k, of: j) }
    }
    #expect(abs(record.rate - 0.25) < 1e-12)
  }

  /// Accuracies .5 .6 .7 .8 and, of 29 rows, 0. Place .1·3 = .3: .5 + .3·.1 = .53.
  @Test func `slices under 30 rows say nothing of the worst`() {
    let slices = [(30, 15), (29, 0), (30, 18), (30, 21), (30, 24)].map { rows, right in
      var slice = Slice()
      (slice.rows, slice.right) = (rows, right)
      return slice
    }
    #expect(Slice.worst(slices) == 0.5 && abs(Slice.tenthPercentile(slices) - 0.53) < 1e-12)
    #expect(Slice.worst([Slice()]).isNaN && Slice.tenthPercentile([]).isNaN)
  }
}
