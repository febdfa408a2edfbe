import Foundation
import PalimpsestMetrics
import Testing

/// What hidden units say, against numbers by hand and by NumPy.
@Suite struct LayerActivityTests {
  /// 12 rows of 5 units: three at work, one that is barely awake on one row, one that is dead.
  private var activity: LayerActivity? {
    var values: [Float] = []
    for row in 0..<12 {
      for unit in 0..<3 { values.append(Float(max(0, (row * 7 + unit * 3) % 11 - 3))) }
      values += [row == 0 ? 0.01 : 0, 0]
    }
    return LayerActivity(values, units: 5)
  }

  private var other: LayerActivity? {
    var values: [Float] = []
    for row in 0..<12 { for unit in 0..<3 { values.append(Float((row * 5 + unit * 2) % 7)) } }
    return LayerActivity(values, units: 3)
  }

  /// Mean sizes 2.33 2.33 2.58 .0008 0, of the layer 1.45: .036 and less is dormant.
  @Test func `dormant units are the quiet ones, dead ones among them`() throws {
    let activity = try #require(activity)
    #expect(activity.dormantShare == 0.4 && activity.deadShare == 0.2)
  }

  /// numpy.linalg.svd, with .01 as it is.
  @Test func `ranks are those of the singular values`() throws {
    let activity = try #require(activity)
    #expect(abs(activity.effectiveRank - 2.908886147442789) < 1e-6)
    #expect(abs(activity.stableRank - 1.7716423798218475) < 1e-9)
  }

  /// Orthogonal columns of lengths 2, 2, 1: s̄ .4 .4 .2, entropy −.8 ln .4 − .2 ln .2 = 1.05492, its exponential 2.87175; 9/4.
  @Test func `ranks by hand`() throws {
    let activity = try #require(LayerActivity([2, 0, 0, 0, 2, 0, 0, 0, 1], units: 3))
    #expect(abs(activity.effectiveRank - 2.8717459) < 1e-7 && abs(activity.stableRank - 2.25) < 1e-12)
    let silent = try #require(LayerActivity([0, 0, 0, 0], units: 2))
    #expect(silent.effectiveRank.isNaN && silent.stableRank.isNaN)
    #expect(silent.dormantShare == 1 && silent.deadShare == 1)
  }

  /// NumPy, with columns centred.
  @Test func `similarity is linear CKA, the same both ways`() throws {
    let (x, y) = (try #require(activity), try #require(other))
    #expect(abs(x.similarity(to: y) - 0.111712999225786) < 1e-7)
    #expect(abs(x.similarity(to: y) - y.similarity(to: x)) < 1e-14)
  }

  /// Columns turned by the angle whose cosine is .6 and made three times as long, and moved.
  @Test func `a layer is like itself, turned, stretched and moved`() throws {
    let y = try #require(other)
    var turned: [Float] = []
    for row in 0..<12 {
      let (a, b, c) = (y.values[row * 3], y.values[row * 3 + 1], y.values[row * 3 + 2])
      let (first, second): (Float, Float) = (0.6 * a - 0.8 * b, 0.8 * a + 0.6 * b)
      turned += [3 * first + 1, 3 * second - 2, 3 * c]
    }
    let same = try #require(LayerActivity(turned, units: 3))
    #expect(abs(y.similarity(to: y) - 1) < 1e-12 && abs(y.similarity(to: same) - 1) < 1e-6)
    let constant = try #require(LayerActivity([Float](repeating: 2, count: 12), units: 1))
    #expect(y.similarity(to: constant).isNaN)
  }

  @Test func `what is no layer is refused`() {
    #expect(LayerActivity([], units: 1) == nil && LayerActivity([1, 2, 3], units: 2) == nil)
    #expect(LayerActivity([.nan], units: 1) == nil && LayerActivity([1], units: 0) == nil)
  }

  /// 1 on the diagonal and beside it: the singular values are 2 cos(kπ/(2n + 1)).
  @Test(arguments: [1, 2, 3, 7, 30, 64])
  func `the effective rank of a matrix whose singular values are known`(n: Int) throws {
    var values: [Float] = []
    for i in 0..<n { for j in 0..<n { values.append(j == i || j == i + 1 ? 1 : 0) } }
    let activity = try #require(LayerActivity(values, units: n))
    let roots = (1...n).map { 2 * cos(Double($0) * .pi / Double(2 * n + 1)) }
    let shares = roots.map { $0 / roots.reduce(0, +) }
    let entropy = -shares.reduce(0) { $0 + $1 * log($1) }
    let squares = roots.reduce(0) { $0 + $1 * $1 }
    #expect(abs(activity.effectiveRank - exp(entropy)) < 1e-9 * Double(n))
    #expect(abs(activity.stableRank - squares / (roots[0] * roots[0])) < 1e-9 * Double(n))
  }
}
