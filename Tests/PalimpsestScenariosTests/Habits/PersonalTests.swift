import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

/// The scenario `habit-personal`.
@Suite struct PersonalTests {
  private func settings(_ change: (inout HabitPersonal) -> Void = { _ in }) -> HabitPersonal {
    var settings = HabitPersonal()
    (settings.population, settings.populationDays, settings.users, settings.days) = (12, 20, 8, 30)
    (settings.burnIn, settings.testReplicates, settings.testDays) = (10, 3, 8)
    change(&settings)
    return settings
  }

  private func people(
    seed: UInt64 = 1, _ change: (inout HabitPersonal) -> Void = { _ in }
  ) throws -> any PeopleStream {
    let stream = try settings(change).prepare(from: EmptyLibrary()).makeStream(seed: Seed(seed))
    return try #require(stream as? any PeopleStream)
  }

  /// Everything that is drawn of a life, as numbers.
  private func numbers(_ life: any PersonLife) -> [Float] {
    let sets = life.concepts.indices.compactMap { life.evaluationSet(ofConcept: $0)?.rows }
    return ([life.rows] + sets).flatMap { rows -> [Float] in
      let inputs = rows.batch.inputs
      return (0..<rows.count).flatMap { inputs.row($0) } + rows.labels.map { Float($0) } + (rows.truth ?? [])
    }
  }

  @Test(arguments: [HabitPersonal.Population.default, .mixed])
  func `it obeys the laws of scenarios`(population: HabitPersonal.Population) throws {
    let scenario = settings {
      ($0.archetypes, $0.population, $0.users, $0.lifeEvent.share) = (population, 40, 30, 0.5)
      $0.lifeEvent.day = 15
    }
    #expect(try ScenarioLaws.violations(of: scenario) == [])
  }

  @Test func `a person does not depend on who else there is`() throws {
    let change: (inout HabitPersonal) -> Void = { ($0.lifeEvent.share, $0.lifeEvent.day) = (0.5, 12) }
    let (few, many) = (
      try people(change),
      try people {
        change(&$0)
        ($0.users, $0.population) = (100, 30)
      }
    )
    for number in [7, 0, 3] {
      #expect(numbers(few.life(of: number)) == numbers(many.life(of: number)))
      #expect(few.life(of: number).concepts == many.life(of: number).concepts)
      #expect(few.life(of: number).archetype == many.life(of: number).archetype)
    }
    let (one, all) = (few.populationRows(), many.populationRows())
    #expect(
      one.labels == Array(all.labels.prefix(one.count)) && one.truth == all.truth.map { Array($0.prefix(one.count)) })
  }

  @Test func `population, lives and evaluation sets share no row`() throws {
    let people = try people()
    var seen: Set<[Float]> = []
    let lives = (0..<people.people).map { people.life(of: $0) }
    let all = [people.populationRows()] + lives.map(\.rows) + lives.compactMap { $0.evaluationSet(ofConcept: 0)?.rows }
    var count = 0
    for rows in all {
      let inputs = rows.batch.inputs
      for row in 0..<rows.count {
        seen.insert(inputs.row(row) + [rows.truth?[row] ?? 0])
        count += 1
      }
    }
    // Single days may look alike; whole lives don't.
    #expect(Double(seen.count) > 0.98 * Double(count))
    #expect(Set(lives.map { numbers($0) }).count == lives.count)
  }

  @Test func `every column and label follows from the log alone`() throws {
    let course = try settings {
      ($0.lifeEvent.share, $0.lifeEvent.day, $0.lifeEvent.returnsAfter) = (1, 10, 10)
    }.prepare(from: EmptyLibrary())
    let log = try #require(course as? any LoggingScenario)
    let stream = course.makeStream(seed: Seed(4))
    for task in 0..<2 {
      let days = LoggedDays(log.loggedEvents(task: task, seed: Seed(4)))
      #expect(days.mismatches(stream.trainingRows(for: task), burnIn: 10) == [])
    }
    let people = try #require(stream as? any PeopleStream)
    let one = people.life(of: 5)
    #expect(LoggedDays(one.events()).mismatches(one.rows, burnIn: 10) == [])
  }

  @Test func `a life event changes the law on its day, and a return brings the old one back`() throws {
    let changed = try people { ($0.lifeEvent.share, $0.lifeEvent.day, $0.lifeEvent.returnsAfter) = (1, 12, 9) }
    let settled = try people()
    for number in 0..<8 {
      let (one, other) = (changed.life(of: number), settled.life(of: number))
      #expect(one.concepts == [0..<12, 12..<21, 21..<30] && other.concepts == [0..<30])
      // Up to that day nothing is touched by what will be.
      #expect(one.rows.truth?.prefix(12) == other.rows.truth?.prefix(12))
      #expect(one.rows.truth?[12] != other.rows.truth?[12])
      let sets = try (0..<3).map { try #require(one.evaluationSet(ofConcept: $0)).rows.truth }
      #expect(sets[0] == sets[2] && sets[0] != sets[1])
      #expect(sets[0] == other.evaluationSet(ofConcept: 0)?.rows.truth)
    }
  }

  private func event(_ day: Int, _ change: (inout LifeEvent) -> Void = { _ in }) -> LifeEvent {
    var event = LifeEvent()
    event.day = day
    change(&event)
    return event
  }

  @Test func `a list of one event is the group's life, bit for bit`() throws {
    let group = try people {
      ($0.lifeEvent.share, $0.lifeEvent.day, $0.lifeEvent.lastDay, $0.lifeEvent.returnsAfter) = (0.6, 8, 15, 9)
    }
    let list = try people {
      $0.events = [event(8) { ($0.share, $0.lastDay, $0.returnsAfter) = (0.6, 15, 9) }]
    }
    for number in 0..<8 {
      #expect(numbers(list.life(of: number)) == numbers(group.life(of: number)))
      #expect(list.life(of: number).concepts == group.life(of: number).concepts)
    }
    #expect(list.mostConcepts == group.mostConcepts && list.populationRows().truth == group.populationRows().truth)
  }

  @Test func `events follow each other, and a return brings the first life back`() throws {
    let holiday = event(5) { ($0.name, $0.returnsAfter) = (.holiday, 3) }
    let people = try people {
      $0.events = [holiday, self.event(12), self.event(18), self.event(24) { $0.name = .firstLife }]
    }
    let settled = try self.people()
    for number in 0..<8 {
      let (life, other) = (people.life(of: number), settled.life(of: number))
      #expect(life.concepts == [0..<5, 5..<8, 8..<12, 12..<18, 18..<24, 24..<30])
      let truths = try life.concepts.indices.map { try #require(life.evaluationSet(ofConcept: $0)?.rows.truth) }
      // The first life on days 0 to 4, 8 to 11 and from 24 on; all others are lives of their own.
      #expect(truths[0] == truths[2] && truths[0] == truths[5] && Set([0, 1, 3, 4].map { truths[$0] }).count == 4)
      #expect(truths[0] == other.evaluationSet(ofConcept: 0)?.rows.truth)
      // A holiday makes the habit rarer.
      #expect(truths[1].reduce(0, +) < truths[0].reduce(0, +))
    }
    #expect(people.mostConcepts == 6)
  }

  @Test func `each event hits people of its own draw`() throws {
    let people = try people {
      ($0.users, $0.days, $0.burnIn) = (400, 12, 0)
      $0.events = [self.event(3) { $0.share = 0.5 }, self.event(6) { $0.share = 0.5 }]
    }
    let lives = (0..<400).map { people.life(of: $0).concepts.map(\.lowerBound) }
    // A quarter each, 100 ± 8.7: three and a half deviations.
    for starts in [[0], [0, 3], [0, 6], [0, 3, 6]] {
      #expect((70...130).contains(lives.count { $0 == starts }), "\(starts)")
    }
    // A return to what never ended is no new stretch.
    let back = try self.people { $0.events = [self.event(9) { $0.name = .firstLife }] }
    #expect(back.life(of: 0).concepts == [0..<30])
  }

  @Test func `a share of the people is hit, each on a day of the range`() throws {
    let people = try people {
      ($0.users, $0.days, $0.burnIn) = (400, 40, 0)
      ($0.lifeEvent.share, $0.lifeEvent.day, $0.lifeEvent.lastDay) = (0.3, 10, 29)
    }
    let days = (0..<400).compactMap { number -> Int? in
      let concepts = people.life(of: number).concepts
      return concepts.count == 2 ? concepts[1].lowerBound : nil
    }
    // 120 ± 9.2, three deviations.
    #expect((92...148).contains(days.count))
    #expect(days.allSatisfy { (10...29).contains($0) } && Set(days).count > 15)
  }

  @Test func `archetypes have their shares`() throws {
    let people = try people { ($0.users, $0.days, $0.burnIn) = (2_000, 1, 0) }
    let kinds = (0..<2_000).map { people.life(of: $0).archetype }
    #expect(people.archetypes == ["morning", "evening", "nights", "weekend", "prompted"])
    for (kind, share) in [0.35, 0.30, 0.10, 0.15, 0.10].enumerated() {
      let found = Double(kinds.count { $0 == kind }) / 2_000
      #expect(abs(found - share) < 3.5 * (share * (1 - share) / 2_000).squareRoot(), "\(kind): \(found)")
    }
    let mixed = try self.people { $0.archetypes = .mixed }
    #expect(mixed.archetypes.isEmpty && mixed.life(of: 0).archetype == -1)
  }

  /// p* once more, of the formula in scenarios.md 2.4 and the weights of the table, where no weight deviates.
  @Test func `without a spread p* is the formula of the kind with its own b0`() throws {
    let people = try people { ($0.spread, $0.users, $0.days) = (0, 30, 12) }
    let table: [(hour: Double, b: [Double])] = [
      (7.5, [0.8, 0.8, 0.5, 1.5, -0.8]), (19, [0.8, 0.8, 1.2, 1, -0.5]), (22.5, [0.8, 0.8, -1, -1.5, 1.2]),
      (12, [0.5, 0.8, 0.5, 1, 2]), (14, [0.8, 0.8, -0.8, 3, -0.3]),
    ]
    for number in 0..<30 {
      let life = people.life(of: number)
      let (kind, inputs) = (table[life.archetype], life.rows.batch.inputs)
      let terms = (0..<12).map { day -> Double in
        let x = inputs.row(day).map { Double($0) }
        let b = kind.b
        var z = b[0] * (2 * x[0] - 0.6) + b[1] * (2 * x[1] - 1) + b[2] * (4 * x[2] - 1.5)
        z += b[3] * (3 * x[3] - 0.5) + Elementary.cos(2 * .pi * (x[4] - kind.hour / 24))
        return z + b[4] * (2 * x[5] - 1) - 0.5 * (2 * x[6] - 0.3)
      }
      // Near the bounds 32 bits say too little of z.
      let truth = try #require(life.rows.truth)
      let b0 = (0..<12).filter { (0.05...0.95).contains(truth[$0]) }.map { day -> Double in
        let p = (Double(truth[day]) - 0.02) / 0.96
        return Elementary.log(p / (1 - p)) / 1.3 - terms[day]
      }
      #expect(b0.allSatisfy { abs($0 - b0[0]) < 1e-4 }, "\(b0)")
      #expect(b0.allSatisfy { abs($0) < 5 * 0.3 })
    }
  }

  @Test func `calibrated people meet the targets one by one`() throws {
    let people = try people {
      ($0.calibration, $0.baseRate, $0.bayesAccuracy, $0.burnIn) = (.user, 0.4, 0.8, 30)
      ($0.users, $0.testReplicates, $0.testDays) = (4, 300, 60)
    }
    for number in 0..<4 {
      let truth = try #require(people.life(of: number).evaluationSet(ofConcept: 0)?.rows.truth).map { Double($0) }
      let n = Double(truth.count)
      #expect(abs(truth.reduce(0, +) / n - 0.4) < 0.08)
      #expect(abs(truth.reduce(0) { $0 + max($1, 1 - $1) } / n - 0.8) < 0.04)
    }
  }

  /// Bayes .835 ± .008 on held-out people of the default archetypes.
  @Test func `the best rules score what was published`() throws {
    let people = try people(seed: 91) { ($0.users, $0.burnIn, $0.testReplicates, $0.testDays) = (400, 30, 6, 40) }
    let all = (0..<400).map { number -> Double in
      let truth = people.life(of: number).evaluationSet(ofConcept: 0)?.rows.truth ?? []
      return truth.reduce(0.0) { $0 + Double(max($1, 1 - $1)) } / Double(truth.count)
    }
    let mean = all.reduce(0, +) / 400
    #expect(abs(mean - 0.835) < 0.010, "\(mean)")
    // Between people, as the prototype has it: .06.
    let deviation = (all.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 399).squareRoot()
    #expect((0.045...0.08).contains(deviation), "\(deviation)")
  }

  @Test func `settings that contradict each other are told`() throws {
    func error(_ change: (inout HabitPersonal) -> Void) -> String {
      var settings = settings { ($0.lifeEvent.share, $0.lifeEvent.day) = (1, 10) }
      change(&settings)
      do throws(ScenarioError) {
        try settings.check()
        return ""
      } catch { return "\(error.parameter ?? ""): \(error.description)" }
    }
    let cases: [(String, (inout HabitPersonal) -> Void)] = [
      ("lifeEvent.day: 30 is behind the last of 30 days", { $0.lifeEvent.day = 30 }),
      ("lifeEvent.lastDay: 9 is none of the days 10 to 29", { $0.lifeEvent.lastDay = 9 }),
      ("lifeEvent.returnsAfter: day 30 is behind the last", { $0.lifeEvent.returnsAfter = 20 }),
      ("lifeEvent: it stands for a list of one event, and \"events\" is given", { $0.events = [LifeEvent()] }),
      ("events.0.day: 90 is behind the last of 30 days", { ($0.lifeEvent.share, $0.events) = (0, [LifeEvent()]) }),
      (
        "events.1.day: 14 is not behind day 15, on which the event before may still change a life. Take 16 or later.",
        {
          $0.lifeEvent.share = 0
          $0.events = [self.event(8) { ($0.lastDay, $0.returnsAfter) = (10, 5) }, self.event(14)]
        }
      ),
      (
        "events.0.returnsAfter: a holiday ends. Say after how many days.",
        { ($0.lifeEvent.share, $0.events) = (0, [self.event(8) { $0.name = .holiday }]) }
      ),
      (
        "events.0.returnsAfter: nothing comes back after a return. Take it away.",
        { ($0.lifeEvent.share, $0.events) = (0, [self.event(8) { ($0.name, $0.returnsAfter) = (.firstLife, 2) }]) }
      ),
      ("users: 100000 users × 1010 days are more than", { ($0.users, $0.days) = (100_000, 1_000) }),
      ("bayesAccuracy: 0.99 cannot be reached", { ($0.calibration, $0.bayesAccuracy) = (.user, 0.99) }),
    ]
    for (message, change) in cases { #expect(error(change).hasPrefix(message), "\(error(change))") }
  }
}
