import PalimpsestCore
import PalimpsestScenarios
import Testing

/// What is logged behind the rows of a habit, and whose they are.
@Suite struct HabitLogTests {
  private func habit(_ change: (inout HabitPhases) -> Void = { _ in }) -> HabitPhases {
    var habit = HabitPhases()
    (habit.jointCeiling, habit.calibration) = (.none, .table)
    (habit.users, habit.days, habit.testUsers, habit.phases, habit.burnIn) = (3, 20, 2, [0, 2, 1], 12)
    change(&habit)
    return habit
  }

  /// Up to three places where rows differ from the log: the n-th row of a person is that of day n behind the burn-in.
  private func mismatches(_ stream: any DriftStream, _ log: LoggedDays, burnIn: Int) -> [String] {
    var shown: [Int32: Int] = [:]
    var found: [String] = []
    for task in stream.experiences.indices {
      let rows = stream.streamedRowsWithOrigins(for: task)
      let inputs = rows.batch.inputs
      for row in 0..<rows.count where found.count < 3 {
        guard let user = rows.owners?[row] else { return ["rows of nobody"] }
        let day = burnIn + shown[user, default: 0]
        shown[user, default: 0] += 1
        let expected = log.features(Int(user), day)
        found += (0..<10).filter { expected[$0] != nil && inputs[row, $0] != expected[$0] }.map {
          "task \(task), row \(row), column \($0)"
        }
        if rows.labels[row] != log.label(Int(user), day) { found.append("task \(task), row \(row), label") }
      }
    }
    return found
  }

  @Test func `all ten columns and the label follow from the log alone`() throws {
    let course = try habit().prepare(from: EmptyLibrary())
    let log = try #require(course as? any LoggingScenario)
    let days = LoggedDays((0..<3).flatMap { log.loggedEvents(task: $0, seed: Seed(4)) })
    #expect(mismatches(course.makeStream(seed: Seed(4)), days, burnIn: 12) == [])
    #expect(days.kinds["zone-changed"] == 3)
  }

  static let names: [ScheduleSettings.Name] = [.recurring, .markov, .gaussian, .blip]

  /// Lives stretch over tasks: each task's log goes on where that of the task before ended, and has nothing twice.
  @Test(arguments: names) func `so they do where a schedule composes them`(name: ScheduleSettings.Name) throws {
    let course = try habit {
      ($0.identity, $0.composition.schedule.name) = (.hidden, name)
      if name == .markov { $0.composition.schedule.stay = 0.8 }
    }.prepare(from: EmptyLibrary())
    let log = try #require(course as? any LoggingScenario)
    let parts = (0..<3).map { log.loggedEvents(task: $0, seed: Seed(4)) }
    let stream = course.makeStream(seed: Seed(4))
    #expect(mismatches(stream, LoggedDays(parts.flatMap { $0 }), burnIn: 12) == [])
    let outcomes = parts.joined().filter { $0.kind == "habit-completed" || $0.kind == "habit-skipped" }
    #expect(Set(outcomes.map { [$0.user, $0.day] }).count == outcomes.count)
    let people = Set((0..<3).flatMap { stream.origins(for: $0)?.owners ?? [] })
    #expect(Set(outcomes.map { Int32($0.user) }) == people)
  }

  @Test func `a task's own part of the log is enough for its first rows`() throws {
    let course = try habit {
      ($0.identity, $0.composition.schedule.name) = (.hidden, .recurring)
    }.prepare(from: EmptyLibrary())
    let log = try #require(course as? any LoggingScenario)
    let first = LoggedDays(log.loggedEvents(task: 0, seed: Seed(4)))
    #expect(
      mismatches(StreamView(course.makeStream(seed: Seed(4)), tasks: 1, heldOut: nil, seed: Seed(0)), first, burnIn: 12)
        == [])
  }

  /// `count` rows: person by person from `first` on, `step` numbers apart, 20 days each.
  private func people(_ count: Int, from first: Int, step: Int = 1) -> [Int32] {
    (0..<count).map { row in Int32(first + step * (row / 20)) }
  }

  /// Days one after the other.
  private func days(_ count: Int, from first: Int) -> [Int64] { (0..<count).map { row in 86_400 * Int64(first + row) } }

  @Test func `people are called by task, and a row is a day of the stream`() throws {
    let stream = try habit().prepare(from: EmptyLibrary()).makeStream(seed: Seed(1))
    for task in 0..<3 {
      let origins = try #require(stream.origins(for: task))
      #expect(origins.owners == people(60, from: 3 * task))
      #expect(origins.times == days(60, from: 60 * task))
      // What memories keep is what it was.
      #expect(stream.trainingRows(for: task).owners == nil && stream.trainingRows(for: task).times == nil)
      #expect(stream.trainingRows(for: task).rowBytes == 48)
      let test = stream.evaluationSet(for: task).rows
      #expect(test.owners == people(40, from: 9 + 2 * task) && test.times == days(40, from: 0))
    }
  }

  /// Places in turn of 60 rows; phase 0 comes for 120 of 180 rows: three people and then three further ones.
  @Test func `further people have numbers of their own`() throws {
    let stream = try habit {
      $0.identity = .hidden
      ($0.composition.schedule.name, $0.composition.schedule.order) = (.recurring, [0, 0, 1])
      $0.composition.schedule.period = 180
    }.prepare(from: EmptyLibrary()).makeStream(seed: Seed(1))
    let origins = (0..<3).compactMap { stream.origins(for: $0) }
    #expect(origins[0].owners == people(60, from: 0))
    #expect(origins[1].owners == people(60, from: 15, step: 3))
    #expect(origins[2].owners == people(60, from: 3) && origins[2].times == days(60, from: 120))
  }

  @Test func `a view has the origins of the rows that it keeps`() throws {
    let stream = try habit().prepare(from: EmptyLibrary()).makeStream(seed: Seed(1))
    let view = StreamView(stream, tasks: 2, heldOut: 0.25, seed: Seed(3))
    let (rows, origins) = (view.trainingRows(for: 1), try #require(view.origins(for: 1)))
    #expect(origins.owners.count == 45)
    let owners = rows.places.map { place -> Int32 in 3 + place / 20 }
    let times = rows.places.map { place -> Int64 in 86_400 * (60 + Int64(place)) }
    #expect(origins.owners == owners && origins.times == times)
  }

  @Test func `permissions have people and days too`() throws {
    var settings = HabitPermissions()
    (settings.users, settings.testUsers, settings.days) = (3, 2, 20)
    let stream = try #require(try settings.prepared(by: [-1.0483, 1.6219])).makeStream(seed: Seed(1))
    let origins = try #require(stream.origins(for: 2))
    #expect(origins.owners == people(60, from: 6) && origins.times == days(60, from: 120))
    #expect(stream.trainingRows(for: 2).owners == nil)
    #expect(stream.evaluationSet(for: 1).rows.owners == people(40, from: 17))
  }

  @Test func `test rows of contexts that come back have people and days`() throws {
    var settings = HabitRecurring()
    (settings.users, settings.testUsers, settings.testDays, settings.schedule) = (3, 2, 14, .week)
    (settings.visits, settings.jointCeiling, settings.calibrationUsers) = (4, .none, 60)
    let stream = try settings.prepare(from: EmptyLibrary()).makeStream(seed: Seed(1))
    let test = stream.evaluationSet(for: 3).rows
    #expect(test.owners == [8, 8, 8, 8, 9, 9, 9, 9])
    #expect(test.times?.map { $0 / 86_400 } == [5, 6, 12, 13, 5, 6, 12, 13])
    #expect(stream.evaluationSet(for: 0).rows.owners?.first == 6)
  }
}
