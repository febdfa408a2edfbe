import PalimpsestCore
import PalimpsestScenarios
import Testing

/// What a classifier makes of rows of two laws, against rules in closed form.
@Suite struct TwoSampleTests {
  /// Standard normal columns, moved and stretched.
  private func rows(_ count: Int, columns: Int = 2, _ name: String, mean: Double = 0, deviation: Double = 1) -> Matrix {
    var rng = Seed(7).stream("rows-\(name)")
    return Matrix((0..<count).map { _ in (0..<columns).map { _ in Float(mean + deviation * rng.normal()) } })
  }

  private func accuracy(_ a: Matrix, _ b: Matrix) -> Double {
    TwoSample(TwoSample.Sample(a), TwoSample.Sample(b)).accuracy
  }

  /// 4,096 answers: a share of ½ varies by .008, and a rule of five parameters loses less than that.
  @Test func `rows of one law cannot be told apart`() {
    #expect(abs(accuracy(rows(2048, "a"), rows(2048, "b")) - 0.5) < 0.03)
    let same = rows(300, "c")
    #expect(abs(accuracy(same, same) - 0.5) < 1e-12)
  }

  @Test func `a law with a row alone cannot be told from another`() {
    let (one, many) = (rows(1, columns: 10, "a"), rows(100, columns: 10, "b", mean: 5))
    #expect(accuracy(one, one) == 0.5 && accuracy(one, many) == 0.5 && accuracy(many, one) == 0.5)
    #expect(abs(accuracy(rows(2, columns: 10, "a"), many) - 1) < 1e-12)
    let none = Matrix(rows: 0, columns: 10)
    #expect(accuracy(none, many) == 0.5)
  }

  /// Of N(0, I) and N(δ, I) in two columns the best rule has Φ(|δ| / 2): δ = (1, 1), Φ(.70711) = .76025.
  @Test func `means that differ give the area under the normal law`() {
    #expect(abs(accuracy(rows(4000, "a"), rows(4000, "b", mean: 1)) - NormalArea.below(0.5.squareRoot())) < 0.02)
  }

  /// Of N(0, 1) and N(0, 9) the best rule parts at x² = 2 ln 3 · 9/8 = 2.4719, |x| = 1.5722, and has
  /// ½ (2Φ(1.5722) − 1) + ½ (2 − 2Φ(.52408)) = .7422.
  @Test func `spreads that differ are told by squares`() {
    let found = accuracy(rows(4000, columns: 1, "a"), rows(4000, columns: 1, "b", deviation: 3))
    #expect(abs(found - 0.7422) < 0.02)
  }

  /// Each of forty people has a mean of one's own, and the law nothing: rows of people who were learned from would be told apart.
  @Test func `who somebody is does not tell the law`() {
    func people(_ name: String) -> Matrix {
      var rng = Seed(11).stream("people-\(name)")
      return Matrix(
        (0..<40).flatMap { _ -> [[Float]] in
          let means = (0..<6).map { _ in 3 * rng.normal() }
          return (0..<50).map { _ in means.map { Float($0 + 0.3 * rng.normal()) } }
        })
    }
    let owners = (0..<2000).map { Int32($0 / 50) }
    let (a, b) = (people("a"), people("b"))
    let parted = TwoSample(TwoSample.Sample(a, owners: owners), TwoSample.Sample(b, owners: owners)).accuracy
    #expect(accuracy(a, b) > 0.6 && parted < accuracy(a, b) - 0.1)
  }

  @Test func `laws that every row tells apart are told apart`() {
    #expect(abs(accuracy(rows(200, "a"), rows(200, "b", mean: 50)) - 1) < 1e-12)
  }

  @Test func `it does not matter which law comes first, and equal calls give equal bits`() {
    let (a, b) = (rows(500, "a"), rows(700, "b", mean: 0.4))
    #expect(accuracy(a, b) == accuracy(a, b) && abs(accuracy(a, b) - accuracy(b, a)) < 0.005)
  }

  /// A column uniform in [−√3, √3] deviations, accepted with σ(s z), s = 2 and −2: the rule that looks at its sign has
  /// (ln(1 + e^{2√3}) − ln 2) / 2√3 = .80884.
  @Test func `a tilted column has its closed form, and what is not tilted one half`() throws {
    var sea = SEA()
    (sea.thresholds, sea.rows.rowsPerTask, sea.rows.testRows) = ([8], 10, 10)
    (sea.rows.shift.operator, sea.rows.shift.column, sea.rows.shift.strengths) = (.covariate, "x1", [2, -2, 2])
    let found = try #require(try Classic.truth(sea)?.distances?.twoSample)
    #expect(abs(found[0][1] - 0.80884) < 0.01 && found[0][1] == found[1][0])
    #expect(found[0][2] == 0.5 && found[1][1] == 0.5)
    var plain = SEA()
    (plain.rows.rowsPerTask, plain.rows.testRows) = (10, 10)
    let rules = try #require(try Classic.truth(plain)?.distances?.twoSample)
    #expect(rules.joined().allSatisfy { $0 == 0.5 })
  }

  @Test func `visible contexts of a habit are told apart, hidden ones hardly`() throws {
    func found(_ context: HabitPhases.Context) throws -> Double {
      var habits = HabitPhases()
      (habits.phases, habits.context, habits.jointCeiling, habits.users) = ([0, 1], context, .none, 2)
      return try #require(try Classic.truth(habits)?.distances?.twoSample)[0][1]
    }
    #expect(try found(.visible) > 0.9)
    #expect(try found(.hidden) < 0.65)
  }
}
