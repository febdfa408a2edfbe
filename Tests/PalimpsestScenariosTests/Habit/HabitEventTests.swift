import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct HabitEventTests {
  /// What a user's entries say of one day.
  private struct Day {
    var opened: [Double] = []
    var sent = 0
    var tapped = 0
    var isCompleted: Bool?
    var date = 0
    var offset = 0.0
  }

  private func days(_ events: [HabitEvent], user: Int) -> [Int: Day] {
    var days: [Int: Day] = [:]
    for event in events where event.user == user {
      var day = days[event.day] ?? Day()
      day.date = event.date
      day.offset = event.zoneOffset
      switch event.kind {
      case .appOpened: day.opened.append(event.hour)
      case .reminderSent: day.sent += 1
      case .reminderTapped: day.tapped += 1
      case .habitCompleted: day.isCompleted = true
      case .habitSkipped: day.isCompleted = false
      }
      days[event.day] = day
    }
    return days
  }

  /// The ten features of a day, from the log alone; the hour is nil before the first visit.
  private func features(_ log: [Int: Day], _ day: Int) throws -> [Float?] {
    let today = try #require(log[day])
    let outcomes = try (0..<day).map { try #require(log[$0 + 1]?.isCompleted as Bool?) }
    let streak = outcomes.reversed().prefix { $0 }.count
    let recent = outcomes.suffix(30)
    let rate = recent.isEmpty ? 0.5 : Double(recent.count { $0 }) / Double(recent.count)
    let last = outcomes.lastIndex(of: true).map { $0 + 1 } ?? 0
    let week = (max(0, day - 6)...day).compactMap { log[$0] }
    let hour = (0...day).reversed().lazy.compactMap { log[$0]?.opened.min() }.first
    let launches = Elementary.log(1 + Double(min(today.opened.count, 40))) / Elementary.log(41)
    return [
      Float(Double(min(streak, 30)) / 30), Float(rate), Float(launches), Float(today.tapped) / Float(today.sent),
      hour.map { Float($0 / 24) }, (today.date + 1) % 7 >= 5 ? 1 : 0, Float(Double(min(day + 1 - last, 14)) / 14),
      Float(week.reduce(0) { $0 + $1.tapped }) / Float(week.reduce(0) { $0 + $1.sent }), Float(today.offset / 12),
      Float(0.5 + 0.5 * Elementary.sin(2 * .pi * Double(today.date % 365) / 365)),
    ]
  }

  @Test(arguments: [0, 7, 30], [HabitPhases.Context.visible, .hidden])
  func `every feature and label follows from the log`(burnIn: Int, context: HabitPhases.Context) throws {
    let course = try Habit.small {
      $0.burnIn = burnIn
      $0.context = context
    }
    let stream = course.makeHabitStream(seed: Seed(3))
    for task in 0..<5 {
      let training = course.events(.training, task: task, seed: Seed(3))
      let test = course.events(.test, task: task, seed: Seed(3))
      #expect(try mismatches(stream.trainingRows(for: task), training, burnIn: burnIn) == [])
      #expect(try mismatches(stream.evaluationSet(for: task).rows, test, burnIn: burnIn) == [])
    }
  }

  /// Up to three places where rows of 60 days a user and the log differ.
  private func mismatches(_ rows: Rows, _ events: [HabitEvent], burnIn: Int) throws -> [String] {
    let inputs = rows.batch.inputs
    var found: [String] = []
    for row in 0..<rows.count where found.count < 3 {
      let log = days(events, user: row / 60)
      let day = burnIn + row % 60
      let expected = try features(log, day)
      found += (0..<10).filter { expected[$0] != nil && inputs[row, $0] != expected[$0] }.map {
        "row \(row), column \($0)"
      }
      if rows.labels[row] != (log[day + 1]?.isCompleted == true ? 1 : 0) { found.append("row \(row), label") }
    }
    return found
  }

  @Test func `entries come in order of time`() throws {
    let events = try Habit.small().events(.test, task: 1, seed: Seed(5))
    for (a, b) in zip(events, events.dropFirst()) where a.user == b.user {
      #expect((a.day, a.hour) <= (b.day, b.hour))
    }
    #expect(events.allSatisfy { $0.hour >= 0 && $0.hour < 24 })
    #expect(Set(events.map(\.kind)) == Set(HabitEvent.Kind.allCases))
  }

  @Test func `one user's log needs no other's`() throws {
    let course = try Habit.small()
    let all = course.events(.test, task: 2, seed: Seed(5))
    #expect(course.events(.test, task: 2, seed: Seed(5), users: 2..<3) == all.filter { $0.user == 2 })
    #expect(course.events(.test, task: 2, seed: Seed(6)) != all)
  }

  /// A visit that answers another comes within half an hour with probability 1 − e^−1.5 = .78; a third of further visits do.
  @Test func `visits come in clusters`() throws {
    let events = try Habit.small { $0.testUsers = 40 }.events(.test, task: 0, seed: Seed(9))
    let opened = events.filter { $0.kind == .appOpened }
    let gaps = zip(opened, opened.dropFirst()).filter { $0.user == $1.user && $0.day == $1.day }.map {
      $1.hour - $0.hour
    }
    let close = Double(gaps.count { $0 < 0.1 }) / Double(gaps.count)
    #expect(gaps.count > 5000)
    #expect(close > 0.15 && close < 0.45)
  }
}
