extension RunRecord {
  /// People whose own numbers are kept, at most, where nobody says: of more there are the summaries alone.
  package static let mostKeptPeople = 10_000

  /// The observations of a run that went on with single people.
  /// - Parameters:
  ///   - stages: of a rollout; empty where there was none.
  ///   - tasks: names of the stages.
  ///   - names: of the people, one each; empty where they have none.
  ///   - keepsPeople: whether each one's own numbers are kept; nil: where they are few enough.
  public init(
    _ personal: PersonalRecord, tasks: [String], names: [String] = [], stages: [PersonalRecord.Stage] = [],
    keepsPeople: Bool? = nil
  ) {
    self.init(status: personal.status, tasks: tasks, observations: [])
    error = personal.error
    cost = personal.cost
    let people = personal.people
    guard !people.isEmpty else { return }
    observe(conceptsOf: people)
    observe(livesOf: people)
    observe(curveOf: personal)
    observe(daysOf: personal)
    observe(stages)
    guard keepsPeople ?? (people.count <= RunRecord.mostKeptPeople) else { return }
    observe(people)
    if names.count == people.count { ticks[MeasureAxis.user.name] = .labels(names) }
  }

  /// True of a run that went on with single people.
  public var isPersonal: Bool { self[.lifeShareWorse] != nil }

  private mutating func observe(_ name: ObservationName, _ axis: MeasureAxis, _ numbers: [Double]) {
    if numbers.isEmpty { return }
    observe(Observation(name, along: [Axis(axis.name, numbers.count)], .numbers(numbers)))
  }

  private mutating func observe(conceptsOf people: [PersonalRecord.Person]) {
    let most = people.map(\.concepts.count).max() ?? 0
    let summaries = (0..<most).map { concept in
      PeopleSummary(people.compactMap { $0.concepts.count > concept ? $0.concepts[concept].gain : nil })
    }
    let values: [(ObservationName, (PeopleSummary) -> Double)] = [
      (ObservationName.gains[0], \.mean), (ObservationName.gains[1], \.median), (ObservationName.gains[2], \.tenth),
      (ObservationName.gains[3], \.worstTenth), (ObservationName.gains[4], \.worst), (.shareWorse, \.worse.share),
      (.shareWorseLow, \.worse.lower), (.shareWorseHigh, \.worse.upper), (.shareWorseByPoint, \.worseByPoint.share),
      (.shareWorseByPointLow, \.worseByPoint.lower), (.shareWorseByPointHigh, \.worseByPoint.upper),
    ]
    for (name, value) in values { observe(name, .concept, summaries.map(value)) }
    let all = people.flatMap(\.concepts)
    observe(Observation(.populationAccuracy, all.mean(\.population)))
    guard all.allSatisfy({ $0.bayes.isFinite }) else { return }
    observe(Observation(.peopleBayes, all.mean(\.bayes)))
    let last = people.compactMap(\.concepts.last)
    let headroom = last.mean { $0.bayes - $0.population }
    if headroom != 0 { observe(Observation(.headroomShare, last.mean(\.gain) / headroom)) }
  }

  private mutating func observe(livesOf people: [PersonalRecord.Person]) {
    let gains = PeopleSummary(people.map(\.lifeGain).filter(\.isFinite))
    for (name, value) in zip(
      ObservationName.lifeGains, [gains.mean, gains.median, gains.tenth, gains.worstTenth, gains.worst])
    { observe(Observation(name, value)) }
    observe(Observation(.lifeShareWorse, gains.worse.share))
    observe(Observation(.lifeShareWorseLow, gains.worse.lower))
    observe(Observation(.lifeShareWorseHigh, gains.worse.upper))
    observe(Observation(.lifeShareWorseByPoint, gains.worseByPoint.share))
    observe(Observation(.updatesPerUser, people.mean { Double($0.updates.finished) }))
    let cold = people.map(\.coldStart).filter(\.isFinite)
    if !cold.isEmpty { observe(Observation(.coldStartRegret, cold.mean { $0 })) }
  }

  private mutating func observe(curveOf personal: PersonalRecord) {
    let days = personal.curveDays
    guard !days.isEmpty else { return }
    ticks[MeasureAxis.curveDay.name] = .positions(days)
    let gains = days.indices.map { place in personal.people.map { $0.curve[place] }.filter(\.isFinite) }
    let intervals = gains.map { Interval($0) }
    let lower = intervals.map { $0?.lower ?? .nan }
    observe(.curveGain, .curveDay, intervals.map { $0?.mean ?? .nan })
    observe(.curveGainLow, .curveDay, lower)
    observe(.curveGainHigh, .curveDay, intervals.map { $0?.upper ?? .nan })
    observe(.curveShareWorse, .curveDay, gains.map { PeopleSummary($0).worse.share })
    let firstBelow = lower.lastIndex { !($0 > 0) }.map { $0 + 1 } ?? 0
    observe(Observation(.breakEvenDay, firstBelow < days.count ? Double(days[firstBelow]) : .nan))
  }

  private mutating func observe(_ stages: [PersonalRecord.Stage]) {
    guard !stages.isEmpty else { return }
    ticks[MeasureAxis.stage.name] = .labels(stages.map { "\($0.share)" })
    observe(.stageUsers, .stage, stages.map(\.users))
    observe(.stageWealth, .stage, stages.map(\.wealth))
    observe(.stageVerdict, .stage, stages.map(\.verdict.code))
  }

  private mutating func observe(daysOf personal: PersonalRecord) {
    let means = { (sums: [Double]) in
      zip(sums, personal.dayRows).map { $1 == 0 ? Double.nan : $0 / Double($1) }
    }
    if personal.dayRegret.contains(where: \.isFinite) { observe(.dayRegret, .day, means(personal.dayRegret)) }
    observe(.dayWeightPersonal, .day, means(personal.dayWeight))
  }

  private mutating func observe(_ people: [PersonalRecord.Person]) {
    if people.contains(where: { $0.archetype >= 0 }) { observe(.userArchetype, .user, people.map(\.archetype)) }
    observe(.userLifeGain, .user, people.map(\.lifeGain))
    let regrets = people.map(\.regret)
    if regrets.contains(where: \.isFinite) { observe(.userRegret, .user, regrets) }
    observe(.userLogLoss, .user, people.map(\.logLoss))
    observe(.userPopulationLogLoss, .user, people.map(\.populationLogLoss))
    observe(.userMostExcess, .user, people.map(\.mostExcessLogLoss))
    let counts: [(ObservationName, (PersonalRecord.Updates) -> Int)] = [
      (.userUpdatesDue, \.due), (.userUpdatesStarted, \.started), (.userUpdatesFinished, \.finished),
      (.userUpdatesAccepted, \.accepted), (.userUpdatesRejected, \.rejected), (.userUpdatesRolledBack, \.rolledBack),
    ]
    for (name, count) in counts { observe(name, .user, people.map { count($0.updates) }) }
    let values: [(ObservationName, (PersonalRecord.Concept) -> Double)] = [
      (.userGain, \.gain), (.userAccuracy, \.accuracy), (.userPopulationAccuracy, \.population), (.userBayes, \.bayes),
      (.userNegativeFlips, \.negativeFlips), (.userPositiveFlips, \.positiveFlips),
    ]
    let most = people.map(\.concepts.count).max() ?? 0
    for (name, value) in values {
      let all = people.flatMap { person in
        (0..<most).map { $0 < person.concepts.count ? value(person.concepts[$0]) : .nan }
      }
      guard all.contains(where: \.isFinite) else { continue }
      observe(
        Observation(
          name, along: [Axis(MeasureAxis.user.name, people.count), Axis(MeasureAxis.concept.name, most)],
          .numbers(all)))
    }
  }
}

extension Collection {
  fileprivate func mean(_ value: (Element) -> Double) -> Double { reduce(0) { $0 + value($1) } / Double(count) }
}
