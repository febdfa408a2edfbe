import PalimpsestCore
import PalimpsestScenarios
import Testing

/// p of a row whose concept is not told.
@Suite struct MixtureTests {
  private func even<S: GeneratorScenario>(_ scenario: S, rows: Int = 8000) throws -> any DriftStream {
    try Classic.stream(
      scenario.with {
        ($0.rowsPerTask, $0.testRows) = (rows, 10)
        ($0.schedule.name, $0.schedule.amplitude) = (.seasonal, 0)
      })
  }

  /// Thresholds 8 and 5 with equal shares: below 5 .1, between them (.9 + .1)/2, above .9. Of 16,000 rows 2,000 lie below 5 and 3,120
  /// between; the rate of labels varies by at most .009.
  @Test func `where densities cancel it is the mean by shares, and labels follow it`() throws {
    var sea = SEA()
    (sea.thresholds, sea.scale) = ([8, 5], .none)
    let stream = try even(sea)
    var groups: [Double: (ones: Int, rows: Int)] = [:]
    for task in 0..<2 {
      let (rows, mixture) = (stream.trainingRows(for: task), try #require(stream.mixture(for: task)))
      for (row, x) in rows.inputRows.enumerated() {
        let sum = x[0] + x[1]
        let p = sum > 8 ? 0.9 : sum > 5 ? 0.5 : 0.1
        #expect(abs(Double(mixture[row, 1]) - p) < 1e-6 && abs(mixture[row, 0] + mixture[row, 1] - 1) < 1e-6)
        groups[p, default: (0, 0)].ones += Int(rows.labels[row])
        groups[p, default: (0, 0)].rows += 1
      }
    }
    for (p, group) in groups {
      let slack = 4.5 * (p * (1 - p) / Double(group.rows)).squareRoot()
      #expect(abs(Double(group.ones) / Double(group.rows) - p) < slack, "p \(p)")
    }
  }

  static let scenarios: [any GeneratorScenario] = [
    LEDDigits(), Waveforms(), bases(2), bases(4), CameraAlerts(), ThermoSeasons(),
  ]

  private static func bases(_ classes: Int) -> RandomBases {
    var bases = RandomBases()
    (bases.concepts, bases.attributes, bases.centres, bases.classes) = ([1, 2, 3], 3, 6, classes)
    return bases
  }

  /// Labels beside p of each label in ten groups of p: Σ (y − p) of a group is within 4.5 deviations. The concept that made a row follows
  /// the same weights, so p* has the mean of p in each group.
  @Test(arguments: scenarios) func `labels follow it where rows tell of their concept`(scenario: any GeneratorScenario)
    throws
  {
    let stream = try even(scenario, rows: 3000)
    var (sums, variances) = ([Double](repeating: 0, count: 10), [Double](repeating: 0, count: 10))
    var (best, own) = (0.0, 0.0)
    for task in stream.experiences.indices {
      let (rows, mixture) = (stream.trainingRows(for: task), try #require(stream.mixture(for: task)))
      for row in 0..<rows.count {
        let p = mixture.row(row).map(Double.init)
        #expect(abs(p.reduce(0, +) - 1) < 1e-5)
        for (label, p) in p.enumerated() {
          let group = min(9, Int(10 * p))
          sums[group] += (rows.labels[row] == label ? 1 : 0) - p
          variances[group] += p * (1 - p)
        }
        best += p.max() ?? 0
        own += rows.worth(of: 0, toRow: row)?.best ?? .nan
      }
    }
    for group in 0..<10 { #expect(abs(sums[group]) <= 4.5 * variances[group].squareRoot() + 1e-3, "group \(group)") }
    // Who knows the concept scores more.
    #expect(best < own)
  }

  @Test func `where the concept is told by the schedule, it is p* itself`() throws {
    for name in [ScheduleSettings.Name.markov, .recurring, .incremental] {
      let stream = try Classic.stream(SEA().with { ($0.rowsPerTask, $0.testRows, $0.schedule.name) = (300, 10, name) })
      for task in 0..<4 {
        let mixture = try #require(stream.mixture(for: task))
        #expect((0..<300).map { mixture[$0, 1] } == stream.trainingRows(for: task).truth)
      }
    }
    #expect(try Classic.stream(SEA()).mixture(for: 0) == nil)
    var unknown = Agrawal()
    (unknown.perturbation, unknown.rows.rowsPerTask, unknown.rows.schedule.name) = (0.1, 100, .gaussian)
    #expect(try Classic.stream(unknown).mixture(for: 0) == nil)
  }
}
