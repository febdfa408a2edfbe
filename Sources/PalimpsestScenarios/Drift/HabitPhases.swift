import PalimpsestCore

/// Users whose daily habit follows one law in a phase of life and another in the next.
///
/// A population lives through up to five phases (morning routine, night shift, travel, convalescence, new job). A row is a user's
/// day; its label says whether the habit is kept on the day after, with a probability p* that depends on the row and the
/// phase alone and is given with it. Users are new in every phase and in every test set.
///
/// Where the context is visible, the phases differ in hours, visits and reminders too, so one function of the features can
/// serve nearly all; where it is hidden, only the law changes, and none can.
///
/// - Rows: users × days for training, test users × days for evaluation, in each task.
/// - Memory: 52 bytes a row of ten features.
public struct HabitPhases: Scenario {
  public static let name = "habit-phases"
  public static let summary =
    "A daily habit under up to five phases of life, with the exact label probability of every row."
  public static let source =
    "Own generator: observable logistic law with feedback through streak, rate and gap; rates after Lally 2010, Klasnja 2019"

  /// Whether a row shows the phase it comes from.
  public enum Context: String, ParameterChoice { case visible, hidden }
  /// The same tasks composed through time, where settings say how.
  func composed(_ course: HabitCourse) throws(ScenarioError) -> any PreparedScenario {
    try course.composed(composition, toldIdentity, obstacle: HabitPhases.obstacle)
  }

  var toldIdentity: TaskIdentity { identity == .given ? .given : .hidden }

  /// Why a schedule cannot move parameters.
  static let obstacle = "people of habit-phases live all their days under one law"

  /// Columns of a row.
  public enum Features: String, ParameterChoice { case ten, five }
  /// Where b0 and γ of each phase come from.
  public enum Calibration: String, ParameterChoice { case bisection, table }
  /// Whether a learner is told the phase of a row that it predicts.
  public enum Identity: String, ParameterChoice { case given, hidden }
  /// Whether J* is looked for.
  public enum JointCeiling: String, ParameterChoice { case estimate, none }
  /// Which of its rows a task allows to be looked at again.
  public enum Revisit: String, ParameterChoice { case all, none }

  @Parameter("Whether hours, visits and reminders differ between phases too (visible) or the law alone (hidden).")
  public var context: Context = .visible
  @Parameter("Users to train on, new in each phase.", .within(1...100_000)) public var users: Int = 20
  @Parameter("Recorded days a user.", .within(1...10_000)) public var days: Int = 60
  @Parameter("Days lived under the phase's law before the recorded ones.", .within(0...10_000)) public var burnIn: Int =
    30
  @Parameter("Users to evaluate on, new in each phase.", .within(1...100_000)) public var testUsers: Int = 60
  @Parameter("Columns of a row; the law drops its terms on columns that are not there, so that p* stays exact.")
  public var features: Features = .ten
  @Parameter(
    "The tasks: places in the list morning routine, night shift, travel, convalescence, new job. One may come again.",
    Bounds.within(0...4).count(atLeast: 1))
  public var phases: [Int] = [0, 1, 2, 3, 4]
  @Parameter("E p* in every phase.", .within(0.02...0.98)) public var baseRate: Double = 0.5
  @Parameter("E max(p*, 1 − p*) in every phase.", .within(0.5...1)) public var bayesAccuracy: Double = 0.86
  @Parameter("Whether b0 and γ are solved, or taken from the published table.")
  public var calibration: Calibration = .bisection
  @Parameter(
    "Distance of the laws' weights from their mean; 0 makes the weights equal, 1 leaves the table's.", .within(0...10))
  public var dose: Double = 1
  @Parameter(
    "Mean total variation between the phases' laws, reached by solving the dose; null keeps the dose.", .within(0...1))
  public var driftTV: Double? = nil
  @Parameter("Whether the phase of an evaluated row is told; only methods that isolate tasks use it.")
  public var identity: Identity = .given
  @Parameter("Users that calibration looks at.", .within(50...100_000)) public var calibrationUsers: Int = 600
  @Parameter("ε: the least probability of either label.", .within(0..<0.5)) public var noise: Double = 0.02
  @Parameter("Whether J*, the best accuracy of one function over all tasks, is estimated (about a second) or left out.")
  public var jointCeiling: JointCeiling = .estimate
  @Parameter("Which of its training rows a task allows to be looked at again when it is over.")
  public var revisit: Revisit = .all
  /// When phases are in force, other than each for the rows of its task.
  public var composition = CompositionSettings()
  /// What stands between people's days and the learner.
  public var operators = HabitOperators()

  public init() {}

  public var outline: StreamOutline { StreamOutline(tasks: phases.count, trainingRows: users * days) }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario { try composed(calibrated()) }

  /// The scenario with its laws solved: what ``prepare(from:)`` gives without a schedule, under its own type.
  /// - Throws: ``ScenarioError`` for settings that contradict each other.
  /// - Cost: calibration and the estimate of J*, each well below a second.
  public func calibrated() throws -> HabitCourse {
    try check()
    let laws = try HabitLawSolver(self).laws()
    let course = HabitCourse(self, laws)
    guard jointCeiling == .estimate else { return course }
    return course.estimatingJointCeiling()
  }

  /// Columns of a row but for those of masks.
  var columns: Int { features == .ten ? 10 : 5 }
  /// What they are called.
  var columnNames: [String] { Array(HabitFeatures.names.prefix(columns)) }

  /// How a phase's users use their phones.
  func conduct(_ phase: Int) -> HabitConduct { context == .visible ? HabitPhase.all[phase].conduct : .shared }
}
