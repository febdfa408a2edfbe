import Foundation
import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct LongLifeTests {
  private func stream(tasks: Int, test: Int = 1000) throws -> any DriftStream {
    var life = LongLife()
    (life.tasks, life.rows.testRows) = (tasks, test)
    return try Classic.stream(life)
  }

  /// The teacher written out, from the same random numbers.
  private struct WrittenOut {
    let order: [Int]
    let w: [[Double]]
    let v: [Double]
    let sample: [Double]

    init(_ seed: Seed) {
      var (order, rng) = (Array(0..<10), seed.stream("order"))
      rng.shuffle(&order)
      let w = (0..<10).map { input in
        (0..<12).map { 2.2 / 10.0.squareRoot() * Quantile.normal(seed.uniform(order[input], $0, 0)) }
      }
      let v = (0..<12).map { Quantile.normal(seed.uniform($0, 0, 1)) }
      (self.order, self.w, self.v) = (order, w, v)
      let drawn = seed.derived("sample")
      sample = (0..<1600).map { row in
        WrittenOut.z((0..<10).map { Double(Float(drawn.uniform(row, 0, $0))) }, w, v)
      }.sorted()
    }

    /// v · max(3 (x − ½) W, 0), W's rows being in the order of the columns already.
    static func z(_ x: [Double], _ w: [[Double]], _ v: [Double]) -> Double {
      var sum = 0.0
      for unit in 0..<12 {
        var inner = 0.0
        for column in 0..<10 { inner += (x[column] - 0.5) * w[column][unit] }
        sum += v[unit] * max(0, 3 * inner)
      }
      return sum
    }

    func chance(_ x: [Double]) -> Double {
      let median = (sample[799] + sample[800]) / 2
      return 1 / (1 + exp(-6 * (WrittenOut.z(x, w, v) - median) / Domain.deviation(sample)))
    }
  }

  @Test func `p* is the teacher's`() throws {
    let stream = try stream(tasks: 3)
    for task in 0..<3 {
      let teacher = WrittenOut(Seed(3).derived("long-life-teacher", task))
      let rows = stream.evaluationSet(for: task).rows
      #expect(close(rows.chances, rows.inputRows.map { teacher.chance($0) }, 1e-6))
      #expect(rows.labelsExcess < 35.6)
    }
  }

  /// 2.2²/10 over 40 · 120 weights: a variance varies by 2 %. 20,000 rows: a share of ½ varies by .0035, and the median of 1,600 rows by
  /// .0125 in rank.
  @Test func `teachers are balanced, certain to one degree and unlike each other`() throws {
    let weights = (0..<40).flatMap { WrittenOut(Seed(3).derived("long-life-teacher", $0)).w.flatMap { $0 } }
    #expect(abs(Domain.deviation(weights) / (2.2 / 10.0.squareRoot()) - 1) < 0.05)
    let stream = try stream(tasks: 6, test: 20_000)
    for task in 0..<6 {
      let rows = stream.evaluationSet(for: task).rows
      #expect(abs(Double(rows.chances.count { $0 >= 0.5 }) / 20_000 - 0.5) < 5 * 0.013)
      #expect(rows.inputRows.joined().allSatisfy { (0...1).contains($0) })
      let teacher = Teacher(6, Seed(3).derived("long-life-teacher", task))
      let odds = rows.inputRows.map { row in
        let p = teacher.chance(row.map { Float($0) })
        return min(30, max(-30, log(p / (1 - p))))
      }
      #expect(abs(Domain.deviation(odds) / 6 - 1) < 0.12)
    }
  }

  /// 60 teachers of a second program: .9072, deviation .0066 a teacher; the design has .905.
  @Test func `the best rule has nine of ten, and one for all hardly more than half`() throws {
    let truth = try #require(try stream(tasks: 200, test: 1).truth)
    // .0066 √(1/60 + 1/200) = .00097.
    #expect(abs(Domain.bayes(truth) - 0.9072) < 5 * 0.00097)
    #expect((0.5...0.54).contains(truth.jointCeiling))
    #expect(abs(Domain.trackerAccuracy(truth) - 0.5) < 0.03)
  }

  @Test func `truth is the mean over rows`() throws {
    let stream = try stream(tasks: 3, test: 20_000)
    let truth = try #require(stream.truth)
    for k in 0..<3 {
      let rows = stream.evaluationSet(for: k).rows
      for j in 0..<3 {
        let teacher = WrittenOut(Seed(3).derived("long-life-teacher", j))
        let q = rows.inputRows.map { teacher.chance($0) }
        let accuracy = Domain.mean(zip(q, rows.chances).map { $0 >= 0.5 ? $1 : 1 - $1 })
        #expect(abs(accuracy - truth.crossAccuracy[j][k]) < 0.015, "C[\(j), \(k)]")
        #expect(abs(Domain.mean(zip(q, rows.chances).map { abs($0 - $1) }) - truth.totalVariation[j][k]) < 0.015)
      }
    }
    let single = try #require(try self.stream(tasks: 1, test: 1).truth)
    #expect(abs(single.jointCeiling - single.bayesAccuracy[0]) < 1e-12)
  }

  @Test func `the law does not depend on how many rows are asked for`() throws {
    var life = LongLife()
    (life.tasks, life.rows.testRows) = (2, 50)
    let few = try Classic.stream(life)
    (life.tasks, life.rows.rowsPerTask, life.rows.testRows) = (5, 900, 80)
    let many = try Classic.stream(life)
    #expect(many.evaluationSet(for: 1).rows.chances.prefix(50) == few.evaluationSet(for: 1).rows.chances[...])
  }

  @Test func `the laws of scenarios hold`() throws {
    var life = LongLife()
    (life.tasks, life.rows.testRows) = (6, 4000)
    #expect(try ScenarioLaws.violations(of: life) == [])
  }

  @Test func `bad settings are refused with their place`() throws {
    let error = #expect(throws: ParameterError.self) { try LongLife(settings: ["tasks": .number("1001")]) }
    #expect(error?.description == "tasks: expected a whole number in [1, 1000], found 1001")
    #expect(throws: ParameterError.self) { try LongLife(settings: ["certainty": .number("-1")]) }
    var life = LongLife()
    (life.tasks, life.rows.testRows) = (1000, 100_000)
    #expect(
      Classic.error(life)
        == ScenarioError(
          parameter: "testRows",
          "1000 tasks of 600 + 100000 rows of 10 columns are more than 400000000 numbers. Take fewer rows."))
  }
}
