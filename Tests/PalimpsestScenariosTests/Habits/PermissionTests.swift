import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct PermissionTests {
  /// b0 and γ that the defaults are calibrated to, to four digits.
  private static let numbers = [-1.0483, 1.6219]

  private func prepared(_ change: (inout HabitPermissions) -> Void = { _ in }) throws -> any PreparedScenario {
    var settings = HabitPermissions()
    (settings.users, settings.testUsers) = (3, 4)
    change(&settings)
    return try #require(try settings.prepared(by: PermissionTests.numbers))
  }

  private func stream(
    seed: UInt64 = 1, _ change: (inout HabitPermissions) -> Void = { _ in }
  ) throws -> any DriftStream {
    try prepared(change).makeStream(seed: Seed(seed))
  }

  // MARK: - The law, from its formula

  @Test(arguments: [HabitPermissions.Mask.none, .column])
  func `p* is the mean over what is hidden`(mask: HabitPermissions.Mask) throws {
    let stream = try stream { $0.mask = mask }
    let law = RestatedLaw(intercept: PermissionTests.numbers[0], steepness: PermissionTests.numbers[1])
    for task in 0..<5 {
      for (rows, lost) in [(stream.trainingRows(for: task), 0.25), (stream.evaluationSet(for: task).rows, 0)] {
        let inputs = rows.batch.inputs
        let share = task == 3 ? 1 - lost : 1
        for (row, p) in try #require(rows.truth).enumerated() {
          let expected = share * law.probability(Array(inputs.row(row)), task: task)
          #expect(abs(Double(p) - expected) < 3e-7, "task \(task), row \(row)")
        }
      }
    }
  }

  @Test(arguments: [HabitPermissions.Mask.none, .column])
  func `it obeys the laws of scenarios`(mask: HabitPermissions.Mask) throws {
    var settings = HabitPermissions()
    (settings.users, settings.testUsers, settings.calibrationUsers, settings.mask) = (8, 20, 100, mask)
    #expect(try ScenarioLaws.violations(of: settings) == [])
  }

  @Test func `columns hold what their phase shows`() throws {
    let stream = try stream { $0.mask = .column }
    for task in 0..<5 {
      for rows in [stream.trainingRows(for: task), stream.evaluationSet(for: task).rows] {
        #expect((Set(rows.column(2)) == [0]) == (task == 1))
        #expect((Set(rows.column(4)) == [0]) == (task == 2))
        #expect((Set(rows.column(9)) == [0.5]) == (task < 4))
        #expect(Set(rows.column(8)) == [[0, 0.5, 1, 0, 0][task]])
      }
    }
  }

  // MARK: - Calibration

  /// Published by the design: .81 .69 .75 .81 .86 by a prototype whose people open reminders about half as often (b0 −.727, γ 1.693).
  /// Mean of three seeds of 400 people: a seed's B varies by about .002.
  @Test func `calibration meets its targets, and each phase has its own best rule`() throws {
    let numbers = try HabitPermissions().calibrate()
    for (number, expected) in zip(numbers, PermissionTests.numbers) { #expect(abs(number - expected) < 1e-3) }
    var best = [Double](repeating: 0, count: 5)
    for seed in 1...3 {
      let stream = try stream(seed: UInt64(seed)) { $0.testUsers = 400 }
      let truth = try #require(stream.truth)
      for task in 0..<5 { best[task] += truth.bayesAccuracy[task] / 3 }
      let p = try #require(stream.evaluationSet(for: 4).rows.truth).map(Double.init)
      #expect(abs(mean(p) - 0.5) < 0.015)
    }
    for (own, expected) in zip(best, [0.818, 0.712, 0.766, 0.818, 0.861]) {
      #expect(abs(own - expected) < 0.007, "\(best)")
    }
  }

  @Test func `with a mask one rule is as good as all, without one it is not`() throws {
    for (mask, least, most) in [(HabitPermissions.Mask.column, -1e-9, 1e-9), (.none, 0.0005, 0.02)] {
      let truth = try #require(
        try stream {
          $0.mask = mask
          $0.testUsers = 100
        }.truth)
      #expect(truth.ambiguityGap >= least && truth.ambiguityGap < most, "\(mask): \(truth.ambiguityGap)")
      for row in truth.crossAccuracy { #expect(mean(row) <= truth.jointCeiling + 1e-9) }
    }
  }

  @Test func `numbers that are kept give the scenario that was calibrated`() throws {
    var settings = HabitPermissions()
    (settings.users, settings.testUsers, settings.calibrationUsers) = (2, 2, 60)
    let numbers = try settings.calibrate()
    let kept = try #require(try settings.prepared(by: numbers)).makeStream(seed: Seed(3))
    let fresh = try settings.prepare(from: EmptyLibrary()).makeStream(seed: Seed(3))
    for task in 0..<5 {
      #expect(kept.trainingRows(for: task).truth == fresh.trainingRows(for: task).truth)
      #expect(kept.evaluationSet(for: task).rows.labels == fresh.evaluationSet(for: task).rows.labels)
    }
    #expect(try settings.prepared(by: [1]) == nil)
    #expect(try settings.prepared(by: [1, .nan]) == nil)
  }

  /// Together these are all parameters: a new one has to be put on one side.
  @Test func `numbers are kept under the settings that govern them`() throws {
    let free: [(String, (inout HabitPermissions) -> Void)] = [
      ("phases", { $0.phases = [1] }), ("mask", { $0.mask = .column }), ("missedLogging", { $0.missedLogging = 0 }),
      ("users", { $0.users = 7 }), ("testUsers", { $0.testUsers = 8 }), ("identity", { $0.identity = .hidden }),
    ]
    let governing: [(String, (inout HabitPermissions) -> Void)] = [
      ("days", { $0.days = 50 }), ("burnIn", { $0.burnIn = 20 }), ("baseRate", { $0.baseRate = 0.4 }),
      ("bayesAccuracy", { $0.bayesAccuracy = 0.8 }), ("calibrationUsers", { $0.calibrationUsers = 60 }),
      ("noise", { $0.noise = 0.03 }),
    ]
    func kept(_ change: (inout HabitPermissions) -> Void) -> [String] {
      var settings = HabitPermissions()
      change(&settings)
      return settings.calibrationSettings.parameters.map { "\($0.name): \($0.value)" }
    }
    let standard = kept { _ in }
    for (name, change) in free { #expect(kept(change) == standard, "\(name)") }
    for (name, change) in governing { #expect(kept(change) != standard, "\(name)") }
    let names = (free.map(\.0) + governing.map(\.0))
    #expect(Set(names) == Set(ParameterTable.of(HabitPermissions.self).declarations.map(\.name)))
  }

  // MARK: - Knobs

  @Test func `the mask changes its column alone`() throws {
    let (without, with) = (try stream(), try stream { $0.mask = .column })
    for task in 0..<5 {
      let (a, b) = (without.trainingRows(for: task), with.trainingRows(for: task))
      for column in 0..<10 where column != 8 { #expect(a.column(column) == b.column(column)) }
      #expect(a.labels == b.labels && a.truth == b.truth)
    }
  }

  /// Of kept days a quarter goes missing: 3,600 labels, deviation of the share .01.
  @Test func `missed logging takes labels of training rows alone`() throws {
    let some = try stream { $0.users = 60 }
    let none = try stream {
      $0.users = 60
      $0.missedLogging = 0
    }
    for task in 0..<5 {
      let (a, b) = (some.trainingRows(for: task), none.trainingRows(for: task))
      #expect(a.batch.inputs == b.batch.inputs)
      #expect((a.labels == b.labels) == (task != 3))
      #expect(some.evaluationSet(for: task).rows.labels == none.evaluationSet(for: task).rows.labels)
    }
    let (noted, kept) = (some.trainingRows(for: 3).labels, none.trainingRows(for: 3).labels)
    let pairs = zip(noted, kept).filter { $0.1 == 1 }
    #expect(zip(noted, kept).allSatisfy { $0 <= $1 })
    #expect(abs(Double(pairs.count { $0.0 == 0 }) / Double(pairs.count) - 0.25) < 0.045)
  }

  @Test func `more users and other places leave the rows of the first`() throws {
    let few = try stream()
    let many = try stream { $0.users = 6 }
    let turned = try stream { $0.phases = [3, 0, 3] }
    #expect(turned.experiences.map(\.name) == ["missed logging", "everything but the calendar", "missed logging (2)"])
    let first = many.trainingRows(for: 1).selecting((0..<180).map { Int32($0) })
    #expect(few.trainingRows(for: 1).batch.inputs == first.batch.inputs)
    #expect(few.trainingRows(for: 3).batch.inputs == turned.trainingRows(for: 0).batch.inputs)
    #expect(turned.trainingRows(for: 2).batch.inputs != turned.trainingRows(for: 0).batch.inputs)
    #expect(few.trainingRows(for: 0).batch.inputs != (try stream(seed: 2).trainingRows(for: 0).batch.inputs))
  }

  // MARK: - The log

  @Test(arguments: [0, 30]) func `every shown feature and label follows from the log`(burnIn: Int) throws {
    let course = try prepared { $0.burnIn = burnIn }
    let log = try #require(course as? any LoggingScenario)
    let stream = course.makeStream(seed: Seed(5))
    for task in 0..<5 {
      let days = PermissionDays(log.loggedEvents(task: task, seed: Seed(5)))
      let rows = stream.trainingRows(for: task)
      let inputs = rows.batch.inputs
      for row in 0..<rows.count {
        let (user, day) = (3 * task + row / 60, burnIn + row % 60)
        #expect(Array(inputs.row(row)) == days.features(user, day, task: task), "task \(task), row \(row)")
        #expect(rows.labels[row] == days.label(user, day))
      }
    }
  }

  // MARK: - Messages

  @Test func `settings that contradict each other are refused at their place`() {
    func error(_ change: (inout HabitPermissions) -> Void) -> ScenarioError? {
      var settings = HabitPermissions()
      change(&settings)
      do throws(ScenarioError) { try settings.check() } catch { return error }
      return nil
    }
    #expect(
      error { $0.bayesAccuracy = 0.99 }
        == ScenarioError(
          parameter: "bayesAccuracy", "0.99 cannot be reached with noise 0.02. It must be below 1 − noise = 0.98."))
    #expect(
      error {
        $0.testUsers = 100_000
        $0.days = 1000
      }
        == ScenarioError(
          parameter: "testUsers", "100000 users × 1030 days are more than 20000000 days. Take fewer users or days."))
    #expect(
      error {
        $0.baseRate = 0.9
      }?.parameter == "bayesAccuracy")
  }
}
