import PalimpsestCore

/// Contexts of life that come and go and come back, while people live in each of them all the time.
///
/// In every context there are people whose days go on whether it is in force or not; a day of the stream shows the rows of those whose
/// context is in force. So when a context returns, nothing but time has passed in it. The laws are those of ``HabitPhases``.
///
/// - Rows: users a day; a task is a visit of a context. Test rows are other people's days under the context's law.
/// - Memory: 52 bytes a row, of the days that are not shown too.
public struct HabitRecurring: Scenario {
  public static let name = "habit-recurring"
  public static let summary =
    "A daily habit in contexts that come back: does a learner recall one sooner than it learned it? Made for streams."
  public static let source =
    "Own generator: laws and people of habit-phases. Whether the context shows decides what a memory can do."

  /// Which context is in force on a day.
  public enum Schedule: String, ParameterChoice {
    /// One after the other, and again from the first.
    case blocks
    /// The first from Monday to Friday, the second on Saturday and Sunday.
    case week
    /// Each once.
    case phases
  }

  @Parameter("How contexts follow each other: in blocks, over and over; by weekday and weekend; or each once.")
  public var schedule: Schedule = .blocks
  @Parameter(
    "The contexts: places in the list morning routine, night shift, travel, convalescence, new job. Null: 0, 1, 4 in blocks; 0, 1 in the week; all as phases.",
    Bounds.within(0...4).count(atLeast: 1))
  public var contexts: [Int]? = nil
  @Parameter("Visits of contexts, a task each; null: 12 blocks, 104 (52 weeks), or one of each.", .within(1...2000))
  public var visits: Int? = nil
  @Parameter("Days of a visit; null: 28 in blocks, 60 as phases. A week has its own.", .within(1...10_000))
  public var visitDays: Int? = nil
  @Parameter("Whether hours, visits and reminders differ between contexts too (visible) or the law alone (hidden).")
  public var context: HabitPhases.Context = .visible
  @Parameter("Users in each context: rows of a day.", .within(1...100_000)) public var users: Int = 40
  @Parameter("Days lived in a context before the stream begins.", .within(0...10_000)) public var burnIn: Int = 30
  @Parameter("Other users to evaluate on, in each context.", .within(1...100_000)) public var testUsers: Int = 60
  @Parameter("Days of each of them; of a week's contexts those on which they are in force.", .within(7...10_000))
  public var testDays: Int = 56
  @Parameter("E p* in every context.", .within(0.02...0.98)) public var baseRate: Double = 0.5
  @Parameter("E max(p*, 1 − p*) in every context.", .within(0.5...1)) public var bayesAccuracy: Double = 0.86
  @Parameter(
    "Distance of the laws' weights from their mean; 0 makes the weights equal, 1 leaves the table's.", .within(0...10))
  public var dose: Double = 1
  @Parameter("Whether the visit of an evaluated row is told; only methods that isolate tasks use it.")
  public var identity: TaskIdentity = .given
  @Parameter("Users that calibration looks at.", .within(50...100_000)) public var calibrationUsers: Int = 600
  @Parameter("ε: the least probability of either label.", .within(0..<0.5)) public var noise: Double = 0.02
  @Parameter(
    "Whether J*, the best accuracy of one function over all contexts, is estimated (about a second) or left out.")
  public var jointCeiling: HabitPhases.JointCeiling = .estimate
  /// What stands between people's days and the learner; tasks are visits.
  public var operators = HabitOperators()

  public init() {}

  public var outline: StreamOutline {
    let plan = ContextPlan(self)
    return StreamOutline(tasks: plan.visits.count, trainingRows: users * (plan.visits.map(\.days.count).max() ?? 0))
  }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    let course = RecurringCourse(self, try HabitLawSolver(phases).laws())
    return jointCeiling == .estimate ? course.with(jointCeiling: course.estimatedCeiling) : course
  }

  /// The scenario whose laws these are: a task a context.
  var phases: HabitPhases {
    var phases = HabitPhases()
    (phases.context, phases.phases, phases.burnIn) = (context, ContextPlan(self).contexts, burnIn)
    (phases.baseRate, phases.bayesAccuracy, phases.noise) = (baseRate, bayesAccuracy, noise)
    (phases.dose, phases.calibrationUsers) = (dose, calibrationUsers)
    return phases
  }
}

/// What may be kept of a preparation: the solved laws, context by context, then J* where it is asked for.
extension HabitRecurring: CalibratedScenario {
  public var calibrationSettings: HabitRecurring {
    let standard = HabitRecurring()
    var copy = self
    (copy.users, copy.testUsers) = (standard.users, standard.testUsers)
    (copy.visits, copy.visitDays, copy.identity) = (standard.visits, standard.visitDays, standard.identity)
    copy.operators = standard.operators
    return copy
  }

  public func calibrate() throws -> [Double] {
    try check()
    let course = RecurringCourse(self, try HabitLawSolver(phases).laws())
    return course.laws.flatMap(\.numbers) + (jointCeiling == .estimate ? [course.estimatedCeiling] : [])
  }

  public func prepared(by numbers: [Double]) throws -> (any PreparedScenario)? {
    try check()
    let contexts = ContextPlan(self).contexts.count
    let (width, ceilings) = (HabitLaw.numberCount, jointCeiling == .estimate ? 1 : 0)
    guard numbers.count == contexts * width + ceilings, numbers.allSatisfy(\.isFinite) else { return nil }
    let laws = (0..<contexts).map { HabitLaw(numbers: numbers[$0 * width..<($0 + 1) * width]) }
    let course = RecurringCourse(self, laws)
    return ceilings == 0 ? course : course.with(jointCeiling: numbers[numbers.count - 1])
  }
}
