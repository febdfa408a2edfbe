import PalimpsestCore

/// Does blood sugar pass 180 mg/dl after a meal? Five regimes of one person: other meals, other exercise, another sensitivity to insulin,
/// and doses that were titrated to it.
///
/// - Rows: ten columns of a meal. With the regime's sensitivities isf (insulin) and csf (carbohydrates) and its dawn effect
///   μ = G0 + 3.8 csf carb (1 − .004 fat) + 60 dawn morning − 30 isf bolus − 12 isf IOB − 25 activity + 4 sleep; p* = Φ((μ − 180)/`noise`).
/// - Truth: p* and densities in closed form; J* is the rule of the mean posterior, weighted by density. Means are over the test rows of
///   each seed.
///
/// A phenomenological law for the study of learners: **not a physiological model, and no basis for any dose**.
public struct GlucoseRegimes: GeneratorScenario {
  public static let name = "glucose-regimes"
  public static let summary = "Does blood sugar pass 180 mg/dl after a meal? Five regimes that share most of one law."
  public static let source = """
    A phenomenological law of our own: not a physiological model, and no basis for any dose. Doses are titrated by bisection, so that \
    every regime has as many high values.
    """

  /// A time of life.
  public enum Regime: String, ParameterChoice {
    case baseline, training, illness, holiday
    case weightLoss = "weight-loss"
  }

  @Parameter("The regime of each task, in order; one may come again.", Bounds.any.count(atLeast: 1))
  public var regimes: [Regime] = Regime.allCases
  @Parameter("Share of high values that doses are titrated to, in every regime.", .within(0.05...0.95))
  public var highRate: Double = 0.4
  @Parameter(
    "Deviation of a value about its expectation, in mg/dl: the smaller, the less is left to chance.", .within(1...1000))
  public var noise: Double = 28
  public var rows = GeneratorSettings(rowsPerTask: 1200)

  public init() {}

  public var extent: (tasks: Int, columns: Int) { (regimes.count, 10) }

  public func checkConcepts() throws(ScenarioError) {
    for regime in regimes {
      let most = Titration(regime, noise: noise).rate(dose: 0)
      guard most <= highRate else { continue }
      let percent = (most * 1000).rounded(.down) / 1000
      throw ScenarioError(
        parameter: "highRate",
        "without any dose \"\(regime.rawValue)\" has \(percent) of high values. Take less than that, or leave the regime out."
      )
    }
  }

  public func generator(seed: Seed) -> any ConceptGenerator {
    let known = Set(regimes)
    let doses = Dictionary(uniqueKeysWithValues: known.map { ($0, Titration($0, noise: noise).dose(rate: highRate)) })
    return GlucoseLaw(regimes: regimes, doses: regimes.map { doses[$0] ?? 0 }, noise: noise)
  }
}

struct GlucoseLaw: DensityGenerator {
  let regimes: [GlucoseRegimes.Regime]
  /// Units of insulin for 10 g, one a task.
  let doses: [Double]
  /// mg/dl.
  let noise: Double

  let columns = [
    "glucose before", "carbohydrates", "bolus", "hour", "activity", "fat", "sleep", "insulin on board", "ill",
    "morning",
  ]
  let labels = ["up to 180 mg/dl", "above 180 mg/dl"]
  var concepts: [String] { regimes.map(\.rawValue) }
  var truth: GeneratorTruth { .ofTestRows }

  let scales: [InputScaling] = [
    .column(shift: 120, divisor: 30), .column(shift: 55, divisor: 30), .column(shift: 5.5, divisor: 3),
    .column(shift: 12, divisor: 12), .column(shift: 0, divisor: 1), .column(shift: 0, divisor: 30),
    .column(shift: 0, divisor: 2), .column(shift: 0, divisor: 3), .column(shift: 0, divisor: 1),
    .column(shift: 0, divisor: 1),
  ]

  func draw(_ draws: RowDraws, _ moment: ConceptMoment, into inputs: inout [Float]) -> Int {
    let regime = regimes[moment.concept]
    let meal = Meal(draws, regime)
    inputs = meal.columns(dose: doses[moment.concept]).map { Float($0) }
    inputs[8] = regime == .illness ? 1 : 0
    return draws.uniform(.label) < chance(inputs, regime) ? 1 : 0
  }

  func probabilities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double]? {
    let p = chance(inputs, regimes[moment.concept])
    return [1 - p, p]
  }

  /// p*.
  private func chance(_ inputs: [Float], _ regime: GlucoseRegimes.Regime) -> Double {
    NormalArea.below((regime.expectation(inputs.map(Double.init)) - 180) / noise)
  }

  /// Carbohydrates, bolus, activity and illness have a law of their own in each regime. Values at a limit are as likely as what lies
  /// beyond it.
  func logDensities(_ inputs: [Float], _ moment: ConceptMoment) -> [Double] {
    let (regime, dose) = (regimes[moment.concept], doses[moment.concept])
    if (inputs[8] > 0) != (regime == .illness) { return [-Double.infinity, -Double.infinity] }
    let carb = Double(inputs[1])
    let log =
      Clipped(mean: regime.carbohydrates, deviation: 20, limits: 5...140).logDensity(carb)
      + Clipped(mean: regime.activity, deviation: 0.25, limits: 0...2).logDensity(Double(inputs[4]))
      + Clipped(mean: Elementary.log(dose * carb / 10), deviation: 0.35, limits: -1e9...Elementary.log(Meal.mostBolus))
      .logDensity(Double(inputs[2]) >= Meal.mostBolus ? .infinity : Elementary.log(Double(inputs[2])))
    let p = chance(inputs, regime)
    return [log + Elementary.log(1 - p), log + Elementary.log(p)]
  }
}

/// One meal before its dose is known.
struct Meal {
  /// Units of insulin.
  static let mostBolus = 25.0

  private let before, carbohydrates, error, hour, activity, fat, sleep, onBoard: Double

  init(_ draws: RowDraws, _ regime: GlucoseRegimes.Regime) {
    before = 120 + 18 * draws.normal(.inputs, 0)
    carbohydrates = clipped(regime.carbohydrates + 20 * draws.normal(.inputs, 1), 5...140)
    error = Elementary.exp(0.35 * draws.normal(.inputs, 2))
    hour = [7.5, 13, 19][draws.index(below: 3, .inputs, 3)] + 0.8 * draws.normal(.inputs, 4)
    activity = clipped(regime.activity + 0.25 * draws.normal(.inputs, 5), 0...2)
    fat = clipped(8 * Quantile.gamma(draws.uniform(.inputs, 6), shape: 2), 0...60)
    sleep = draws.normal(.inputs, 7)
    onBoard = clipped(Quantile.gamma(draws.uniform(.inputs, 8), shape: 1.2), 0...6)
  }

  /// In the order of ``GlucoseLaw/columns``; illness is left 0.
  /// - Parameter dose: units for 10 g.
  func columns(dose: Double) -> [Double] {
    [
      before, carbohydrates, min(Meal.mostBolus, bolusAtOne * dose), hour, activity, fat, sleep, onBoard, 0,
      hour < 10 ? 1 : 0,
    ]
  }

  /// Units at a dose of 1 for 10 g.
  var bolusAtOne: Double { carbohydrates / 10 * error }
}

/// The dose at which a regime has a given share of high values.
///
/// By bisection on the mean p* of 4,096 meals, the same for all: points of a Kronecker sequence. Doses are exact to .01 of what a large sample
/// gives.
struct Titration {
  /// μ without a bolus, and what a dose of 1 brings, one a meal.
  private let meals: [(without: Double, bolus: Double)]
  /// mg/dl a unit.
  private let effect: Double
  private let noise: Double

  private static let points = 4096
  private static let steps = RowDraws.kroneckerSteps(9)

  init(_ regime: GlucoseRegimes.Regime, noise: Double) {
    self.noise = noise
    effect = 30 * regime.insulin
    meals = (0..<Titration.points).map { point in
      let meal = Meal(RowDraws(latticePoint: point, steps: Titration.steps), regime)
      return (regime.expectation(meal.columns(dose: 0)), meal.bolusAtOne)
    }
  }

  /// Share of high values.
  func rate(dose: Double) -> Double {
    let sum = meals.reduce(0.0) { sum, meal in
      sum + NormalArea.below((meal.without - effect * min(Meal.mostBolus, dose * meal.bolus) - 180) / noise)
    }
    return sum / Double(meals.count)
  }

  /// - Parameter rate: below that without any dose.
  /// - Returns: units for 10 g, at most 1000.
  func dose(rate: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    while self.rate(dose: high) > rate && high < 1000 { (low, high) = (high, 2 * high) }
    for _ in 0..<30 {
      let middle = (low + high) / 2
      if self.rate(dose: middle) > rate { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

extension GlucoseRegimes.Regime {
  /// Sensitivity to insulin, isf.
  var insulin: Double {
    switch self {
    case .baseline: 1
    case .training: 1.7
    case .illness: 0.5
    case .holiday: 0.8
    case .weightLoss: 1.3
    }
  }

  /// What a gram of carbohydrates brings, csf.
  private var gram: Double {
    switch self {
    case .baseline, .holiday: 1
    case .training: 0.9
    case .illness: 1.25
    case .weightLoss: 0.8
    }
  }

  /// Mean activity.
  var activity: Double {
    switch self {
    case .baseline: 0.2
    case .training: 1.2
    case .illness: 0.05
    case .holiday: 0.15
    case .weightLoss: 0.6
    }
  }

  /// Mean carbohydrates of a meal, in grams.
  var carbohydrates: Double {
    switch self {
    case .baseline: 50
    case .training: 70
    case .illness: 30
    case .holiday: 90
    case .weightLoss: 40
    }
  }

  private var dawn: Double {
    switch self {
    case .baseline: 0.3
    case .training: 0.1
    case .illness: 0.5
    case .holiday: 0.2
    case .weightLoss: 0.8
    }
  }

  /// μ, in mg/dl.
  /// - Parameter row: in the order of ``GlucoseLaw/columns``, not scaled.
  func expectation(_ row: [Double]) -> Double {
    let food = 3.8 * gram * row[1] * (1 - 0.004 * row[5])
    let insulin = 30 * insulin * row[2] + 12 * insulin * row[7]
    return row[0] + food + 60 * dawn * row[9] - insulin - 25 * row[4] + 4 * row[6]
  }
}
