import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct RandomBasesTests {
  private func bases(_ change: (inout RandomBases) -> Void) -> RandomBases {
    var bases = RandomBases()
    (bases.concepts, bases.rows.rowsPerTask, bases.rows.testRows) = ([1], 10, 40_000)
    change(&bases)
    return bases
  }

  /// Labels beside p*, in ten groups of p*: Σ (y − p)² / Σ p (1 − p) has ten degrees of freedom, 35.6 is passed once in 10,000.
  /// What the best rule is predicted to score and what it scores on the labels lie within 4.5 deviations.
  @Test(arguments: [(10, 50), (4, 20), (2, 6), (1, 3)]) func `labels follow p*`(columns: Int, centres: Int) throws {
    let stream = try Classic.stream(bases { ($0.attributes, $0.centres) = (columns, centres) })
    let rows = stream.evaluationSet(for: 0).rows
    let truth = try #require(rows.truth).map(Double.init)
    var groups = [(excess: Double, variance: Double)](repeating: (0, 0), count: 10)
    var (right, expected, variance) = (0.0, 0.0, 0.0)
    for (y, p) in zip(rows.labels, truth) {
      let group = min(9, Int(p * 10))
      groups[group].excess += Double(y) - p
      groups[group].variance += p * (1 - p)
      right += (p >= 0.5) == (y == 1) ? 1 : 0
      expected += max(p, 1 - p)
      variance += p * (1 - p)
    }
    #expect(groups.reduce(0) { $0 + ($1.variance > 0 ? $1.excess * $1.excess / $1.variance : 0) } < 35.6)
    #expect(abs(right - expected) < 4.5 * variance.squareRoot())
    #expect(abs(try #require(stream.truth).bayesAccuracy[0] - expected / 40_000) < 1e-6)
  }

  /// As observed by the design's own draws: .977 and .916, which vary from draw to draw.
  @Test func `fifty centres in ten dimensions are nearly certain, twenty in four less`() throws {
    func mean(_ columns: Int, _ centres: Int) throws -> Double {
      let scores = try (0..<6).map { seed in
        let scenario = bases { ($0.attributes, $0.centres, $0.rows.testRows) = (columns, centres, 2000) }
        return try Classic.stream(scenario, seed: UInt64(seed)).truth?.bayesAccuracy[0] ?? .nan
      }
      return scores.reduce(0, +) / 6
    }
    let (many, few) = (try mean(10, 50), try mean(4, 20))
    #expect((0.95...0.99).contains(many) && (0.85...0.96).contains(few) && few < many)
  }

  @Test func `classes beyond two carry all their probabilities`() throws {
    let stream = try Classic.stream(bases { ($0.classes, $0.attributes, $0.rows.testRows) = (4, 3, 3000) })
    #expect(stream.shape == TaskShape(inputs: 3, outputs: 4))
    let rows = stream.evaluationSet(for: 0).rows
    #expect(rows.truth == nil && rows.probabilities?.columns == 4)
  }

  @Test(arguments: [2, 3]) func `the laws of scenarios hold`(classes: Int) throws {
    let scenario = bases {
      ($0.concepts, $0.classes, $0.attributes) = ([1, 2, 1], classes, 3)
      ($0.rows.rowsPerTask, $0.rows.testRows, $0.speed) = (800, 2000, 0.0005)
      ($0.rows.transition, $0.rows.width) = (.sigmoid, 300)
    }
    #expect(try ScenarioLaws.violations(of: scenario) == [])
  }

  @Test func `centres stay unless there is a speed, and then move on through all tasks`() throws {
    func distances(_ speed: Double, _ drifting: Int?) throws -> [Double] {
      let scenario = bases {
        ($0.concepts, $0.rows.rowsPerTask, $0.rows.testRows) = ([1, 1, 1], 500, 500)
        ($0.speed, $0.drifting) = (speed, drifting)
      }
      return try #require(try Classic.truth(scenario)).totalVariation[0]
    }
    #expect(try distances(0, nil) == [0, 0, 0])
    #expect(try distances(0.001, 0) == [0, 0, 0])
    let (few, all) = (try distances(0.001, 5), try distances(0.001, nil))
    #expect(all[1] > 0.05 && few[1] > 0 && few[1] < all[1])
  }

  /// Straight out and back again: reflected at 1 and 0. One column: the direction is the column itself, so 2/speed rows are a
  /// whole way there and back, and the rows' law is the first one's.
  @Test func `centres are reflected at the walls`() throws {
    let scenario = bases {
      ($0.concepts, $0.attributes, $0.centres) = ([1, 1, 1], 1, 8)
      ($0.rows.rowsPerTask, $0.rows.testRows, $0.speed) = (250, 400, 0.004)
    }
    let truth = try #require(try Classic.truth(scenario))
    #expect(truth.totalVariation[0][2] < 1e-6 && truth.totalVariation[0][1] > 0.05)
  }

  @Test func `more moving centres than there are are refused`() {
    #expect(
      Classic.error(bases { ($0.centres, $0.drifting) = (5, 6) })
        == ScenarioError(parameter: "drifting", "6 centres move, and there are 5. Take at most 5."))
  }
}
