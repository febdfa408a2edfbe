import PalimpsestCore

/// The scenario ready to be drawn from.
package struct SeasonCourse: PreparedScenario {
  let settings: HabitSeasons
  /// What one function of a row can reach; nil where it was not asked for.
  package let hindsight: SeasonHindsight?

  init(_ settings: HabitSeasons, _ hindsight: SeasonHindsight?) {
    self.settings = settings
    self.hindsight = hindsight
  }

  /// - Cost: the days of all people, about a microsecond each.
  package func makeStream(seed: Seed) -> any DriftStream { SeasonStream(self, seed) }

  /// The same for all seeds.
  package var outlook: StreamOutlook {
    StreamOutlook(
      shape: TaskShape(inputs: 10, outputs: 1),
      experiences: settings.taskDays.enumerated().map { task, part in
        ExperienceInfo(
          index: task, name: part.name, outputs: 0..<1, seenOutputs: 0..<1, rows: settings.users * part.days.count)
      })
  }

  func seed(_ set: HabitSet, _ seed: Seed) -> Seed { seed.derived("seasons-" + set.rawValue) }
}

/// The lives of a set of people, person by person, day by day, without the burn-in.
struct SeasonRows: Sendable {
  let rows: HabitRows
  /// What the law looks at on each day.
  let terms: [SeasonLaw.Terms]

  init(_ settings: HabitSeasons, seed: Seed, users: Int) {
    let count = users * settings.days
    var inputs = FloatBuffer(count: 10 * count)
    var labels: [Int32] = []
    var terms: [SeasonLaw.Terms] = []
    labels.reserveCapacity(count)
    terms.reserveCapacity(count)
    inputs.withMutableSpan { span in
      for index in 0..<users {
        var life = SeasonLife(SeasonUser(HabitDraws(seed, user: index)), settings)
        for _ in 0..<settings.burnIn { _ = life.next() }
        for _ in 0..<settings.days {
          let step = life.next()
          step.features.write(to: &span, at: 10 * labels.count, columns: 10)
          labels.append(step.isCompletedNextDay ? 1 : 0)
          terms.append(step.terms)
        }
      }
    }
    rows = HabitRows(inputs: inputs, columns: 10, labels: labels, truth: terms.map { Float($0.probability) })
    self.terms = terms
  }
}

/// The tasks of one seed, and what happens in them.
struct SeasonStream: DriftStream {
  let shape: TaskShape
  let experiences: [ExperienceInfo]
  let truth: ScenarioTruth?
  let events: [DriftEvent]?
  private let training: [Rows]
  private let tests: [EvaluationSet]

  init(_ course: SeasonCourse, _ seed: Seed) {
    let (settings, outlook) = (course.settings, course.outlook)
    (shape, experiences) = (outlook.shape, outlook.experiences)
    let parts = settings.taskDays
    func tasks(_ set: HabitSet, _ users: Int) -> (rows: [Rows], terms: [[SeasonLaw.Terms]]) {
      let lives = SeasonRows(settings, seed: course.seed(set, seed), users: users)
      let table = Table(lives.rows.inputs, columns: 10)
      let shown = parts.map { ShownDays($0.days, users: users, days: settings.days) }
      return (
        shown.indices.map { shown[$0].rows(lives.rows, table, task: $0) }, shown.map { $0.values(lives.terms) }
      )
    }
    training = tasks(.training, settings.users).rows
    let drawn = tasks(.test, settings.testUsers)
    tests = drawn.rows.enumerated().map { task, rows in
      EvaluationSet(rows: rows, knownExperience: settings.identity == .given ? task : nil, candidates: 0..<1)
    }
    let ceiling = course.hindsight.map { $0.meanAccuracy(of: drawn.rows) } ?? .nan
    truth = SeasonOracles(settings, drawn.terms, jointCeiling: ceiling).truth.with(distancesOf: tests)
    events = settings.events
  }

  func trainingRows(for experience: Int) -> Rows { training[experience] }
  func evaluationSet(for experience: Int) -> EvaluationSet { tests[experience] }
  var inputs: InputDescription? { InputDescription(columns: HabitFeatures.names) }
}

extension HabitSeasons {
  /// The life event, and the blips that all have, in order of time. What befalls single persons is none.
  var events: [DriftEvent] {
    let common = blips.map { DriftEvent(.blip, users * $0...users * ($0 + blipDays) - 1) }
    let change = lifeEvent.map { DriftEvent(.change, users * $0...users * $0) }
    return (common + (change.map { [$0] } ?? [])).sorted { $0.rows.lowerBound < $1.rows.lowerBound }
  }
}
