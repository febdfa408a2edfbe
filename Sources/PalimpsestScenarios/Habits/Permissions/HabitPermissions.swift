import PalimpsestCore

/// One law of a daily habit, of which an app may see more in some phases and less in others.
///
/// Launches are hidden in one phase, the hour in another, a calendar shows in the last alone, and in one some completions never reach
/// the log. The law stays the same: what changes is what the columns hold. Beside each row stands the exact probability given what
/// it shows.
///
/// - Rows: users × days for training, test users × days for evaluation, in each task.
/// - Memory: 52 bytes a row.
public struct HabitPermissions: Scenario {
  public static let name = "habit-permissions"
  public static let summary =
    "A daily habit under one law, of which columns vanish and appear and labels go missing: how robust is a learner to that?"
  public static let source = """
    Own generator: the law of habit-phases with a calendar; p* given the shown columns is a mean over the hidden ones, exact. \
    Only what is shown drifts.
    """

  /// Whether a column says what is hidden.
  public enum Mask: String, ParameterChoice { case none, column }

  @Parameter(
    "The tasks: places in the list everything but the calendar, launches revoked, hour revoked, missed logging, calendar granted. One may come again.",
    Bounds.within(0...4).count(atLeast: 1))
  public var phases: [Int] = [0, 1, 2, 3, 4]
  @Parameter(
    "Whether the ninth column says what is hidden (½ launches, 1 the hour, else 0) or is 0 throughout.")
  public var mask: Mask = .none
  @Parameter("Share of kept days in the phase of missed logging whose training label is 0.", .within(0...1))
  public var missedLogging: Double = 0.25
  @Parameter("Users to train on, new in each phase.", .within(1...100_000)) public var users: Int = 20
  @Parameter("Recorded days a user.", .within(1...10_000)) public var days: Int = 60
  @Parameter("Days lived before the recorded ones.", .within(0...10_000)) public var burnIn: Int = 30
  @Parameter("Users to evaluate on, new in each phase.", .within(1...100_000)) public var testUsers: Int = 50
  @Parameter("E p* with all columns shown.", .within(0.02...0.98)) public var baseRate: Double = 0.5
  @Parameter("E max(p*, 1 − p*) with all columns shown.", .within(0.5...1)) public var bayesAccuracy: Double = 0.86
  @Parameter("Whether the phase of an evaluated row is told; only methods that isolate tasks use it.")
  public var identity: TaskIdentity = .given
  @Parameter("Users that calibration looks at.", .within(50...100_000)) public var calibrationUsers: Int = 600
  @Parameter("ε: the least probability of either label with all columns shown.", .within(0..<0.5))
  public var noise: Double = 0.02

  public init() {}

  public var outline: StreamOutline { StreamOutline(tasks: phases.count, trainingRows: users * days) }

  private var targets: HabitTargets { HabitTargets(baseRate: baseRate, bayesAccuracy: bayesAccuracy) }

  public func check() throws(ScenarioError) {
    try HabitSize.check("users", users, days: burnIn + days)
    try HabitSize.check("testUsers", testUsers, days: burnIn + days)
    try HabitSize.check("calibrationUsers", calibrationUsers, days: burnIn + days)
    try targets.check(noise: noise)
  }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    return PermissionCourse(self, PermissionLaw(try solved()))
  }

  /// The law with b0 and γ that meet the targets.
  private func solved() throws(ScenarioError) -> HabitLaw {
    let start = HabitLaw(
      PermissionLaw.weights, intercept: PermissionLaw.prototype.intercept,
      steepness: PermissionLaw.prototype.steepness, noise: noise)
    let calibration = HabitCalibration(start, users: calibrationUsers, burnIn: burnIn, days: days) { draws in
      let user = PermissionUser(draws)
      var surroundings = PermissionSurroundings()
      return { day in PermissionLaw.givenTerms(start, surroundings.pass(user.day(day), of: user)) }
    }
    let law = calibration.solve(for: targets, from: start)
    try targets.check(calibration.means(law))
    return law
  }
}

/// What may be kept of a preparation: b0 and γ.
extension HabitPermissions: CalibratedScenario {
  public var calibrationSettings: HabitPermissions {
    var copy = HabitPermissions()
    (copy.days, copy.burnIn, copy.calibrationUsers) = (days, burnIn, calibrationUsers)
    (copy.baseRate, copy.bayesAccuracy, copy.noise) = (baseRate, bayesAccuracy, noise)
    return copy
  }

  public func calibrate() throws -> [Double] {
    try check()
    let law = try solved()
    return [law.intercept, law.steepness]
  }

  public func prepared(by numbers: [Double]) throws -> (any PreparedScenario)? {
    try check()
    guard numbers.count == 2, numbers.allSatisfy(\.isFinite) else { return nil }
    let law = HabitLaw(PermissionLaw.weights, intercept: numbers[0], steepness: numbers[1], noise: noise)
    return PermissionCourse(self, PermissionLaw(law))
  }
}
