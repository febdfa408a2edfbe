import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct SeasonTests {
  private func settings(_ change: (inout HabitSeasons) -> Void = { _ in }) -> HabitSeasons {
    var settings = HabitSeasons()
    (settings.users, settings.testUsers, settings.hindsight) = (3, 2, .none)
    change(&settings)
    return settings
  }

  private func stream(
    seed: UInt64 = 1, _ change: (inout HabitSeasons) -> Void = { _ in }
  ) throws -> any DriftStream { try settings(change).prepare(from: EmptyLibrary()).makeStream(seed: Seed(seed)) }

  /// Nothing but the latent law: no seasons, trips, blips, fatigue's floor or event.
  private func bare(_ settings: inout HabitSeasons) {
    (settings.amplitude, settings.trips, settings.ownBlips, settings.blips) = (0, 0, 0, [])
    (settings.lifeEvent, settings.fatigueFloor, settings.burnIn) = (nil, 0, 0)
  }

  // MARK: - The law

  @Test func `p* is that of the restated lives, for every row`() throws {
    for seed in 1...2 {
      let stream = try stream(seed: UInt64(seed)) { $0.users = 12 }
      let lives = RestatedSeasons(seed: Seed(UInt64(seed)).derived("seasons-training"))
      let expected = (0..<12).map { lives.probabilities($0) }
      var row = 0
      for task in stream.experiences.indices {
        for p in try #require(stream.trainingRows(for: task).truth) {
          #expect(abs(Double(p) - expected[row % 12][row / 12]) < 1e-6, "day \(row / 12), person \(row % 12)")
          row += 1
        }
      }
      #expect(row == 12 * 730)
    }
  }

  @Test(arguments: [HabitSeasons.Tasks.quarters, .event, .whole])
  func `it obeys the laws of scenarios`(tasks: HabitSeasons.Tasks) throws {
    #expect(
      try ScenarioLaws.violations(
        of: settings { (($0.users, $0.testUsers), $0.tasks) = ((10, 10), tasks) }) == [])
  }

  /// The design's prototype: .24 in week 1, .40 at day 90, .43 at day 180, deviation between people .32, state oracle .852, persistence
  /// .783; 2,000 people, so the deviation of a week's mean is .007.
  @Test func `without seasons and incidents the rates are the design's`() throws {
    let stream = try stream(seed: 5) {
      bare(&$0)
      ($0.users, $0.days, $0.tasks) = (2000, 182, .whole)
    }
    let rows = stream.trainingRows(for: 0)
    let p = try #require(rows.truth).map(Double.init)
    func rate(_ days: Range<Int>) -> Double { mean(Array(p[2000 * days.lowerBound..<2000 * days.upperBound])) }
    #expect(abs(rate(0..<7) - 0.25) < 0.025)
    #expect(abs(rate(85..<95) - 0.40) < 0.025)
    #expect(abs(rate(172..<182) - 0.43) < 0.025)
    let people = (0..<2000).map { person in mean((0..<182).map { p[2000 * $0 + person] }) }
    let deviation = mean(people.map { ($0 - mean(people)) * ($0 - mean(people)) }).squareRoot()
    #expect(abs(deviation - 0.31) < 0.02)
    #expect(abs(mean(p.map { max($0, 1 - $0) }) - 0.853) < 0.01)
    let today = rows.column(0).map { $0 > 0 }
    #expect(abs(mean(zip(today, p).dropFirst(2000).map { $0.0 ? $0.1 : 1 - $0.1 }) - 0.785) < 0.01)
  }

  /// The design's prototype: .851 (deviation .007 from seed to seed of 60 people) and .778 from day 60 on.
  @Test func `with all of it state oracle and persistence are the design's`() throws {
    var (state, persistence) = (0.0, 0.0)
    for seed in 1...4 {
      let stream = try stream(seed: UInt64(seed)) { ($0.users, $0.tasks) = (100, .whole) }
      let rows = stream.trainingRows(for: 0)
      let p = try #require(rows.truth).map(Double.init).dropFirst(6000)
      let today = rows.column(0).dropFirst(6000).map { $0 > 0 }
      state += mean(p.map { max($0, 1 - $0) }) / 4
      persistence += mean(zip(today, p).map { $0.0 ? $0.1 : 1 - $0.1 }) / 4
    }
    #expect(abs(state - 0.855) < 0.012)
    #expect(abs(persistence - 0.783) < 0.017)
  }

  // MARK: - What happens

  @Test func `the stream says what happens to all, and in which rows`() throws {
    let events = try #require(try stream().events)
    #expect(
      events == [
        DriftEvent(.blip, 300...314), DriftEvent(.blip, 675...689), DriftEvent(.blip, 1395...1409),
        DriftEvent(.change, 1500...1500), DriftEvent(.blip, 1770...1784),
      ])
    #expect(try stream { ($0.lifeEvent, $0.blips) = (nil, []) }.events == [])
  }

  /// A blip takes 1.5 · 1.6 = 2.4 from the log-odds of all: of a rate about .45 remain less than .25.
  @Test func `blips and the event are there for all`() throws {
    let stream = try stream { ($0.users, $0.tasks) = (300, .whole) }
    let rows = stream.trainingRows(for: 0)
    let p = try #require(rows.truth).map(Double.init)
    func rate(_ days: Range<Int>) -> Double { mean(Array(p[300 * days.lowerBound..<300 * days.upperBound])) }
    for first in [100, 225, 465, 590] {
      #expect(rate(first..<first + 5) < 0.62 * rate(first - 10..<first))
      #expect(rate(first + 6..<first + 12) > 0.8 * rate(first - 10..<first))
    }
    #expect(rate(500..<510) < rate(490..<500) - 0.05)
    let launches = rows.column(2).map(Double.init)
    #expect(mean(Array(launches[30_000..<31_500])) < 0.6 * mean(Array(launches[28_000..<30_000])))
    let hours = rows.column(4).map { 24 * Double($0) }
    let (before, behind) = (mean(Array(hours[147_000..<150_000])), mean(Array(hours[150_000..<153_000])))
    #expect(behind - before > 4)
  }

  @Test func `people travel and fall ill as often as set`() throws {
    let log = try #require(
      try settings { $0.users = 200 }.prepare(from: EmptyLibrary()) as? any LoggingScenario)
    let kinds = LoggedDays((0..<8).flatMap { log.loggedEvents(task: $0, seed: Seed(4)) }).kinds
    // 790 days · 200 people: 866 trips and 1,299 blips, less those within another (about a twentieth and a twenty-fifth).
    #expect(abs(Double(kinds["trip-began"] ?? 0) - 823) < 90)
    #expect(abs(Double(kinds["blip-began"] ?? 0) - 1247) < 110)
    #expect(kinds["common-blip-began"] == 800 && kinds["common-blip-ended"] == 800 && kinds["life-event"] == 200)
  }

  @Test(arguments: [0, 60]) func `every feature and label follows from the log`(burnIn: Int) throws {
    let course = try settings { $0.burnIn = burnIn }.prepare(from: EmptyLibrary())
    let log = try #require(course as? any LoggingScenario)
    let stream = course.makeStream(seed: Seed(6))
    let days = LoggedDays((0..<8).flatMap { log.loggedEvents(task: $0, seed: Seed(6)) })
    for task in 0..<8 { #expect(days.mismatches(stream.trainingRows(for: task), burnIn: burnIn) == []) }
  }

  // MARK: - Tasks

  @Test func `tasks are parts of the days`() throws {
    let stream = try stream()
    #expect(
      stream.experiences.map(\.name) == [
        "winter", "spring", "summer", "autumn", "winter (2)", "spring (2)", "summer (2)", "autumn (2)",
      ])
    #expect(stream.experiences.map { $0.rows / 3 } == [91, 91, 91, 92, 91, 91, 91, 92])
    #expect(stream.trainingRows(for: 1).times?.first == Int64(91 * 86_400))
    #expect(stream.trainingRows(for: 1).owners?.prefix(4) == [0, 1, 2, 0])
    #expect(stream.evaluationSet(for: 3).rows.count == 2 * 92)
    let halves = try self.stream { $0.tasks = .event }
    #expect(halves.experiences.map(\.name) == ["before", "behind"] && halves.experiences.map(\.rows) == [1500, 690])
    let year = try self.stream { ($0.days, $0.lifeEvent, $0.blips) = (400, 50, [7]) }
    #expect(year.experiences.map { $0.rows / 3 } == [91, 91, 91, 92, 35])
  }

  @Test func `laws of other seasons are worse, and those across the event worst`() throws {
    let truth = try #require(try stream { $0.testUsers = 100 }.truth)
    #expect(truth.totalVariation[0][2] > 2 * truth.totalVariation[0][4])
    #expect(truth.totalVariation[0][2] > 0.08 && truth.totalVariation[2][6] > truth.totalVariation[0][4] + 0.02)
    let flat = try #require(
      try stream {
        bare(&$0)
        $0.testUsers = 20
      }.truth)
    #expect(flat.totalVariation.allSatisfy { $0.allSatisfy { $0 == 0 } })
  }

  // MARK: - Hindsight

  @Test func `hindsight lies between persistence and the state, and its numbers give it again`() throws {
    let settings = settings {
      ($0.days, $0.lifeEvent, $0.blips, $0.testUsers) = (60, nil, [], 150)
      ($0.hindsight, $0.tasks) = (.estimate, .whole)
    }
    let numbers = try settings.calibrate()
    // Weights and biases of 10-32-16-1; a layer's parameters fill blocks.
    #expect(numbers.count >= 10 * 32 + 32 + 32 * 16 + 16 + 16 + 1)
    let stream = try #require(try settings.prepared(by: numbers)).makeStream(seed: Seed(3))
    let truth = try #require(stream.truth)
    #expect(
      truth.jointCeiling == (try settings.prepare(from: EmptyLibrary()).makeStream(seed: Seed(3)).truth?.jointCeiling))
    let rows = stream.evaluationSet(for: 0).rows
    let p = try #require(rows.truth).map(Double.init)
    let persistence = mean(zip(rows.column(0), p).map { $0.0 > 0 ? $0.1 : 1 - $0.1 })
    #expect(truth.jointCeiling > persistence + 0.01)
    #expect(truth.jointCeiling < truth.bayesAccuracy[0] - 0.01)
    #expect(try settings.prepared(by: Array(numbers.dropLast())) == nil)
    #expect(try settings.prepared(by: []) == nil)
  }

  /// Together these are all parameters: a new one has to be put on one side.
  @Test func `numbers are kept under the settings that govern them`() {
    let free: [(String, (inout HabitSeasons) -> Void)] = [
      ("users", { $0.users = 7 }), ("testUsers", { $0.testUsers = 8 }), ("identity", { $0.identity = .given }),
      ("tasks", { $0.tasks = .whole }),
    ]
    let governing: [(String, (inout HabitSeasons) -> Void)] = [
      ("days", { $0.days = 700 }), ("burnIn", { $0.burnIn = 20 }), ("lifeEvent", { $0.lifeEvent = nil }),
      ("blips", { $0.blips = [] }), ("blipDays", { $0.blipDays = 4 }), ("ownBlips", { $0.ownBlips = 1 }),
      ("trips", { $0.trips = 1 }), ("amplitude", { $0.amplitude = 0 }), ("fatigueFloor", { $0.fatigueFloor = 1 }),
      ("hindsight", { $0.hindsight = .estimate }),
    ]
    func kept(_ change: (inout HabitSeasons) -> Void) -> [String] {
      settings(change).calibrationSettings.parameters.map { "\($0.name): \($0.value)" }
    }
    let standard = kept { _ in }
    for (name, change) in free { #expect(kept(change) == standard, "\(name)") }
    for (name, change) in governing { #expect(kept(change) != standard, "\(name)") }
    let names = (free.map(\.0) + governing.map(\.0))
    #expect(Set(names) == Set(ParameterTable.of(HabitSeasons.self).declarations.map(\.name)))
  }

  // MARK: - Knobs

  /// Launches, reminders opened, the hour, the weekend, the week's reminders, travel and the season.
  private let given = [2, 3, 4, 5, 7, 8, 9]

  @Test func `seasons and the event move nothing that completions don't, but the hour`() throws {
    let all = try stream { $0.tasks = .whole }.trainingRows(for: 0)
    let flat = try stream { ($0.tasks, $0.amplitude) = (.whole, 0) }.trainingRows(for: 0)
    let calm = try stream { ($0.tasks, $0.lifeEvent) = (.whole, nil) }.trainingRows(for: 0)
    for column in given { #expect(all.column(column) == flat.column(column)) }
    for column in given where column != 4 { #expect(all.column(column) == calm.column(column)) }
    #expect(all.column(4).prefix(1500) == calm.column(4).prefix(1500) && all.column(4) != calm.column(4))
    #expect(all.labels.prefix(1500) == calm.labels.prefix(1500))
    #expect(all.labels != flat.labels && all.labels != calm.labels)
  }

  @Test func `people, days and seeds are apart`() throws {
    let few = try stream { $0.tasks = .whole }.trainingRows(for: 0)
    let many = try stream { ($0.tasks, $0.users) = (.whole, 5) }.trainingRows(for: 0)
    let long = try stream { ($0.tasks, $0.days) = (.whole, 800) }.trainingRows(for: 0)
    let shared = many.selecting((0..<Int32(many.count)).filter { $0 % 5 < 3 })
    #expect(few.batch.inputs == shared.batch.inputs && few.labels == shared.labels && few.truth == shared.truth)
    let first = long.selecting((0..<Int32(few.count)).map { $0 })
    #expect(few.batch.inputs == first.batch.inputs && few.truth == first.truth)
    let other = try stream(seed: 2) { $0.tasks = .whole }.trainingRows(for: 0)
    let equal = zip(few.column(4), other.column(4)).count { $0.0 == $0.1 }
    #expect(equal < few.count / 100)
  }

  // MARK: - Messages

  private func error(_ change: (inout HabitSeasons) -> Void) -> ScenarioError? {
    do throws(ScenarioError) {
      var settings = HabitSeasons()
      change(&settings)
      try settings.check()
    } catch { return error }
    return nil
  }

  @Test func `settings that contradict each other are refused at their place`() {
    #expect(
      error { $0.lifeEvent = 730 }
        == ScenarioError(
          parameter: "lifeEvent", "730 is no day behind the first of 730. Take 1 to 729, or null."))
    #expect(
      error { ($0.lifeEvent, $0.tasks) = (nil, .event) }
        == ScenarioError(
          parameter: "tasks",
          "\"event\" cuts at the life event, and there is none. Set lifeEvent, or take \"quarters\"."))
    #expect(
      error { $0.blips = [100, 104] }
        == ScenarioError(
          parameter: "blips", "104 begins before the blip of day 100 has ended. List them in order, apart."))
    #expect(
      error { $0.blips = [726] }
        == ScenarioError(
          parameter: "blips", "726 + 5 days end behind the stream's 730. Leave it out."))
    #expect(
      error { ($0.users, $0.days) = (100_000, 1000) }
        == ScenarioError(
          parameter: "users", "100000 users × 1060 days are more than 20000000 days. Take fewer users or days."))
  }
}
