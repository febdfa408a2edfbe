import PalimpsestCore

/// What the best rule of each task would score on the rows of each, how far the rules lie apart there, and the best single rule.
///
/// A task's rule looks at the columns that its phase shows and takes them as they come: without a mask the rule of a phase with
/// launches takes launches that are hidden for none.
///
/// The best single rule is exact: the law and the people are the same in all phases, and what is hidden is independent of the rest,
/// so the phases of a row that look alike differ by the probabilities of what is shown alone. J* is the mean over the tasks of what it
/// scores.
struct PermissionOracles {
  let truth: ScenarioTruth

  /// - Parameter tests: rows of all tasks.
  /// - Cost: tasks × rows probabilities given what is shown; tasks that show the same share them.
  init(_ course: PermissionCourse, _ tests: [PermissionRows]) {
    let phases = course.phases
    var (accuracy, variation, hellinger) = ([[Double]](), [[Double]](), [[Double]]())
    var ceiling = 0.0
    for (k, test) in tests.enumerated() {
      let answers = PermissionOracles.answers(course.law, phases, test.features)
      let own = answers[k]
      accuracy.append(answers.map { PermissionOracles.mean($0, own) { q, p in q >= 0.5 ? p : 1 - p } })
      variation.append(answers.map { PermissionOracles.mean($0, own) { q, p in abs(q - p) } })
      hellinger.append(
        answers.map { PermissionOracles.mean($0, own) { Distance.hellinger([$0, 1 - $0], [$1, 1 - $1]) } })
      let likeliest = PermissionOracles.bestAnswers(course, answers, test.features, phases[k])
      ceiling += PermissionOracles.mean(likeliest, own) { q, p in q >= 0.5 ? p : 1 - p } / Double(tests.count)
    }
    truth = ScenarioTruth(
      bayesAccuracy: accuracy.indices.map { accuracy[$0][$0] }, crossAccuracy: accuracy.transposed,
      totalVariation: variation.transposed, hellinger: hellinger.transposed, jointCeiling: ceiling)
  }

  private static func mean(_ q: [Double], _ p: [Double], _ value: (Double, Double) -> Double) -> Double {
    zip(q, p).reduce(0) { $0 + value($1.0, $1.1) } / Double(p.count)
  }

  /// Each task's probabilities of some rows.
  private static func answers(
    _ law: PermissionLaw, _ phases: [PermissionPhase], _ rows: [HabitFeatures]
  ) -> [[Double]] {
    var answers: [[Double]] = []
    for (task, phase) in phases.enumerated() {
      let same = phases[..<task].firstIndex { $0.shows(asMuchAs: phase) }
      answers.append(same.map { answers[$0] } ?? rows.map { law.probability($0, shownBy: phase) })
    }
    return answers
  }

  /// The mean of the tasks' probabilities, each counted by how likely its rows look like this one.
  /// - Parameter phase: the one that the rows are of.
  private static func bestAnswers(
    _ course: PermissionCourse, _ answers: [[Double]], _ rows: [HabitFeatures], _ phase: PermissionPhase
  ) -> [Double] {
    rows.indices.map { row in
      var (sum, weight) = (0.0, 0.0)
      for (task, other) in course.phases.enumerated() {
        let share = likelihood(of: rows[row], phase, under: other, course.settings.mask)
        sum += share * answers[task][row]
        weight += share
      }
      return sum / weight
    }
  }

  /// How likely a row of one phase looks as it does in another, up to what they have in common. An hour that is hidden, and a
  /// calendar that is, show a value that shown ones never have.
  private static func likelihood(
    of x: HabitFeatures, _ phase: PermissionPhase, under other: PermissionPhase, _ mask: HabitPermissions.Mask
  ) -> Double {
    if other.showsHour != phase.showsHour || other.showsCalendar != phase.showsCalendar { return 0 }
    if mask == .column && other.mask != phase.mask { return 0 }
    if other.showsLaunches { return PermissionLaw.launchShares[HabitScales.launches.firstIndex(of: x.launches) ?? 0] }
    return x.launches == 0 ? 1 : 0
  }
}
