import PalimpsestMetrics
import Testing

@Suite struct PeopleSummaryTests {
  /// Worked out from the closed form in another language.
  @Test(arguments: [
    (3, 10, 0.107791267, 0.603221853), (0, 20, 0, 0.161125158), (20, 20, 0.838874842, 1),
    (1, 600, 0.000294268, 0.00937956),
    (216, 600, 0.322595349, 0.399185927),
  ])
  func `Wilson's interval is the published one`(count: Int, total: Int, lower: Double, upper: Double) {
    let interval = WilsonInterval(count, of: total)
    #expect(interval.share == Double(count) / Double(total))
    #expect(abs(interval.lower - lower) < 1e-8 && abs(interval.upper - upper) < 1e-8, "\(interval)")
  }

  @Test func `of nobody nothing is known`() {
    let nobody = WilsonInterval(0, of: 0)
    #expect(nobody.share.isNaN && nobody.lower.isNaN && nobody.upper.isNaN)
    let empty = PeopleSummary([])
    #expect(empty.mean.isNaN && empty.median.isNaN && empty.tenth.isNaN && empty.worstTenth.isNaN && empty.worst.isNaN)
  }

  @Test func `the numbers of eleven people by hand`() {
    let gains = [0.05, -0.02, 0.01, 0.00, 0.03, -0.005, 0.02, 0.04, 0.06, -0.04, 0.07]
    let summary = PeopleSummary(gains)
    #expect(abs(summary.mean - 0.215 / 11) < 1e-15)
    #expect(summary.median == 0.02)
    // Sorted: −.04 −.02 −.005 0 …; place 1.
    #expect(abs(summary.tenth + 0.02) < 1e-15)
    // ⌈11/10⌉ = 2 smallest.
    #expect(abs(summary.worstTenth + 0.03) < 1e-15)
    #expect(summary.worst == -0.04)
    #expect(summary.worse == WilsonInterval(3, of: 11) && summary.worseByPoint == WilsonInterval(2, of: 11))
  }
}
