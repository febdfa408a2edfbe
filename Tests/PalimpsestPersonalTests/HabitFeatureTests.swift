import PalimpsestCore
import PalimpsestPersonal
import PalimpsestScenarios
import Testing

extension HabitEntry {
  /// An entry of a simulated log.
  init(_ event: LoggedEvent) throws {
    let kind = try #require(HabitEntry.Kind(rawValue: event.kind), "\(event.kind)")
    self.init(kind, day: event.day, hour: event.hour, date: event.date ?? -1, value: event.value)
  }
}

/// An app that sees nothing but the log makes the rows that the generator made.
@Suite struct HabitFeatureLawTests {
  /// Up to three places where a person's rows are not those of her log.
  /// - Parameter burnIn: days of the log before the first row.
  private func differences(_ rows: Rows, _ days: [HabitDay], _ opened: Int?, burnIn: Int) -> [String] {
    let inputs = rows.batch.inputs
    var found: [String] = []
    for row in 0..<rows.count where found.count < 3 {
      let day = burnIn + row
      guard days.indices.contains(day + 1), days[day].day == day else { return ["no day \(day)"] }
      for column in 0..<10 where inputs[row, column].bitPattern != days[day].features[column].bitPattern {
        // Nobody knows the hour before the first launch.
        if column == 4 && day < opened ?? .max { continue }
        found.append("day \(day), column \(column): \(days[day].features[column]) for \(inputs[row, column])")
      }
      if days[day + 1].isKept != (rows.labels[row] == 1) { found.append("day \(day): label") }
    }
    return found
  }

  private func check(_ events: [LoggedEvent], _ rows: Rows, burnIn: Int) throws {
    let log = try events.map { try HabitEntry($0) }
    let whole = HabitFeatureBuilder.days(of: log)
    // Entry by entry, saved and restored before each.
    var builder = HabitFeatureBuilder()
    var days: [HabitDay] = []
    for entry in log {
      builder = try StateDecoder.value(HabitFeatureBuilder.self, from: StateEncoder.bytes(of: builder))
      days += builder.take(entry)
    }
    if let day = builder.openDay { days += builder.pass(to: day + 1) }
    #expect(days == whole)
    let opened = log.first { $0.kind == .appOpened }?.day
    #expect(differences(rows, whole, opened, burnIn: burnIn) == [])
  }

  @Test(arguments: [0, 30], [HabitPersonal.Population.default, .mixed])
  func `the log of a life gives its rows, bit for bit`(burnIn: Int, population: HabitPersonal.Population) throws {
    var settings = HabitPersonal()
    (settings.population, settings.users, settings.days) = (2, 12, 120)
    (settings.burnIn, settings.archetypes) = (burnIn, population)
    (settings.lifeEvent.share, settings.lifeEvent.day) = (0.5, 40)
    let stream = try settings.prepare(from: EmptyLibrary()).makeStream(seed: Seed(11))
    let people = try #require(stream as? any PeopleStream)
    for person in 0..<12 {
      let life = people.life(of: person)
      try check(life.events(), life.rows, burnIn: burnIn)
    }
  }

  @Test func `so does that of a traveller`() throws {
    var settings = HabitPhases()
    (settings.users, settings.days, settings.testUsers) = (3, 40, 2)
    let course = try settings.prepare(from: EmptyLibrary())
    let log = try #require(course as? any LoggingScenario)
    let stream = course.makeStream(seed: Seed(3))
    for task in 0..<5 {
      let events = log.loggedEvents(task: task, seed: Seed(3))
      let rows = stream.trainingRows(for: task)
      // Person by person, as the log has them.
      for (place, user) in Set(events.map(\.user)).sorted().enumerated() {
        let own = rows.selecting((0..<40).map { Int32(40 * place + $0) })
        try check(events.filter { $0.user == user }, own, burnIn: settings.burnIn)
      }
    }
  }
}

@Suite struct HabitFeatureTests {
  private func entries(_ kinds: [HabitEntry.Kind], day: Int, hour: Double = 8, date: Int? = nil) -> [HabitEntry] {
    kinds.map { HabitEntry($0, day: day, hour: hour, date: date ?? day) }
  }

  /// Day 0 is a Monday, 1 January. Day 1: opened twice, first at 6; one of two reminders tapped; kept. Streak 1/30, all of one day kept, gap
  /// one day (2 − 1)/14, the next is a Wednesday.
  @Test func `two days by hand`() {
    var builder = HabitFeatureBuilder(usualHour: 18)
    #expect(builder.pass(to: 5) == [] && builder.openDay == nil)
    #expect(builder.take(HabitEntry(.reminderSent, day: 0, hour: 9, date: 0)) == [])
    let first = builder.take(HabitEntry(.appOpened, day: 1, hour: 6, date: 1))
    #expect(first == [HabitDay(0, [0, 0.5, 0, 0, 0.75, 0, 1.0 / 14, 0, 0, 0.5], nil)])
    for entry in entries([.appOpened, .reminderSent, .reminderSent, .reminderTapped, .habitCompleted], day: 1) {
      #expect(builder.take(entry) == [])
    }
    let second = builder.pass(to: 2)
    let launches = Float(Elementary.log(3) / Elementary.log(41))
    let season = Float(0.5 + 0.5 * Elementary.sin(2 * .pi / 365))
    #expect(
      second == [HabitDay(1, [1.0 / 30, 1, launches, 0.5, 0.25, 0, 1.0 / 14, Float(1) / Float(3), 0, season], true)])
  }

  @Test func `empty days pass, label nothing and count as not kept`() {
    var builder = HabitFeatureBuilder()
    for entry in entries([.appOpened, .reminderSent, .reminderTapped, .habitCompleted], day: 3) {
      _ = builder.take(entry)
    }
    let days = builder.take(HabitEntry(.appOpened, day: 8, hour: 7, date: 8))
    #expect(days.map(\.day) == [3, 4, 5, 6, 7])
    #expect(days.map(\.isKept) == [true, nil, nil, nil, nil])
    // Kept: 1 of 1, of 2, …; days from the last one kept to tomorrow; the hour of day 3 stays; tomorrow Saturday is date 5.
    let shares: [Float] = [1, 0.5, Float(1) / Float(3), 0.25, Float(0.2)]
    #expect(days.map { $0.features[1] } == shares)
    #expect(days.map { $0.features[6] } == (1...5).map { Float(Double($0) / 14) })
    #expect(days.map { $0.features[5] } == [0, 1, 1, 0, 0])
    #expect(days.allSatisfy { $0.features[4] == Float(8.0 / 24) && $0.features[7] == 1 })
  }

  @Test func `years without an entry give their last 366 days`() {
    var (builder, slow) = (HabitFeatureBuilder(), HabitFeatureBuilder())
    for entry in entries([.appOpened, .habitCompleted], day: 0) {
      _ = builder.take(entry)
      _ = slow.take(entry)
    }
    let days = builder.pass(to: 5000)
    var last: [HabitDay] = []
    for day in 1...5000 { last += slow.pass(to: day) }
    #expect(days.count == 367 && days.last?.day == 4999)
    #expect(Array(days.dropFirst()) == last.suffix(366))
  }

  /// Weekday and day of the year of every pair come back.
  @Test func `a date stands for a weekday and a day of the year`() {
    for weekday in 0..<7 {
      for day in 0..<365 {
        let date = HabitEntry.date(weekday: weekday, dayOfYear: day)
        #expect(date % 7 == weekday && date % 365 == day && date < 2555)
      }
    }
  }

  /// 25 hours: 2:30 comes twice, and the second launch lies before the first by the clock. 23 hours: nothing is special.
  @Test func `the day of a daylight-saving step is a day`() {
    let log = [
      HabitEntry(.appOpened, day: 0, hour: 2.75, date: 300), HabitEntry(.appOpened, day: 0, hour: 2.25, date: 300),
      HabitEntry(.habitCompleted, day: 0, hour: 3, date: 300), HabitEntry(.appOpened, day: 1, hour: 3, date: 301),
    ]
    let days = HabitFeatureBuilder.days(of: log)
    #expect(days.map(\.day) == [0, 1] && days[0].features[4] == Float(2.75 / 24))
    #expect(days[0].features[2] == Float(Elementary.log(3) / Elementary.log(41)))
  }

  /// East over the date line the local day of the arrival has ended already at home; westward a zone is negative.
  @Test func `a time-zone step counts from its day on, and a day that has ended stays so`() {
    let log = [
      HabitEntry(.appOpened, day: 4, hour: 7, date: 4),
      HabitEntry(.zoneChanged, day: 5, hour: 1, date: 5, value: -9),
      HabitEntry(.appOpened, day: 4, hour: 22, date: 4), HabitEntry(.habitCompleted, day: 4, hour: 23, date: 4),
      HabitEntry(.appOpened, day: 6, hour: 9, date: 6),
      HabitEntry(.zoneChanged, day: 7, hour: 9, date: 7, value: 14),
    ]
    let days = HabitFeatureBuilder.days(of: log)
    #expect(days.map(\.day) == [4, 5, 6, 7] && days.map(\.isKept) == [nil, true, nil, nil])
    #expect(days.map { $0.features[8] } == [0, 0.75, 0.75, 1])
    #expect(days[1].features[4] == Float(22.0 / 24) && days[1].features[5] == 1)
  }

  @Test func `a completion stands against a skip on the same day, in either order`() {
    for kinds in [[HabitEntry.Kind.habitSkipped, .habitCompleted], [.habitCompleted, .habitSkipped]] {
      #expect(HabitFeatureBuilder.days(of: entries(kinds, day: 0)).map(\.isKept) == [true])
    }
  }

  @Test func `an entry that cannot be is passed over`() {
    let wrong = [
      HabitEntry(.appOpened, day: 1, hour: .nan, date: 1), HabitEntry(.appOpened, day: 1, hour: 24, date: 1),
      HabitEntry(.appOpened, day: -1, hour: 1, date: 1), HabitEntry(.appOpened, day: .max, hour: 1, date: 1),
      HabitEntry(.appOpened, day: 1, hour: 1, date: -1), HabitEntry(.zoneChanged, day: 1, hour: 1, date: 1),
      HabitEntry(.zoneChanged, day: 1, hour: 1, date: 1, value: .nan),
    ]
    var builder = HabitFeatureBuilder()
    for entry in wrong {
      #expect(entry.problem != nil)
      #expect(builder.take(entry) == [])
    }
    #expect(builder == HabitFeatureBuilder())
    #expect(HabitFeatureBuilder.days(of: []) == [])
    #expect(HabitFeatureBuilder(usualHour: .nan) == HabitFeatureBuilder())
  }

  @Test func `a state with a bit turned is refused, or goes on with numbers in 0 to 1`() throws {
    var builder = HabitFeatureBuilder()
    for day in 0..<9 {
      for entry in entries([.appOpened, .reminderSent, .reminderTapped, .habitCompleted], day: day) {
        _ = builder.take(entry)
      }
    }
    let bytes = try StateEncoder.bytes(of: builder)
    var refused = 0
    for bit in 0..<(8 * bytes.count) {
      var damaged = bytes
      damaged[bit / 8] ^= 1 << (bit % 8)
      guard var other = try? StateDecoder.value(HabitFeatureBuilder.self, from: damaged) else {
        refused += 1
        continue
      }
      let days = other.pass(to: min((other.openDay ?? 0) + 40, 999_999))
      #expect(days.allSatisfy { $0.features.allSatisfy { (0...1).contains($0) } }, "bit \(bit)")
    }
    #expect(refused > 4 * bytes.count)
  }
}

extension HabitDay {
  fileprivate init(_ day: Int, _ features: [Float], _ isKept: Bool?) {
    self.init(day: day, features: features, isKept: isKept)
  }
}
