import PalimpsestCore

/// A population of people, each with a law of her own, and held-out people who live on with the model that was trained on it.
///
/// Rows are days: what a phone sees by the evening, and whether the habit is kept on the day after. p* is exact, given a row and the
/// person. Lives may change, and change back. Kinds of people ("archetypes") have their hours and what moves them in common, and people vary
/// about them.
///
/// - Rows: population × populationDays to train on, people × days of lives.
/// - Memory: 52 bytes a row; of lives only those that are looked at.
public struct HabitPersonal: Scenario {
  public static let name = "habit-personal"
  public static let summary =
    "People with a law of their own: a population to train on, and held-out people with whom the model lives on."
  public static let source = """
    Own generator: the law of habit-phases with weights, hours and receptivity drawn person by person. One population law serves \
    nobody fully: that is the headroom of a personal model.
    """

  public static let hasPeople = true

  /// How people differ.
  public enum Population: String, ParameterChoice {
    /// Five archetypes: morning, evening, nights, weekend, prompted.
    case `default`
    /// No archetypes, and larger differences between single people.
    case mixed
  }
  /// Whether b0 and γ are the same law for all.
  public enum Calibration: String, ParameterChoice { case none, user }

  @Parameter("People to train the population model on.", .within(1...100_000)) public var population: Int = 500
  @Parameter("Days of each of them.", .within(1...10_000)) public var populationDays: Int = 60
  @Parameter("Held-out people, who live on with the model.", .within(1...100_000)) public var users: Int = 200
  @Parameter("Days of each of their lives.", .within(1...10_000)) public var days: Int = 180
  @Parameter("How people differ: five archetypes, or no archetypes and larger differences.")
  public var archetypes: Population = .default
  @Parameter(
    "What people's deviations from their kind are multiplied by; 0: all of a kind are alike but for b0.", .within(0...3)
  )
  public var spread: Double = 1
  public var lifeEvent = LifeEventSettings()
  @ParameterList(
    "What happens in the lives of the held-out people, in order of time: each is over before the next may begin.",
    atMost: 20)
  public var events: [LifeEvent] = []
  @Parameter("Days lived before the recorded ones, of everybody.", .within(0...10_000)) public var burnIn: Int = 14
  @Parameter("New lives of a person under each of her laws, to evaluate on.", .within(1...10_000)) public
    var testReplicates: Int = 20
  @Parameter("Days of each of them.", .within(1...10_000)) public var testDays: Int = 40
  @Parameter("Whether b0 and γ are those of the population for all, or meet the two targets below person by person.")
  public var calibration: Calibration = .none
  @Parameter("E p* of each person where calibration is \"user\".", .within(0.02...0.98)) public var baseRate: Double =
    0.5
  @Parameter("E max(p*, 1 − p*) of each person where calibration is \"user\".", .within(0.5...1)) public
    var bayesAccuracy: Double =
      0.84
  @Parameter("γ: how decided people are, where calibration is \"none\".", .within(0.01...20)) public var steepness:
    Double = 1.3
  @Parameter("ε: the least probability of either label.", .within(0..<0.5)) public var noise: Double = 0.02
  @Parameter("Whether the stage of an evaluated row is told; only methods that isolate tasks use it.")
  public var identity: TaskIdentity = .given

  public init() {}

  public var outline: StreamOutline {
    StreamOutline(tasks: 2, trainingRows: max(population * populationDays, users * days))
  }

  public func check() throws(ScenarioError) {
    try HabitSize.check("population", population, days: burnIn + populationDays)
    try HabitSize.check("users", users, days: burnIn + days)
    try HabitSize.check("testReplicates", testReplicates, days: burnIn + testDays)
    try checkEvents()
    if calibration == .user {
      try HabitTargets(baseRate: baseRate, bayesAccuracy: bayesAccuracy).check(noise: noise)
    }
  }

  public func prepare(from library: any DatasetLibrary) throws -> any PreparedScenario {
    try check()
    return PersonalCourse(self)
  }
}
