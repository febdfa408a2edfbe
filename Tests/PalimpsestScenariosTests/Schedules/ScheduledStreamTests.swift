import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// Scenarios whose rows a generator makes, under every schedule.
@Suite struct ScheduledStreamTests {
  private static func settings(_ change: (inout ScheduleSettings) -> Void) -> ScheduleSettings {
    var settings = ScheduleSettings()
    change(&settings)
    return settings
  }

  static let schedules: [ScheduleSettings] = [
    settings { ($0.name, $0.at) = (.inTurn, [100, 1900]) },
    settings { ($0.name, $0.order) = (.recurring, [0, 2, 1, 2]) },
    settings { ($0.name, $0.amplitude) = (.seasonal, 0.9) }, settings { ($0.name, $0.stay) = (.markov, 0.97) },
    settings { $0.name = .gaussian }, settings { ($0.name, $0.period) = (.periodicGaussian, 400) },
    settings { $0.name = .blip },
  ]

  private func sea(_ schedule: ScheduleSettings) -> SEA {
    var sea = SEA()
    (sea.thresholds, sea.scale) = ([8, 9.5, 5], .none)
    (sea.rows.rowsPerTask, sea.rows.testRows, sea.rows.schedule) = (1000, 1500, schedule)
    return sea
  }

  @Test(arguments: schedules) func `the laws of scenarios hold`(schedule: ScheduleSettings) throws {
    #expect(try ScenarioLaws.violations(of: sea(schedule)) == [])
    var led = LEDDigits()
    (led.concepts, led.rows.rowsPerTask, led.rows.testRows, led.rows.schedule) = ([1, 5, 7], 1000, 1500, schedule)
    #expect(try ScenarioLaws.violations(of: led) == [])
  }

  /// 3,000 rows: a share of all of them varies by at most .0092.
  @Test(arguments: schedules) func `concepts make as many rows as their shares say, and p* is theirs`(
    schedule: ScheduleSettings
  ) throws {
    let stream = try Classic.stream(sea(schedule))
    let shape = try #require(course(schedule))
    var counts = [0.0, 0, 0]
    for task in 0..<3 {
      let (rows, concepts) = (stream.trainingRows(for: task), try #require(stream.concepts(for: task)))
      let truth = rows.inputRows.enumerated().map { row, x -> Float in
        x[0] + x[1] > [8, 9.5, 5][concepts[row]] ? 0.9 : 0.1
      }
      #expect(rows.truth == truth)
      for concept in concepts { counts[concept] += 1 }
    }
    let shares = (0..<3000).reduce(into: [0.0, 0, 0]) { sums, row in
      for (concept, share) in shape.shares(at: row).enumerated() { sums[concept] += share }
    }
    for concept in 0..<3 { #expect(abs(counts[concept] - shares[concept]) < 4.5 * 0.0092 * 3000) }
    // A share of 0 or 1 is no chance.
    for row in 0..<3000 {
      let concept = try #require(stream.concepts(for: row / 1000))[row % 1000]
      #expect(shape.shares(at: row)[concept] > 0)
    }
  }

  /// The schedule of `sea` and seed 3, put together by hand.
  private func course(_ schedule: ScheduleSettings) -> (any ConceptSchedule)? {
    switch schedule.name {
    case .inTurn: Transitions(starts: [0, 100, 1900])
    case .recurring: Visits.recurring([0, 2, 1, 2], period: 1000, rows: 3000, of: 3)
    case .seasonal: Seasons(3, period: 1000, amplitude: 0.9)
    case .markov: Visits.markov(stay: 0.97, rows: 3000, of: 3, seed: Seed(3).derived("generator-schedule"))
    case .gaussian: Presences(middles: [500, 1500, 2500], width: 250)
    case .periodicGaussian:
      Presences(middles: [400.0 / 6, 200, 2000.0 / 6], width: 400.0 / 12, period: 400)
    case .blip: Visits.blips(at: [700, 2200], length: 100, rows: 3000, of: 3)
    default: nil
    }
  }

  @Test(arguments: schedules) func `a stream declares its schedule's events`(schedule: ScheduleSettings) throws {
    let events = try #require(course(schedule)).events(in: 3000)
    #expect(try Classic.stream(sea(schedule)).events == events && !events.isEmpty)
  }

  @Test func `without a schedule nothing is declared, and tasks in turn are what they were`() throws {
    let plain = try Classic.stream(sea(ScheduleSettings()))
    #expect(plain.events == nil && plain.concepts(for: 1) == nil)
    let inTurn = try Classic.stream(sea(ScheduledStreamTests.settings { $0.name = .inTurn }))
    for task in 0..<3 {
      #expect(plain.trainingRows(for: task).batch.inputs == inTurn.trainingRows(for: task).batch.inputs)
      #expect(plain.trainingRows(for: task).labels == inTurn.trainingRows(for: task).labels)
      #expect(plain.evaluationSet(for: task).rows.labels == inTurn.evaluationSet(for: task).rows.labels)
    }
    #expect(inTurn.events == [DriftEvent](changesAt: [0, 1000, 2000]))
    var slow = sea(ScheduleSettings())
    (slow.rows.transition, slow.rows.width) = (.linear, 100)
    let rows = try #require(try Classic.stream(slow).events).map(\.rows)
    #expect(rows == [954...1044, 1954...2044])
  }

  /// What a row shows depends on its number alone: a schedule changes its label, and p*.
  @Test(arguments: schedules) func `a schedule moves no inputs where concepts share them`(schedule: ScheduleSettings)
    throws
  {
    let (plain, other) = (try Classic.stream(sea(ScheduleSettings())), try Classic.stream(sea(schedule)))
    for task in 0..<3 {
      #expect(plain.trainingRows(for: task).batch.inputs == other.trainingRows(for: task).batch.inputs)
      #expect(plain.evaluationSet(for: task).rows.truth == other.evaluationSet(for: task).rows.truth)
    }
    #expect(plain.truth == other.truth)
  }

  // MARK: - Parameters that move

  @Test func `a threshold moves from row to row`() throws {
    let stream = try Classic.stream(
      sea(ScheduledStreamTests.settings { ($0.name, $0.from, $0.to) = (.incremental, 200, 700) }))
    for task in 1..<3 {
      let rows = stream.trainingRows(for: task)
      let (old, new) = ([8, 9.5, 5][task - 1], [8, 9.5, 5][task])
      let expected = rows.inputRows.enumerated().map { row, x -> Float in
        let way = min(1, max(0, Double(row - 199) / 500))
        return x[0] + x[1] > (1 - way) * old + way * new ? 0.9 : 0.1
      }
      #expect(rows.truth == expected)
      #expect(stream.concepts(for: task) == [Int](repeating: task, count: 1000))
    }
  }

  @Test func `planes and centres move too, with the labels that follow p*`() throws {
    let schedule = ScheduledStreamTests.settings { $0.name = .incremental }
    var plane = Hyperplane()
    (plane.concepts, plane.speed) = ([1, 2], 0.0001)
    (plane.rows.rowsPerTask, plane.rows.testRows, plane.rows.schedule) = (1500, 1500, schedule)
    #expect(try ScenarioLaws.violations(of: plane) == [])
    let law = try #require(plane.generator(seed: Seed(3)) as? HyperplaneLaw)
    func weights(_ blend: ConceptBlend?) -> [Double] {
      law.weights(at: ConceptMoment(concept: 1, row: 0, blend: blend))
    }
    let (own, other) = (weights(nil), law.weights(at: ConceptMoment(concept: 0, row: 0)))
    let quarter = zip(own, other).map { 0.75 * $0 + 0.25 * $1 }
    #expect(zip(weights(ConceptBlend(concept: 0, share: 0.25)), quarter).allSatisfy { abs($0 - $1) < 1e-12 })
    for classes in [2, 4] {
      var bases = RandomBases()
      (bases.concepts, bases.attributes, bases.centres, bases.classes) = ([1, 2], 3, 6, classes)
      (bases.rows.rowsPerTask, bases.rows.testRows, bases.rows.schedule) = (8000, 500, schedule)
      #expect(try ScenarioLaws.violations(of: bases) == [])
    }
  }

  /// A set blended with itself is itself: densities are the same, so p* is, but for rounding.
  @Test func `between two equal sets of centres nothing moves`() throws {
    var bases = RandomBases()
    (bases.concepts, bases.attributes, bases.classes, bases.speed) = ([4, 4], 3, 3, 0.001)
    let law = bases.generator(seed: Seed(2))
    for row in 0..<50 {
      let x = (0..<3).map { Float(Seed(9).uniform(row, $0, 0)) }
      let own = try #require(law.probabilities(x, ConceptMoment(concept: 1, row: row)))
      let blend = ConceptBlend(concept: 0, share: 0.3)
      let blended = try #require(law.probabilities(x, ConceptMoment(concept: 1, row: row, blend: blend)))
      #expect(zip(own, blended).allSatisfy { abs($0 - $1) < 1e-9 })
    }
  }
}
