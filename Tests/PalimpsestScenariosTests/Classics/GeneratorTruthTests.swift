import PalimpsestCore
import PalimpsestScenarios
import Testing

/// What generators say of their laws, beside means over rows that they make.
@Suite struct GeneratorTruthTests {
  static let scenarios: [any GeneratorScenario] = [
    SEA(), Stagger(), SineCurves(), MixedInputs(), LEDDigits(), Waveforms(), Hyperplane(), RandomBases(), Agrawal(),
    moving(Hyperplane()), river(), CameraAlerts(), ThermoSeasons(),
    ActivityUsers(), classes(), GlucoseRegimes(), VibroFleet(), wearing(), KeyboardRegisters(), lives(),
  ]

  private static func moving(_ plane: Hyperplane) -> Hyperplane {
    var plane = plane
    (plane.concepts, plane.speed, plane.drifting) = ([1, 1, 1], 0.01, 10)
    return plane
  }

  private static func classes() -> ActivityUsers {
    var activity = ActivityUsers()
    activity.composition = .classes
    return activity
  }

  private static func wearing() -> VibroWear {
    var wear = VibroWear()
    (wear.cycles, wear.cycleDays, wear.rowsPerDay) = (1, 100, 10)
    return wear
  }

  private static func lives() -> LongLife {
    var life = LongLife()
    life.tasks = 4
    return life
  }

  private static func river() -> Agrawal {
    var agrawal = Agrawal()
    (agrawal.variant, agrawal.concepts, agrawal.noise) = (.river, [5, 7, 10, 9], 0.1)
    return agrawal
  }

  /// 8,000 rows a task: a mean of numbers in [0, 1] varies by at most .0056; sampled truths by less than .005.
  @Test(arguments: scenarios) func `truth is the mean over rows`(scenario: any GeneratorScenario) throws {
    let scenario = scenario.with { ($0.rowsPerTask, $0.testRows) = (500, 8000) }
    let stream = try Classic.stream(scenario)
    let generator = scenario.generator(seed: Seed(3))
    let truth = try #require(stream.truth)
    for k in stream.experiences.indices {
      let rows = stream.evaluationSet(for: k).rows
      let drawn = inputs(generator, rows, task: k)
      for j in stream.experiences.indices {
        let means = means(generator, drawn, own: k, other: j)
        #expect(abs(means.accuracy - truth.crossAccuracy[j][k]) < 0.02, "C[\(j), \(k)]")
        #expect(abs(means.variation - truth.totalVariation[j][k]) < 0.02, "TV[\(j), \(k)]")
        #expect(abs(means.hellinger - truth.hellinger[j][k]) < 0.02, "H[\(j), \(k)]")
      }
    }
  }

  /// Inputs as they are drawn: scaled ones are scaled back.
  private func inputs(_ generator: any ConceptGenerator, _ rows: Rows, task: Int) -> [[Float]] {
    rows.inputRows.map { row in
      row.enumerated().map { column, x in
        guard !generator.scales.isEmpty else { return Float(x) }
        guard case .column(let shift, let divisor) = generator.scales[generator.scales.count == 1 ? 0 : column] else {
          return .nan
        }
        let value = Float(x) * divisor + shift
        // Whole numbers are whole again.
        return abs(value - value.rounded()) < 1e-4 ? value.rounded() : value
      }
    }
  }

  private func means(
    _ generator: any ConceptGenerator, _ rows: [[Float]], own: Int, other: Int
  ) -> (accuracy: Double, variation: Double, hellinger: Double) {
    func moment(_ task: Int) -> ConceptMoment { ConceptMoment(concept: task, row: (task + 1) * 500) }
    var (accuracy, variation, hellinger) = (0.0, 0.0, 0.0)
    for row in rows {
      let p = generator.probabilities(row, moment(own)) ?? []
      let q = generator.probabilities(row, moment(other)) ?? []
      let best = q.count == 2 ? (q[1] >= 0.5 ? 1 : 0) : q.indices.max { q[$0] < q[$1] } ?? 0
      accuracy += p[best]
      variation += zip(p, q).reduce(0) { $0 + abs($1.0 - $1.1) } / 2
      hellinger += max(0, 1 - zip(p, q).reduce(0) { $0 + ($1.0 * $1.1).squareRoot() }).squareRoot()
    }
    let count = Double(rows.count)
    return (accuracy / count, variation / count, hellinger / count)
  }
}
