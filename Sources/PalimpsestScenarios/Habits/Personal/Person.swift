import PalimpsestCore

/// One person of a scenario, before anything is drawn of her days: every number is a function of seed and number, whoever else there is.
struct Person: Sendable {
  private let settings: HabitPersonal
  private let draws: HabitDraws
  /// Seed of the new lives to evaluate on.
  private let testSeed: Seed
  private let course: LifeCourse
  /// Of each of her lives.
  private let laws: [HabitLaw]

  /// A person whose life does not change.
  /// - Parameter set: of the person: `population-user` or `user`.
  static func settled(_ settings: HabitPersonal, _ seed: Seed, _ set: String, _ number: Int, days: Int) -> Person {
    var settings = settings
    (settings.lifeEvent.share, settings.events) = (0, [])
    return Person(settings, seed, set, number, days: days)
  }

  init(_ settings: HabitPersonal, _ seed: Seed, _ set: String, _ number: Int, days: Int) {
    self.settings = settings
    draws = HabitDraws(seed.derived(set), user: number)
    testSeed = seed.derived(set + "-test", number)
    let traits = PersonTraits(settings.archetypes, spread: settings.spread, draws)
    course = LifeCourse(settings.lifeEvents, traits, draws, days: days)
    laws = course.traits.map { Person.law(settings, $0) }
  }

  /// The stretches' days from the first recorded one on.
  var stretches: [Range<Int>] { course.stretches }
  private var first: PersonTraits { course.traits[0] }
  private func law(_ stretch: Int) -> HabitLaw { laws[course.lives[stretch]] }

  var archetype: Int { first.archetype }

  private static func law(_ settings: HabitPersonal, _ traits: PersonTraits) -> HabitLaw {
    let law = traits.law(steepness: settings.steepness, noise: settings.noise)
    return settings.calibration == .none ? law : calibrated(law, settings, traits)
  }

  /// As near to the targets as her law comes.
  private static func calibrated(_ law: HabitLaw, _ settings: HabitPersonal, _ traits: PersonTraits) -> HabitLaw {
    let calibration = HabitCalibration(law, users: 200, burnIn: 30, days: 60) { draws in
      let user = traits.user(draws, firstDay: Int(draws.trait(.calendar) * 2555))
      var surroundings = HabitSurroundings(user)
      return { day in
        let x = surroundings.pass(user.day(day), of: user)
        return law.givenTerms(x, x.hourDirection)
      }
    }
    let targets = HabitTargets(baseRate: settings.baseRate, bayesAccuracy: settings.bayesAccuracy)
    return calibration.solve(for: targets, from: law)
  }

  private func user(_ stretch: Int, _ draws: HabitDraws, firstDay: Int) -> HabitUser {
    course.traits[course.lives[stretch]].user(draws, firstDay: firstDay)
  }

  /// Calls `body` with each of her days behind the burn-in, from 0 on, and who she is on it.
  func visitDays(_ body: (_ day: Int, _ step: PersonDays.Step, _ user: HabitUser, _ law: HabitLaw) -> Void) {
    visitAllDays { day, step, user, law in if day >= settings.burnIn { body(day - settings.burnIn, step, user, law) } }
  }

  /// The same with the days of the burn-in, counted from the first of them.
  func visitAllDays(_ body: (_ day: Int, _ step: PersonDays.Step, _ user: HabitUser, _ law: HabitLaw) -> Void) {
    var now = user(0, draws, firstDay: first.firstDay)
    var life = PersonDays(now, law(0))
    var day = 0
    func go(to end: Int, _ law: HabitLaw) {
      while day < end {
        body(day, life.next(), now, law)
        day += 1
      }
    }
    for (number, days) in stretches.enumerated() {
      if number > 0 {
        now = user(number, draws, firstDay: first.firstDay)
        life.change(to: now, law(number))
      }
      go(to: settings.burnIn + days.upperBound, law(number))
    }
  }

  /// Her recorded days.
  /// - Parameter owner: the number that her rows carry.
  func rows(experience: Int, owner: Int) -> Rows {
    let count = stretches.last?.upperBound ?? 0
    var inputs = FloatBuffer(count: 10 * count)
    var (labels, truth): ([Int32], [Float]) = ([], [])
    labels.reserveCapacity(count)
    truth.reserveCapacity(count)
    inputs.withMutableSpan { span in
      visitDays { day, step, _, _ in
        step.features.write(to: &span, at: 10 * day, columns: 10)
        labels.append(step.isCompletedNextDay ? 1 : 0)
        truth.append(Float(step.probability))
      }
    }
    return Rows(
      table: Table(inputs, columns: 10), experience: experience, places: (0..<Int32(count)).map { $0 }, labels: labels,
      truth: truth, owners: [Int32](repeating: Int32(owner), count: count),
      times: (0..<count).map { 86_400 * Int64($0) })
  }

  /// New days under the law of a stretch: replicates with the same traits, nothing of which is ever shown to a model.
  func evaluationSet(ofStretch stretch: Int) -> EvaluationSet {
    let (count, days) = (settings.testReplicates, settings.testDays)
    // The old life again is judged on the days of the old one.
    let seed = testSeed.derived("law", course.lives[stretch])
    var inputs = FloatBuffer(count: 10 * count * days)
    var (labels, truth): ([Int32], [Float]) = ([], [])
    labels.reserveCapacity(count * days)
    truth.reserveCapacity(count * days)
    inputs.withMutableSpan { span in
      for replicate in 0..<count {
        let draws = HabitDraws(seed, user: replicate)
        var life = PersonDays(user(stretch, draws, firstDay: Int(draws.trait(.calendar) * 2555)), law(stretch))
        for _ in 0..<settings.burnIn { _ = life.next() }
        for _ in 0..<days {
          let step = life.next()
          step.features.write(to: &span, at: 10 * labels.count, columns: 10)
          labels.append(step.isCompletedNextDay ? 1 : 0)
          truth.append(Float(step.probability))
        }
      }
    }
    let rows = Rows(
      table: Table(inputs, columns: 10), experience: 1, places: (0..<Int32(count * days)).map { $0 }, labels: labels,
      truth: truth)
    return EvaluationSet(rows: rows, knownExperience: 1, candidates: 0..<1)
  }
}

/// The life of a held-out person, drawn when it is asked for.
struct HabitPersonLife: PersonLife {
  private let person: Person
  private let owner: Int
  let rows: Rows

  init(_ person: Person, owner: Int) {
    self.person = person
    self.owner = owner
    rows = person.rows(experience: 1, owner: owner)
  }

  var concepts: [Range<Int>] { person.stretches }
  var archetype: Int { person.archetype }
  func evaluationSet(ofConcept concept: Int) -> EvaluationSet? { person.evaluationSet(ofStretch: concept) }
  func events() -> [LoggedEvent] { person.events(owner: owner) }
}
