import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct HabitOracleTests {
  /// All oracles again, from the rows as a learner gets them and the laws.
  @Test func `oracles are means over the run's own test rows`() throws {
    let course = try Habit.small()
    let stream = course.makeStream(seed: Seed(21))
    let truth = try #require(stream.truth)
    for k in 0..<5 {
      let rows = stream.evaluationSet(for: k).rows
      let x = features(rows)
      let p = x.map(course.laws[k].probability)
      #expect(zip(p, try #require(rows.truth)).allSatisfy { Float($0) == $1 })
      #expect(abs(truth.bayesAccuracy[k] - mean(p.map { max($0, 1 - $0) })) < 1e-12)
      #expect(truth.bayesAccuracy[k] == truth.crossAccuracy[k][k])
      for j in 0..<5 {
        let q = x.map(course.laws[j].probability)
        let pairs = Array(zip(p, q))
        let root = { (x: Double) in x.squareRoot() }
        let hellinger = pairs.map { p, q in root(max(0, 1 - root(p * q) - root((1 - p) * (1 - q)))) }
        #expect(abs(truth.crossAccuracy[j][k] - mean(pairs.map { p, q in q >= 0.5 ? p : 1 - p })) < 1e-12)
        #expect(abs(truth.totalVariation[j][k] - mean(pairs.map { abs($0 - $1) })) < 1e-12)
        #expect(abs(truth.hellinger[j][k] - mean(hellinger)) < 1e-9)
      }
    }
  }

  private func features(_ rows: Rows) -> [HabitFeatures] {
    let inputs = rows.batch.inputs
    return (0..<rows.count).map { row in
      var x = HabitFeatures()
      (x.streak, x.completionRate, x.launches) = (inputs[row, 0], inputs[row, 1], inputs[row, 2])
      (x.remindersOpened, x.hour, x.weekend, x.gap) = (inputs[row, 3], inputs[row, 4], inputs[row, 5], inputs[row, 6])
      return x
    }
  }

  /// For binary labels 1 − √(1 − TV²) ≥ H² and H² ≤ TV ≤ √2·H at every row, so C_kk − C_jk ≤ 2 TV and both hold for means.
  @Test func `no rule beats a task's own and distances bound the loss`() throws {
    let truth = try #require(Habit.visible?.truth)
    for j in 0..<5 {
      #expect(truth.totalVariation[j][j] == 0)
      for k in 0..<5 {
        #expect(truth.crossAccuracy[j][k] <= truth.crossAccuracy[k][k])
        #expect(truth.crossAccuracy[k][k] - truth.crossAccuracy[j][k] <= 2 * truth.totalVariation[j][k])
        #expect(truth.totalVariation[j][k] <= 2.0.squareRoot() * truth.hellinger[j][k] + 1e-12)
      }
    }
  }

  @Test func `without an estimate the ceiling is not a number`() throws {
    let truth = try #require(Habit.small().makeStream(seed: Seed(1)).truth)
    #expect(truth.jointCeiling.isNaN && truth.ambiguityGap.isNaN)
  }
}
