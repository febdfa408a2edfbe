/// What runs observe that go on with single people. Gains are accuracies beyond the population model's.
public let personalMeasures: [Measure] =
  conceptMeasures + lifeMeasures + scarcityMeasures + userMeasures + userConceptMeasures + dayMeasures
  + stageMeasures

extension MeasureAxis {
  /// Held-out people, by their numbers.
  public static let user = MeasureAxis("user", "Held-out person")
  /// Stretches of lives under one law, in the order of time.
  public static let concept = MeasureAxis("concept", "Stretch of a life under one law")
  /// Days of lives, from 0.
  public static let day = MeasureAxis("day", "Day of the lives")
  /// Days of the scarcity curve.
  public static let curveDay = MeasureAxis("curve_day", "Days that were learned")
  /// Stages of a rollout, by the share of the people who have what is tried.
  public static let stage = MeasureAxis("stage", "Stage of the rollout")
}

private let personalGain = "accuracy of what the person gets minus that of the population model"

/// At the end of each stretch, over the people.
private let conceptMeasures: [Measure] = {
  let at = ", at the end of each stretch of lives under one law"
  let worse = { (name: ObservationName, low: ObservationName, high: ObservationName, delta: String) in
    [
      Measure(
        name, "Share of people with a gain below \(delta)", definition: "#{gain_u < \(delta)} / U" + at,
        direction: .lower, storage: .f64, along: [.concept]),
      Measure(
        low, "Lower end of the 95 % interval of \(name)", definition: "Wilson's interval", storage: .f64,
        along: [.concept]),
      Measure(
        high, "Upper end of the 95 % interval of \(name)", definition: "Wilson's interval", storage: .f64,
        along: [.concept]),
    ]
  }
  return gainMeasures(ObservationName.gains, "Gain", personalGain + at, along: [.concept])
    + worse(.shareWorse, .shareWorseLow, .shareWorseHigh, "0")
    + worse(.shareWorseByPoint, .shareWorseByPointLow, .shareWorseByPointHigh, "-0.01")
}()

/// Mean, median, 10th percentile, mean of the worst tenth, worst.
private func gainMeasures(
  _ names: [ObservationName], _ what: String, _ definition: String, along axes: [MeasureAxis]
) -> [Measure] {
  let forms = [
    ("mean over people", "mean over people of the "), ("median over people", "median over people of the "),
    ("10th percentile over people", "10th percentile over people, linear between neighbours, of the "),
    ("mean of the worst tenth of people", "mean of the ceil(U / 10) smallest of the "),
    ("worst of all people", "smallest of the "),
  ]
  return zip(names, forms).map { name, form in
    Measure(
      name, "\(what), \(form.0)", definition: form.1 + definition, direction: .higher, storage: .f64, along: axes)
  }
}

/// Over whole lives.
private let lifeMeasures: [Measure] =
  gainMeasures(
    ObservationName.lifeGains, "Gain over a life",
    "mean over the rows of a life of p*(answer the person got) - p*(answer of the population model); of right answers where p* is not known",
    along: []) + [
    Measure(
      .lifeShareWorse, "Share of people with a life gain below 0", definition: "#{life gain_u < 0} / U",
      direction: .lower),
    Measure(
      .lifeShareWorseLow, "Lower end of the 95 % interval of life_share_worse", definition: "Wilson's interval"),
    Measure(
      .lifeShareWorseHigh, "Upper end of the 95 % interval of life_share_worse", definition: "Wilson's interval"),
    Measure(
      .lifeShareWorseByPoint, "Share of people with a life gain below -0.01",
      definition: "#{life gain_u < -0.01} / U", direction: .lower),
    Measure(
      .headroomShare, "Share of the headroom over the population model that was gained",
      definition: "mean gain / mean(best rule's accuracy - population model's), at the end of the last stretch",
      direction: .higher),
    Measure(
      .coldStartRegret, "Mean regret of days 0 to 13",
      definition: "mean over people and rows of max(p*, 1 - p*) - p*(answer the person got)", direction: .lower),
    Measure(
      .populationAccuracy, "Accuracy of the population model on the people",
      definition: "mean over people and stretches of user_accuracy_population", direction: .higher),
    Measure(
      .peopleBayes, "Accuracy of each person's best rule", definition: "mean over people and stretches of user_bayes",
      subject: .truth),
    Measure(.updatesPerUser, "Updates a person", definition: "mean over people of user_updates_finished"),
  ]

/// A fresh adaptation on the first days.
private let scarcityMeasures: [Measure] = [
  Measure(
    .curveGain, "Gain of a fresh adaptation on the first days, mean over people",
    definition: personalGain + " after one update on the first curve_day days, on new days under the first law",
    direction: .higher, storage: .f64, along: [.curveDay]),
  Measure(
    .curveGainLow, "Lower end of the 95 % interval of curve_gain", definition: "Student's t over people",
    storage: .f64, along: [.curveDay]),
  Measure(
    .curveGainHigh, "Upper end of the 95 % interval of curve_gain", definition: "Student's t over people",
    storage: .f64, along: [.curveDay]),
  Measure(
    .curveShareWorse, "Share of people with a gain below 0 after the first days", definition: "#{gain_u < 0} / U",
    direction: .lower, storage: .f64, along: [.curveDay]),
  Measure(
    .breakEvenDay, "Days that have to be learned before people gain", unit: "d",
    definition: "first curve_day from which on curve_gain_low > 0; NaN where there is none", direction: .lower),
]

/// One number a person.
private let userMeasures: [Measure] = {
  let count = { (name: ObservationName, text: String) in
    Measure(name, text, definition: "how many in the person's life", storage: .i32, along: [.user])
  }
  return [
    Measure(
      .userArchetype, "Kind of person; -1: not known", definition: "place among the scenario's archetypes",
      subject: .truth, storage: .i8, along: [.user]),
    Measure(
      .userLifeGain, "Gain over the person's life", definition: "as life_gain_mean, of one person",
      direction: .higher, along: [.user]),
    Measure(
      .userRegret, "Mean regret over the person's life",
      definition: "mean over rows of max(p*, 1 - p*) - p*(answer the person got)", direction: .lower, along: [.user]),
    Measure(
      .userLogLoss, "Mean log-loss of what the person got", unit: "nat", definition: "mean over rows of -ln q(label)",
      direction: .lower, along: [.user]),
    Measure(
      .userPopulationLogLoss, "Mean log-loss of the population model", unit: "nat",
      definition: "mean over rows of -ln q(label)", direction: .lower, along: [.user]),
    Measure(
      .userMostExcess, "Most that the log-loss so far lay above the population model's", unit: "nat",
      definition: "max over t of sum to t of -ln q(label) minus the same of the population model; 0 at least",
      direction: .lower, along: [.user]),
    count(.userUpdatesDue, "Updates that the policy ordered"), count(.userUpdatesStarted, "Updates that began"),
    count(.userUpdatesFinished, "Updates that ended"), count(.userUpdatesAccepted, "Updates that were deployed"),
    count(.userUpdatesRejected, "Updates that were dropped"),
    count(.userUpdatesRolledBack, "Updates that were taken back"),
  ]
}()

/// One number a person and stretch.
private let userConceptMeasures: [Measure] = {
  let axes = [MeasureAxis.user, .concept]
  let at = "on new days under the stretch's law, at its end; on its own rows where the law is not known"
  return [
    Measure(.userGain, "Gain", definition: personalGain + ", " + at, direction: .higher, along: axes),
    Measure(
      .userAccuracy, "Accuracy of what the person gets", definition: "mean p*(answer) " + at, direction: .higher,
      along: axes),
    Measure(
      .userPopulationAccuracy, "Accuracy of the population model", definition: "mean p*(answer) " + at,
      direction: .higher, along: axes),
    Measure(
      .userBayes, "Accuracy of the person's best rule", definition: "mean max(p*, 1 - p*) of the same rows",
      subject: .truth, along: axes),
    Measure(
      .userNegativeFlips, "Answers that the update made wrong",
      definition: "share of rows: population model as the best rule, deployed model not", direction: .lower,
      along: axes),
    Measure(
      .userPositiveFlips, "Answers that the update made right",
      definition: "share of rows: deployed model as the best rule, population model not", direction: .higher,
      along: axes),
  ]
}()

/// Day by day, over the people.
private let dayMeasures: [Measure] = [
  Measure(
    .dayRegret, "Mean regret of a day", definition: "mean over people of max(p*, 1 - p*) - p*(answer the person got)",
    direction: .lower, along: [.day]),
  Measure(
    .dayWeightPersonal, "Mean weight that is not the population model's",
    definition: "mean over people of 1 - weight of the expert population", along: [.day]),
]

/// A staged rollout over the people.
private let stageMeasures: [Measure] = [
  Measure(
    .stageUsers, "People of a stage whose difference came in", definition: "how many until the stage's verdict",
    storage: .i32, along: [.stage]),
  Measure(
    .stageWealth, "Evidence of a stage that what is tried is no worse",
    definition:
      "wealth of a betting test against: a person's errors exceed the population model's by the margin or more",
    direction: .higher, storage: .f64, along: [.stage]),
  Measure(
    .stageVerdict, "What became of a stage",
    definition:
      "1, 2: wealth reached 1 / level; 3: harm beyond the margin was proven; 0: the stage's people did not suffice; -1: not begun",
    storage: .i8, along: [.stage]
  ).with(
    flags: PersonalRecord.Stage.Verdict.allCases.map { Measure.Flag($0.code, $0.rawValue) }),
]

extension ObservationName {
  static let stageUsers: Self = "stage_users"
  static let stageWealth: Self = "stage_wealth"
  static let stageVerdict: Self = "stage_verdict"
  static let gains: [Self] = ["gain_mean", "gain_median", "gain_p10", "gain_cvar10", "gain_worst"]
  static let lifeGains: [Self] = [
    "life_gain_mean", "life_gain_median", "life_gain_p10", "life_gain_cvar10", "life_gain_worst",
  ]
  static let shareWorse: Self = "share_worse"
  static let shareWorseLow: Self = "share_worse_low"
  static let shareWorseHigh: Self = "share_worse_high"
  static let shareWorseByPoint: Self = "share_worse_1pt"
  static let shareWorseByPointLow: Self = "share_worse_1pt_low"
  static let shareWorseByPointHigh: Self = "share_worse_1pt_high"
  static let lifeShareWorse: Self = "life_share_worse"
  static let lifeShareWorseLow: Self = "life_share_worse_low"
  static let lifeShareWorseHigh: Self = "life_share_worse_high"
  static let lifeShareWorseByPoint: Self = "life_share_worse_1pt"
  static let headroomShare: Self = "headroom_share"
  static let coldStartRegret: Self = "cold_start_regret"
  static let populationAccuracy: Self = "population_accuracy"
  static let peopleBayes: Self = "people_bayes"
  static let updatesPerUser: Self = "updates_per_user"
  static let curveGain: Self = "curve_gain"
  static let curveGainLow: Self = "curve_gain_low"
  static let curveGainHigh: Self = "curve_gain_high"
  static let curveShareWorse: Self = "curve_share_worse"
  static let breakEvenDay: Self = "break_even_day"
  static let userArchetype: Self = "user_archetype"
  static let userLifeGain: Self = "user_life_gain"
  static let userRegret: Self = "user_regret"
  static let userLogLoss: Self = "user_log_loss"
  static let userPopulationLogLoss: Self = "user_log_loss_population"
  static let userMostExcess: Self = "user_excess_log_loss_max"
  static let userUpdatesDue: Self = "user_updates_due"
  static let userUpdatesStarted: Self = "user_updates_started"
  static let userUpdatesFinished: Self = "user_updates_finished"
  static let userUpdatesAccepted: Self = "user_updates_accepted"
  static let userUpdatesRejected: Self = "user_updates_rejected"
  static let userUpdatesRolledBack: Self = "user_updates_rolled_back"
  static let userGain: Self = "user_gain"
  static let userAccuracy: Self = "user_accuracy"
  static let userPopulationAccuracy: Self = "user_accuracy_population"
  static let userBayes: Self = "user_bayes"
  static let userNegativeFlips: Self = "user_negative_flips"
  static let userPositiveFlips: Self = "user_positive_flips"
  static let dayRegret: Self = "day_regret"
  static let dayWeightPersonal: Self = "day_weight_personal"
}

extension Metric {
  /// What is said of runs with single people while they go on: as many as of runs through tasks.
  package static let personalStatus = [
    ObservationName.lifeGains[0], .lifeShareWorse, ObservationName.lifeGains[3],
  ].compactMap { name in personalMeasures.first { $0.name == name }.map { Metric($0) } }

  /// What a report of runs with single people shows, of what was observed.
  public static func personalMetrics(observed: (ObservationName) -> Bool) -> [Metric] {
    let shown = [
      ObservationName.lifeGains[0], .lifeShareWorse, .lifeShareWorseLow, .lifeShareWorseHigh,
      ObservationName.lifeGains[3], .headroomShare, .populationAccuracy, .updatesPerUser, .breakEvenDay,
    ]
    return shown.filter(observed).compactMap { name in
      personalMeasures.first { $0.name == name }.map { Metric($0) }
    }
  }
}
