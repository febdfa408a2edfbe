import PalimpsestCore
import PalimpsestScenarios
import Testing

@Suite struct HabitCalibrationTests {
  /// Few users, so that laws are solved in no time; 53 are no multiple of those who live side by side.
  private func settings(_ change: (inout HabitPhases) -> Void = { _ in }) -> HabitPhases {
    var settings = HabitPhases()
    settings.calibrationUsers = 53
    settings.jointCeiling = .none
    settings.users = 2
    settings.testUsers = 3
    change(&settings)
    return settings
  }

  private func course(_ settings: HabitPhases, _ numbers: [Double]) throws -> HabitCourse {
    try #require(settings.prepared(by: numbers) as? HabitCourse)
  }

  // MARK: - Bits

  /// A cube of these settings is that of the program that took one user after the other, bit for bit.
  @Test func `solved laws keep their bits`() throws {
    let laws = try settings().calibrated().laws
    #expect(
      laws.map(\.intercept.bitPattern)
        == [0xBFF469C99752A978, 0x3FE1E897FF63C129, 0xBFC2DA31E5874258, 0xC0011C937521783F, 0xBFEE418B30FCE5EA])
    #expect(
      laws.map(\.steepness.bitPattern)
        == [0x3FF70490A2DFE1AA, 0x3FF8878F6CBE71A0, 0x40000A366C228CFB, 0x3FF171CDE099D69B, 0x3FF80A096D8C3F76])
  }

  @Test func `so do those of an asked distance`() throws {
    let laws = try settings {
      $0.context = .hidden
      $0.driftTV = 0.25
      $0.phases = [0, 3]
      $0.days = 7
      $0.burnIn = 3
    }.calibrated().laws
    #expect(
      laws.map(\.intercept.bitPattern)
        == [0xBFE00C2441E23C90, 0x3FC49ACAE8AE6C7B])
    #expect(
      laws.map(\.steepness.bitPattern)
        == [0x3FE9930179224125, 0x3FE39D104C153898])
    #expect(
      laws.map(\.weights.streak.bitPattern)
        == [0x3FF12B1A06160CA0, 0x3FF12B1A06160CA0])
  }

  // MARK: - Kept numbers

  @Test(arguments: [HabitPhases.Context.visible, .hidden])
  func `a course from kept numbers is the course that was calibrated`(context: HabitPhases.Context) throws {
    let settings = settings {
      $0.context = context
      $0.phases = [1, 4, 1]
      $0.noise = 0.03
    }
    let (solved, kept) = try (settings.calibrated(), course(settings, settings.calibrate()))
    #expect(solved.laws == kept.laws && kept.jointCeiling.isNaN && kept.outlook == solved.outlook)
    let (one, other) = (solved.makeStream(seed: Seed(3)), kept.makeStream(seed: Seed(3)))
    for task in 0..<3 {
      #expect(one.trainingRows(for: task).labels == other.trainingRows(for: task).labels)
      #expect(one.trainingRows(for: task).truth == other.trainingRows(for: task).truth)
      #expect(one.evaluationSet(for: task).rows.truth == other.evaluationSet(for: task).rows.truth)
    }
    #expect(one.truth?.crossAccuracy == other.truth?.crossAccuracy)
  }

  @Test func `the joint ceiling is kept with the laws`() throws {
    let settings = settings {
      $0.jointCeiling = .estimate
      $0.calibration = .table
      $0.phases = [0, 1]
    }
    let numbers = try settings.calibrate()
    #expect(try course(settings, numbers).jointCeiling == settings.calibrated().jointCeiling)
    #expect(numbers.count == 2 * 11 + 1 && numbers.allSatisfy(\.isFinite))
  }

  @Test func `numbers of other settings are not taken`() throws {
    let numbers = try settings { $0.phases = [0, 1] }.calibrate()
    #expect(try settings { $0.phases = [0, 1, 2] }.prepared(by: numbers) == nil)
    #expect(try settings { $0.jointCeiling = .estimate }.prepared(by: numbers) == nil)
    #expect(try settings { $0.phases = [0, 1] }.prepared(by: numbers.dropLast() + [.nan]) == nil)
    #expect(try settings().prepared(by: []) == nil)
  }

  @Test func `settings that contradict each other are refused with kept numbers too`() throws {
    let numbers = try settings().calibrate()
    #expect(throws: ScenarioError.self) {
      try settings {
        $0.testUsers = 100_000
        $0.days = 10_000
      }.prepared(by: numbers)
    }
  }

  // MARK: - What the numbers depend on

  private func values(_ settings: HabitPhases) -> [String] { settings.parameters.map { "\($0.name): \($0.value)" } }

  private static let others: [(String, @Sendable (inout HabitPhases) -> Void)] = [
    ("users", { $0.users = 7 }), ("testUsers", { $0.testUsers = 8 }), ("identity", { $0.identity = .hidden }),
    ("revisit", { $0.revisit = .none }),
    ("transition", { ($0.composition.transition, $0.composition.width) = (.sigmoid, 9) }),
    ("width", { ($0.composition.transition, $0.composition.width) = (.linear, 8) }),
    ("schedule.name", { scheduled(&$0, .markov) { _ in } }),
    ("schedule.at", { scheduled(&$0, .blip) { $0.at = [20] } }),
    ("schedule.order", { scheduled(&$0, .recurring) { $0.order = [1, 0] } }),
    ("schedule.period", { scheduled(&$0, .seasonal) { $0.period = 30 } }),
    ("schedule.amplitude", { scheduled(&$0, .seasonal) { $0.amplitude = 0.5 } }),
    ("schedule.stay", { scheduled(&$0, .markov) { $0.stay = 0.5 } }),
    ("schedule.width", { scheduled(&$0, .gaussian) { $0.width = 7 } }),
    ("schedule.length", { scheduled(&$0, .blip) { $0.length = 3 } }),
    ("labelNoise.kind", { $0.operators.labelNoise.kind = .missed }),
    ("labelNoise.rate", { ($0.operators.labelNoise.kind, $0.operators.labelNoise.rate) = (.missed, 0.2) }),
    ("labelNoise.tasks", { ($0.operators.labelNoise.kind, $0.operators.labelNoise.tasks) = (.missed, [1]) }),
    ("unavailable.columns", { $0.operators.unavailable.columns = ["away"] }),
    ("unavailable.mask", { ($0.operators.unavailable.columns, $0.operators.unavailable.mask) = (["gap"], .column) }),
    ("unavailable.tasks", { ($0.operators.unavailable.columns, $0.operators.unavailable.tasks) = (["gap"], [0]) }),
  ]

  @Sendable private static func scheduled(
    _ habit: inout HabitPhases, _ name: ScheduleSettings.Name, _ change: (inout ScheduleSettings) -> Void
  ) {
    (habit.identity, habit.composition.schedule.name) = (.hidden, name)
    change(&habit.composition.schedule)
  }

  /// Settings of a schedule that habits cannot have: refused before anything is solved.
  private static let refused = ["schedule.from", "schedule.to"]

  @Test func `settings left out of what numbers are kept under change none`() throws {
    let standard = settings {
      $0.jointCeiling = .estimate
      $0.phases = [0, 2]
    }
    let numbers = try standard.calibrate()
    for (name, change) in HabitCalibrationTests.others {
      var changed = standard
      change(&changed)
      #expect(try changed.calibrate().map(\.bitPattern) == numbers.map(\.bitPattern), "\(name)")
      #expect(values(changed.calibrationSettings) == values(standard.calibrationSettings), "\(name)")
    }
  }

  private static let governing: [(String, @Sendable (inout HabitPhases) -> Void)] = [
    ("context", { $0.context = .hidden }), ("days", { $0.days = 50 }), ("burnIn", { $0.burnIn = 20 }),
    ("features", { $0.features = .five }), ("phases", { $0.phases = [0, 1] }), ("baseRate", { $0.baseRate = 0.4 }),
    ("bayesAccuracy", { $0.bayesAccuracy = 0.8 }), ("calibration", { $0.calibration = .table }),
    ("dose", { $0.dose = 0.5 }), ("driftTV", { $0.driftTV = 0.2 }), ("calibrationUsers", { $0.calibrationUsers = 60 }),
    ("noise", { $0.noise = 0.03 }), ("jointCeiling", { $0.jointCeiling = .estimate }),
  ]

  /// Together with those above these are all: a new parameter has to be put on one side.
  @Test func `every other setting is part of what numbers are kept under`() {
    for (name, change) in HabitCalibrationTests.governing {
      #expect(
        values(settings(change).calibrationSettings) != values(settings().calibrationSettings), "\(name)")
    }
    let names =
      (HabitCalibrationTests.others + HabitCalibrationTests.governing).map(\.0) + HabitCalibrationTests.refused
    #expect(Set(names) == Set(ParameterTable.of(HabitPhases.self).declarations.map(\.name)))
  }
}
