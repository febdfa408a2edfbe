import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct HyperplaneTests {
  private func law(_ seed: UInt64 = 3, _ change: (inout Hyperplane) -> Void = { _ in }) throws -> HyperplaneLaw {
    var plane = Hyperplane()
    change(&plane)
    return try #require(plane.generator(seed: Seed(seed)) as? HyperplaneLaw)
  }

  @Test func `p* is 1 - noise on the one side and noise on the other`() throws {
    var plane = Hyperplane()
    (plane.speed, plane.drifting, plane.rows.rowsPerTask, plane.rows.testRows) = (0.01, 10, 300, 300)
    let stream = try Classic.stream(plane)
    let law = try law { $0 = plane }
    for task in 0..<5 {
      func expected(_ rows: Rows, _ moment: (Int) -> ConceptMoment) -> [Float] {
        rows.inputRows.enumerated().map { place, x in
          let w = law.weights(at: moment(place))
          let sum = zip(w, x).reduce(0) { $0 + $1.0 * $1.1 }
          return sum >= w.reduce(0, +) / 2 ? 0.95 : 0.05
        }
      }
      let (training, test) = (stream.trainingRows(for: task), stream.evaluationSet(for: task).rows)
      #expect(training.truth == expected(training) { ConceptMoment(concept: task, row: 300 * task + $0) })
      #expect(test.truth == expected(test) { _ in ConceptMoment(concept: task, row: 300 * (task + 1)) })
    }
  }

  @Test func `nothing moves unless there is a speed`() throws {
    let law = try law()
    let (first, last) = (ConceptMoment(concept: 2, row: 0), ConceptMoment(concept: 2, row: 9000))
    #expect(law.weights(at: first) == law.weights(at: last))
    #expect(law.weights(at: first).allSatisfy { (0..<1).contains($0) })
    var still = Hyperplane()
    still.concepts = [1, 1]
    #expect(try #require(still.severity).totalVariation == [[0, 0], [0, 0]])
  }

  /// 10,000 rows: the share of turns varies by .003 about .1.
  @Test func `the first weights move by speed in each row, and turn round as often as is said`() throws {
    let law = try law { ($0.speed, $0.drifting) = (0.5, 3) }
    var turns = 0
    var (last, before) = (law.weights(at: ConceptMoment(concept: 0, row: 0)), [0.5, 0.5, 0.5])
    for row in 1...10_000 {
      let weights = law.weights(at: ConceptMoment(concept: 0, row: row))
      let change = zip(weights, last).map { $0 - $1 }
      #expect(change[..<3].allSatisfy { abs(abs($0) - 0.5) < 1e-9 } && change[3...].allSatisfy { $0 == 0 })
      turns += zip(change, before).count { $0 * $1 < 0 }
      (last, before) = (weights, Array(change[..<3]))
    }
    #expect(abs(Double(turns) / 30_000 - 0.1) < 4.5 * 0.00173)
    #expect(
      law.weights(at: ConceptMoment(concept: 0, row: 1))[0] > law.weights(at: ConceptMoment(concept: 0, row: 0))[0])
  }

  /// Over 40 seeds; a seed's distance varies by about a quarter of its mean. Ten weights at .001 a row give .045 after 1,000 rows, at .01
  /// .282 (60 draws each of an independent program).
  @Test(arguments: [(0.001, 0.045, 0.007), (0.01, 0.282, 0.045)]) func `speed makes distance`(
    speed: Double, expected: Double, tolerance: Double
  ) throws {
    var sum = 0.0
    for seed in 0..<40 {
      let law = try law(UInt64(seed)) {
        ($0.speed, $0.drifting, $0.rows.rowsPerTask, $0.concepts) = (speed, 10, 1000, [1])
      }
      let (old, new) = (ConceptMoment(concept: 0, row: 0), ConceptMoment(concept: 0, row: 1000))
      let (w, v) = (law.weights(at: old), law.weights(at: new))
      var differ = 0
      for point in 0..<2000 {
        let x = (0..<10).map { Seed(99).uniform(point, $0, seed) - 0.5 }
        func side(_ w: [Double]) -> Bool { zip(w, x).reduce(0) { $0 + $1.0 * $1.1 } >= 0 }
        differ += side(w) != side(v) ? 1 : 0
      }
      sum += 0.9 * Double(differ) / 2000
    }
    #expect(abs(sum / 40 - expected) < tolerance)
  }

  /// B is exact; where planes differ within .01 of 100,000 random points, each of which varies by .0016.
  @Test func `distances are those of the planes`() throws {
    let plane = Hyperplane()
    let truth = try #require(try Classic.truth(plane))
    #expect(truth.bayesAccuracy == [0.95, 0.95, 0.95, 0.95, 0.95])
    let law = try law()
    let weights = (0..<5).map { law.weights(at: ConceptMoment(concept: $0, row: 0)) }
    for (j, k) in [(0, 1), (1, 2), (0, 4)] {
      let differ = (0..<100_000).count { point in
        let x = (0..<10).map { Seed(7).uniform(point, $0, 0) - 0.5 }
        func side(_ w: [Double]) -> Bool { zip(w, x).reduce(0) { $0 + $1.0 * $1.1 } >= 0 }
        return side(weights[j]) != side(weights[k])
      }
      #expect(abs(truth.totalVariation[j][k] - 0.9 * Double(differ) / 100_000) < 0.009)
    }
  }

  @Test func `seeds draw planes of their own, and equal numbers are one plane`() throws {
    let (a, b) = (try law(3), try law(4))
    let first = ConceptMoment(concept: 0, row: 0)
    #expect(a.weights(at: first) != b.weights(at: first))
    let other = try law(3) { $0.concepts = [7, 1, 7] }
    #expect(other.weights(at: first) == other.weights(at: ConceptMoment(concept: 2, row: 0)))
    #expect(other.weights(at: ConceptMoment(concept: 1, row: 0)) == a.weights(at: first))
  }

  @Test func `the laws of scenarios hold`() throws {
    var plane = Hyperplane()
    (plane.rows.rowsPerTask, plane.rows.testRows, plane.speed) = (800, 2000, 0.002)
    #expect(try ScenarioLaws.violations(of: plane) == [])
  }

  @Test func `more moving weights than there are are refused`() {
    var plane = Hyperplane()
    (plane.drifting, plane.attributes) = (6, 5)
    #expect(
      Classic.error(plane)
        == ScenarioError(parameter: "drifting", "6 weights change, and there are 5. Take at most 5."))
  }
}
