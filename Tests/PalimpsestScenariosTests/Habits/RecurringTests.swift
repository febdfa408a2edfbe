import PalimpsestCore
import PalimpsestScenarios
import PalimpsestTesting
import Testing

@Suite struct RecurringTests {
  private func settings(_ change: (inout HabitRecurring) -> Void = { _ in }) -> HabitRecurring {
    var settings = HabitRecurring()
    (settings.users, settings.testUsers, settings.calibrationUsers) = (3, 4, 60)
    (settings.visits, settings.visitDays, settings.jointCeiling) = (6, 10, .none)
    change(&settings)
    return settings
  }

  private func prepared(_ change: (inout HabitRecurring) -> Void = { _ in }) throws -> any PreparedScenario {
    try settings(change).prepare(from: EmptyLibrary())
  }

  private func stream(
    seed: UInt64 = 1, _ change: (inout HabitRecurring) -> Void = { _ in }
  ) throws -> any DriftStream { try prepared(change).makeStream(seed: Seed(seed)) }

  // MARK: - The law

  /// Eleven numbers a context: b_s, b_r, b_l, b_m, b_h, b_w, b_g, c, b0, γ, ε.
  private func restated(_ n: ArraySlice<Double>, _ x: [Float]) -> Double {
    let (n, x) = (Array(n), x.map(Double.init))
    var z = n[8] + n[0] * (2 * x[0] - 0.6) + n[1] * (2 * x[1] - 1) + n[2] * (4 * x[2] - 1.5) + n[3] * (3 * x[3] - 0.5)
    z += n[4] * Elementary.cos(2 * .pi * (x[4] - n[7] / 24)) + n[5] * (2 * x[5] - 1) + n[6] * (2 * x[6] - 0.3)
    return n[10] + (1 - 2 * n[10]) * Elementary.logistic(n[9] * z)
  }

  @Test(arguments: [HabitPhases.Context.visible, .hidden])
  func `p* is the context's law of what the row shows`(context: HabitPhases.Context) throws {
    let numbers = try settings { $0.context = context }.calibrate()
    let stream = try stream { $0.context = context }
    #expect(numbers.count == 33)
    for task in 0..<6 {
      let law = numbers[11 * (task % 3)..<11 * (task % 3 + 1)]
      for rows in [stream.trainingRows(for: task), stream.evaluationSet(for: task).rows] {
        let inputs = rows.batch.inputs
        for (row, p) in try #require(rows.truth).enumerated() {
          #expect(abs(Double(p) - restated(law, Array(inputs.row(row)))) < 1e-6, "task \(task), row \(row)")
        }
      }
    }
  }

  /// By default they are solved from the same people and days.
  @Test func `the laws are those of habit phases`() throws {
    var phases = HabitPhases()
    (phases.phases, phases.calibrationUsers, phases.jointCeiling) = ([0, 1, 4], 60, .none)
    #expect(try settings().calibrate() == phases.calibrate())
  }

  @Test(arguments: [HabitRecurring.Schedule.blocks, .week, .phases])
  func `it obeys the laws of scenarios`(schedule: HabitRecurring.Schedule) throws {
    let settings = settings {
      $0.schedule = schedule
      (($0.users, $0.testUsers), $0.visitDays) = ((12, 30), schedule == .week ? nil : 10)
      $0.visits = schedule == .week ? 20 : schedule == .phases ? nil : 6
    }
    #expect(try ScenarioLaws.violations(of: settings) == [])
  }

  @Test func `J* lies between the best law for all and the mean of the best`() throws {
    let truth = try #require(
      try stream {
        ($0.jointCeiling, $0.testUsers) = (.estimate, 300)
        ($0.calibrationUsers, $0.context) = (600, .hidden)
      }.truth)
    #expect(truth.ambiguityGap > 0.05)
    #expect(truth.jointCeiling > (truth.crossAccuracy.map { mean($0) }.max() ?? 1) - 0.01)
  }

  // MARK: - Days

  @Test func `a day of the stream is a row of each person in the context that is in force`() throws {
    let stream = try stream()
    #expect(
      stream.experiences.map(\.name) == [
        "morning routine", "night shift", "new job", "morning routine (2)", "night shift (2)", "new job (2)",
      ])
    for task in 0..<6 {
      let rows = stream.trainingRows(for: task)
      #expect(rows.count == 30 && stream.experiences[task].rows == 30)
      #expect(rows.owners == (0..<30).map { Int32(3 * (task % 3) + $0 % 3) })
      #expect(rows.times == (0..<30).map { 86_400 * Int64(10 * task + $0 / 3) })
      let dates = (0..<30).map { 10 * task + $0 / 3 }
      #expect(rows.column(5) == dates.map { ($0 + 1) % 7 >= 5 ? 1 : 0 })
      #expect(rows.column(9) == dates.map { Float(0.5 + 0.5 * Elementary.sin(2 * .pi * Double($0) / 365)) })
    }
  }

  @Test func `a week has weekdays and a weekend, on test days too`() throws {
    let stream = try stream {
      ($0.schedule, $0.visits, $0.visitDays) = (.week, 5, nil)
    }
    #expect(stream.experiences.map(\.rows) == [15, 6, 15, 6, 15])
    #expect(stream.trainingRows(for: 3).times == [12, 12, 12, 13, 13, 13].map { 86_400 * Int64($0) })
    #expect(stream.evaluationSet(for: 0).rows.count == 4 * 40 && stream.evaluationSet(for: 1).rows.count == 4 * 16)
    #expect(stream.trainingRows(for: 0).column(5) == (0..<15).map { $0 / 3 == 4 ? 1 : 0 })
    #expect(stream.evaluationSet(for: 1).rows.column(5) == (0..<64).map { $0 % 2 == 0 ? 1 : 0 })
  }

  @Test(arguments: [HabitRecurring.Schedule.blocks, .week])
  func `every feature and label follows from the log, through all visits of a context`(
    schedule: HabitRecurring.Schedule
  ) throws {
    let course = try prepared {
      ($0.schedule, $0.contexts) = (schedule, schedule == .week ? [2, 3] : [2, 0])
      $0.visitDays = schedule == .week ? nil : 10
    }
    let log = try #require(course as? any LoggingScenario)
    let stream = course.makeStream(seed: Seed(5))
    let days = LoggedDays((0..<6).flatMap { log.loggedEvents(task: $0, seed: Seed(5)) })
    #expect(days.kinds["zone-changed"] == 3)
    for task in 0..<6 { #expect(days.mismatches(stream.trainingRows(for: task), burnIn: 30) == []) }
  }

  @Test func `a task's part of the log is its own`() throws {
    let log = try #require(try prepared() as? any LoggingScenario)
    let parts = (0..<6).map { task in log.loggedEvents(task: task, seed: Seed(2)) }
    for (a, b) in zip(parts[0..<3], parts[3...]) {
      #expect((a.map(\.day).max() ?? .max) < (b.map(\.day).min() ?? 0))
      #expect(Set(a.map(\.user)) == Set(b.map(\.user)))
    }
  }

  // MARK: - Knobs

  @Test func `people, visits and seeds change nothing but what they govern`() throws {
    let few = try stream()
    let many = try stream { ($0.users, $0.visits) = (5, 9) }
    for task in 0..<6 {
      let (a, b) = (few.trainingRows(for: task), many.trainingRows(for: task))
      let shared = b.selecting((0..<Int32(b.count)).filter { $0 % 5 < 3 })
      #expect(a.batch.inputs == shared.batch.inputs && a.labels == shared.labels && a.truth == shared.truth)
      #expect(few.evaluationSet(for: task).rows.batch.inputs == many.evaluationSet(for: task).rows.batch.inputs)
      #expect(a.batch.inputs != (try stream(seed: 2).trainingRows(for: task).batch.inputs))
    }
    let hidden = try stream { $0.context = .hidden }
    for column in [5, 9] {
      #expect(few.trainingRows(for: 1).column(column) == hidden.trainingRows(for: 1).column(column))
    }
    #expect(few.trainingRows(for: 1).column(4) != hidden.trainingRows(for: 1).column(4))
  }

  @Test func `kept numbers give the scenario that was calibrated`() throws {
    let settings = settings()
    let numbers = try settings.calibrate()
    let kept = try #require(try settings.prepared(by: numbers)).makeStream(seed: Seed(3))
    #expect(kept.trainingRows(for: 4).truth == (try stream(seed: 3).trainingRows(for: 4).truth))
    #expect(try settings.prepared(by: Array(numbers.dropLast())) == nil)
    #expect(try settings.prepared(by: numbers.map { _ in .nan }) == nil)
  }

  /// Together these are all parameters: a new one has to be put on one side.
  @Test func `numbers are kept under the settings that govern them`() {
    let free: [(String, (inout HabitRecurring) -> Void)] = [
      ("users", { $0.users = 7 }), ("testUsers", { $0.testUsers = 8 }), ("visits", { $0.visits = 9 }),
      ("visitDays", { $0.visitDays = 11 }), ("identity", { $0.identity = .hidden }),
      ("labelNoise.kind", { $0.operators.labelNoise.kind = .missed }),
      ("labelNoise.rate", { ($0.operators.labelNoise.kind, $0.operators.labelNoise.rate) = (.missed, 0.2) }),
      ("labelNoise.tasks", { ($0.operators.labelNoise.kind, $0.operators.labelNoise.tasks) = (.missed, [1]) }),
      ("unavailable.columns", { $0.operators.unavailable.columns = ["away"] }),
      ("unavailable.mask", { ($0.operators.unavailable.columns, $0.operators.unavailable.mask) = (["gap"], .column) }),
      ("unavailable.tasks", { ($0.operators.unavailable.columns, $0.operators.unavailable.tasks) = (["gap"], [0]) }),
    ]
    let governing: [(String, (inout HabitRecurring) -> Void)] = [
      ("schedule", { $0.schedule = .phases }), ("contexts", { $0.contexts = [1] }),
      ("context", { $0.context = .hidden }),
      ("burnIn", { $0.burnIn = 20 }), ("baseRate", { $0.baseRate = 0.4 }),
      ("bayesAccuracy", { $0.bayesAccuracy = 0.8 }),
      ("dose", { $0.dose = 0.5 }), ("calibrationUsers", { $0.calibrationUsers = 70 }), ("noise", { $0.noise = 0.03 }),
      ("jointCeiling", { $0.jointCeiling = .estimate }), ("testDays", { $0.testDays = 63 }),
    ]
    func kept(_ change: (inout HabitRecurring) -> Void) -> [String] {
      settings(change).calibrationSettings.parameters.map { "\($0.name): \($0.value)" }
    }
    let standard = kept { _ in }
    for (name, change) in free { #expect(kept(change) == standard, "\(name)") }
    for (name, change) in governing { #expect(kept(change) != standard, "\(name)") }
    let names = (free.map(\.0) + governing.map(\.0))
    #expect(Set(names) == Set(ParameterTable.of(HabitRecurring.self).declarations.map(\.name)))
  }

  // MARK: - Messages

  private func error(_ change: (inout HabitRecurring) -> Void) -> ScenarioError? {
    do throws(ScenarioError) {
      var settings = HabitRecurring()
      change(&settings)
      try settings.check()
    } catch { return error }
    return nil
  }

  @Test func `settings that contradict each other are refused at their place`() {
    #expect(
      error { ($0.schedule, $0.visitDays) = (.week, 3) }
        == ScenarioError(
          parameter: "visitDays",
          "3 is given, and in a week visits last 5 and 2 days. Leave it out, or take \"blocks\"."))
    #expect(
      error { ($0.schedule, $0.contexts) = (.week, [0, 0]) }
        == ScenarioError(
          parameter: "contexts", "[0, 0] are no two contexts: one for weekdays, another for weekends."))
    #expect(
      error { ($0.users, $0.visitDays) = (100_000, 100) }
        == ScenarioError(
          parameter: "users", "100000 users × 1230 days are more than 20000000 days. Take fewer users or days."))
    #expect(error { $0.baseRate = 0.9 }?.parameter == "bayesAccuracy")
  }
}
